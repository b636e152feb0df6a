"""The files that a part rests on: all that it imports, also by name while it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.closure import ROOT, SHOWING, TABLES, checksum, closure

TREE = {
    "src/headscope/__init__.py": '_PLACES = {"load": "headscope.models.load", "open": "headscope.web.open"}',
    "src/headscope/errors.py": "",
    "src/headscope/models/__init__.py": "",
    "src/headscope/models/load.py": "from ..errors import HeadscopeError",
    "src/headscope/web/__init__.py": "",
    "src/headscope/web/open.py": "",
    "src/headscope/engine/__init__.py": "from headscope.engine.work import Plan",
    "src/headscope/engine/work.py": "from headscope.engine import shards\nimport headscope.engine.work",
    "src/headscope/engine/shards.py": "",
    "src/headscope/questions/__init__.py": 'def options(verb): return verb.module("options")',
    "src/headscope/questions/asking.py": 'def ask(verb): return verb.module("answer")',
    "src/headscope/questions/survey/__init__.py": "",
    "src/headscope/questions/survey/options.py": "",
    "src/headscope/questions/survey/answer.py": "def answer():\n    from headscope.engine import shards",
    "src/headscope/questions/survey/screen.py": "",
    "src/headscope/questions/syntax/__init__.py": "",
    "src/headscope/questions/syntax/answer.py": "",
    "benchmarks/__init__.py": "",
    "benchmarks/rows.py": "import numpy",
    "benchmarks/part.py": "",
}
ALWAYS = ["benchmarks/__init__.py", "benchmarks/part.py"]
ENGINE = [f"src/headscope/engine/{name}.py" for name in ("__init__", "shards", "work")]
LOADED = [f"src/headscope/{name}.py" for name in ("errors", "models/__init__", "models/load")]
SURVEYED = [
    *ENGINE,
    "src/headscope/questions/asking.py",
    *(f"src/headscope/questions/survey/{name}.py" for name in ("__init__", "answer", "options")),
]


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
    names = [path.relative_to(root).as_posix() for path in closure("benchmarks.part", root)]
    assert set(ALWAYS) <= set(names)
    return [name for name in names if name not in ALWAYS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, numpy", []),
        ("from benchmarks.rows import told", ["benchmarks/rows.py"]),
        ("from . import rows", ["benchmarks/rows.py"]),
        ("def run():\n    from headscope.engine.shards import shards", ENGINE),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import headscope.errors", LOADED[:1]),
        ("import headscope", []),
        ("import headscope\nheadscope.load()", LOADED),
        ("import headscope as house\ndef run(): house.load()", LOADED),
        ("from headscope import load", LOADED),
        ("import headscope\nheadscope.survey()", SURVEYED),
        ("import headscope\nheadscope.__version__", []),
    ],
)
def test_what_a_part_imports(root: Path, text: str, expected: list[str]) -> None:
    assert found(root, text) == expected


def test_the_checksum_is_of_what_a_part_rests_on(root: Path) -> None:
    (root / "benchmarks/part.py").write_text("import headscope\nheadscope.survey()")

    def now() -> str:
        return checksum(closure("benchmarks.part", root), root)

    before = now()
    for name in (
        "src/headscope/web/open.py",
        "src/headscope/questions/syntax/answer.py",
        "src/headscope/questions/survey/screen.py",
        "src/headscope/questions/__init__.py",
    ):
        with (root / name).open("a") as file:
            file.write("\nanother = 'line'")
        assert now() == before, name
    for name in ("src/headscope/engine/shards.py", "src/headscope/questions/survey/answer.py"):
        with (root / name).open("a") as file:
            file.write("\n# another comment\n'''another docstring'''\n")
        assert now() == before, name
        with (root / name).open("a") as file:
            file.write("\nanother = 'line'")
        assert now() != before, name
        before = now()


def test_a_file_of_another_name_is_another_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    for path in (one, other):
        path.write_text("same")
    assert checksum([one], tmp_path) != checksum([other], tmp_path)


def test_a_part_without_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"has no module benchmarks\.gone"):
        closure("benchmarks.gone", tmp_path)


@pytest.mark.slow
def test_nothing_is_imported_that_was_not_found(tmp_path: Path) -> None:
    """What a part that asks a verb and draws really loads, against what was read from its source."""
    code = f"""
import sys
from pathlib import Path
from benchmarks import figure3
figure3.draw("tiny-masked", figure3.tiny_masked(), Path({str(tmp_path)!r}), limit=2)
for name, module in list(sys.modules.items()):
    if name.split(".")[0] in ("headscope", "benchmarks") and getattr(module, "__file__", None):
        print(name, module.__file__)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [
        line.split() for line in done.stdout.splitlines() if line.startswith(("headscope", "benchmarks"))
    ]
    loaded = {Path(path) for name, path in lines if name not in TABLES}
    known = set(closure("benchmarks.figure3"))
    unknown = {path.stem for path in loaded - known}
    assert len(loaded) > 60 and unknown <= SHOWING
