"""What a part rests on: the definitions that it leads to, also by name while it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.closure import FOLDERS, HOUSE, ROOT, SHOWING, checksum, closure

TREE = {
    "src/headscope/__init__.py": '_PLACES = {"load": "headscope.models.load", "open": "headscope.web.open"}',
    "src/headscope/errors.py": "LENGTH = 3\nclass HeadscopeError: size = LENGTH\nclass OtherError: pass",
    "src/headscope/models/__init__.py": "",
    "src/headscope/models/load.py": "from ..errors import HeadscopeError\ndef load(): raise HeadscopeError",
    "src/headscope/web/__init__.py": "",
    "src/headscope/web/open.py": "def open(): pass",
    "src/headscope/nets/__init__.py": "from headscope.nets import han\nregister(han.Han)",
    "src/headscope/nets/han.py": "class Han: pass\ndef unused(): pass",
    "src/headscope/nets/loose/gru.py": "class Gru: pass",
    "src/headscope/engine/__init__.py": "from headscope.engine.work import Plan",
    "src/headscope/engine/work.py": "from headscope.engine import shards\nclass Plan: cut = shards.cut",
    "src/headscope/engine/shards.py": "def cut(): pass\ndef join(): pass",
    "src/headscope/questions/__init__.py": 'def options(verb): return verb.module("options")',
    "src/headscope/questions/asking.py": 'def ask(verb): return verb.module("answer")',
    "src/headscope/questions/survey/__init__.py": "",
    "src/headscope/questions/survey/options.py": "LEAST = 1",
    "src/headscope/questions/survey/answer.py": (
        "from headscope.questions.survey.declared import TABLES\n"
        "def answer():\n    from headscope.engine.shards import cut\n    cut(TABLES)"
    ),
    "src/headscope/questions/survey/screen.py": "def screen(): pass",
    "src/headscope/questions/survey/declared.py": "TABLES = 1",
    "src/headscope/questions/syntax/__init__.py": "",
    "src/headscope/questions/syntax/answer.py": "def answer(): pass",
    "benchmarks/__init__.py": "",
    "benchmarks/rows.py": "import numpy\ndef told(): return _row()\ndef _row(): pass\ndef least(): pass",
    "benchmarks/part.py": "",
}
TOLD = ["benchmarks/rows.py:_row", "benchmarks/rows.py:told"]
CUT = ["engine/shards.py:cut"]
NETS = ["nets/__init__.py:on import", "nets/han.py:Han"]
LOADED = ["errors.py:HeadscopeError", "errors.py:LENGTH", "models/load.py:load"]
SURVEYED = [*CUT, "questions/asking.py:ask", "questions/survey/answer.py:answer"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def found(root: Path, text: str) -> list[str]:
    """What a part with this text rests on, beside itself."""
    (root / "benchmarks/part.py").write_text(text)
    names = closure("benchmarks.part", root)
    return [
        name.removeprefix("src/headscope/") for name in names if not name.startswith("benchmarks/part.py")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, numpy\nnumpy.array", []),
        ("from benchmarks.rows import told", TOLD),
        ("from . import rows\nrows.least()", ["benchmarks/rows.py:least"]),
        ("from . import rows\nall_of(rows)", [*TOLD, "benchmarks/rows.py:least"]),
        ("def run():\n    from headscope.engine.shards import cut", CUT),
        ("from headscope import engine\ndef run(): engine.shards.cut()", CUT),
        ("def run():\n    import headscope.engine\n    headscope.engine.shards.cut()", CUT),
        ("from headscope.engine import Plan", [*CUT, "engine/work.py:Plan"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import headscope.errors", []),
        ("from headscope.errors import OtherError", ["errors.py:OtherError"]),
        ("from headscope.nets.loose.gru import Gru", [*NETS, "nets/loose/gru.py:Gru"]),
        ("import headscope", []),
        ("import headscope\nheadscope.load()", LOADED),
        ("import headscope as house\ndef run(): house.load()", LOADED),
        ("from headscope import load", LOADED),
        ("import headscope\nheadscope.survey()", SURVEYED),
        ("import headscope\nheadscope.__version__", []),
        ("from headscope.engine import shards\ndef run(one: shards.cut = 1) -> shards.join: pass", []),
        ("from headscope.engine import shards\nclass One: cut: shards.cut", CUT),
    ],
)
def test_what_a_part_leads_to(root: Path, text: str, expected: list[str]) -> None:
    assert found(root, text) == sorted(expected)


def test_the_files_of_a_verb_that_are_asked_for_count_whole(root: Path) -> None:
    text = "import headscope\nheadscope.survey().module('options')"
    assert found(root, text) == sorted([*SURVEYED, "questions/survey/options.py:LEAST"])


def test_the_checksum_is_of_what_a_part_rests_on(root: Path) -> None:
    (root / "benchmarks/part.py").write_text("import headscope\nheadscope.survey()")

    def now() -> str:
        return checksum(closure("benchmarks.part", root))

    before = now()
    for name in (
        "src/headscope/web/open.py",
        "src/headscope/engine/shards.py",
        "src/headscope/questions/syntax/answer.py",
        "src/headscope/questions/survey/screen.py",
        "src/headscope/questions/survey/declared.py",
        "src/headscope/questions/__init__.py",
    ):
        with (root / name).open("a") as file:
            file.write("\nanother = 'line'\n# another comment\n'''another docstring'''\n")
        assert now() == before, name
    for name in ("src/headscope/engine/shards.py", "src/headscope/questions/survey/answer.py"):
        path = root / name
        path.write_text(path.read_text().replace("():", "(more=1):"))
        assert now() != before, name
        before = now()
    path = root / "src/headscope/questions/survey/answer.py"
    path.write_text(path.read_text() + "\nprint('when imported')")
    assert now() != before


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("raise OtherError('no head')", "raise OtherError(f'no head of {words}; train one')", True),
        ("raise OtherError('no head')", "raise OtherError", True),
        ("raise OtherError('no head')", "raise HeadscopeError('no head')", False),
        ("raise Ended('no head')", "raise Ended('another')", False),
        ("Step('1 epochs', 2)", "Step(f'{counted(1)} epoch', 2)", True),
        ("Step('1 epochs', 2)", "Step('1 epochs', 3)", False),
        ("Step(1, 2)", "Step(2, 2)", False),
        ("tell('1 epochs', 2)", "tell('1 epoch', 2)", False),
    ],
)
def test_the_words_of_errors_and_of_steps_change_nothing(
    root: Path, before: str, after: str, is_same: bool
) -> None:
    begins = "from headscope.errors import HeadscopeError, OtherError\ndef run():\n    "
    (root / "benchmarks/part.py").write_text(begins + before)
    then = closure("benchmarks.part", root)
    (root / "benchmarks/part.py").write_text(begins + after)
    assert (closure("benchmarks.part", root) == then) == is_same


def test_the_same_under_another_name_is_something_else() -> None:
    assert checksum({"one.py:run": "same"}) != checksum({"other.py:run": "same"})


def test_a_part_without_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"has no module benchmarks\.gone"):
        closure("benchmarks.gone", tmp_path)


NOTED = """
import sys
from pathlib import Path
from benchmarks.closure import ROOT
from benchmarks.parts import load
ran = set()
def note(frame, event, argument):
    if event == "call":
        ran.add(frame.f_code)
part = load(sys.argv[1])
sys.setprofile(note)
part.run(**part.reduced)
sys.setprofile(None)
for code in ran:
    name, path = code.co_qualname.partition(".")[0], Path(code.co_filename)
    is_function = code.co_flags & 1 and not name.startswith("<")
    if is_function and path.is_relative_to(ROOT):
        print("ran " + path.relative_to(ROOT).as_posix() + ":" + name)
"""


@pytest.mark.slow
@pytest.mark.parametrize("part", ["nets", "nulls", "structure"])
def test_nothing_runs_that_was_not_found(part: str) -> None:
    """The functions that a short run of a part really goes through, against what was read from its source."""
    words = [sys.executable, "-c", NOTED, part]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    ran = {line.removeprefix("ran ") for line in done.stdout.splitlines() if line.startswith("ran ")}
    ours = {name for name in ran if name.startswith(tuple(f"{folder}/" for folder in FOLDERS.values()))}
    tables = {f"{FOLDERS[HOUSE]}/__init__.py", f"{FOLDERS[HOUSE]}/questions/__init__.py"}
    wording = {f"{FOLDERS[HOUSE]}/results/{name}.py" for name in ("declaration", "finding", "reading")}
    on_import = {f"{FOLDERS[HOUSE]}/explainers/{name}.py" for name in ("asked", "fixed")}
    unknown = {name.partition(":")[0] for name in ours - set(closure(f"benchmarks.{part}"))}
    assert len(ours) > 100
    assert {
        name
        for name in unknown - tables - wording - on_import
        if Path(name).stem not in SHOWING and not Path(name).stem.startswith("declared")
    } == set()
