"""A verb is its folders, its page and a line in the table: without them, all else stands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headscope.questions import VERBS

ROOT = Path(__file__).parents[2]
VERB = "coref"
"""One that no other verb uses."""

SAMPLE = [
    "tests/architecture/test_tables.py",
    "tests/battery/test_help.py",
    "tests/battery/test_mistakes.py::test_an_unknown_option",
    "tests/battery/test_verbs.py::test_the_command_gives_what_the_library_gives[finetune]",
    "tests/battery/test_verbs.py::test_json_holds_every_table[finetune]",
    "tests/battery/test_verbs.py::test_what_has_finished_is_read[finetune]",
]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of source, tests and pages without the verb."""
    for name in ("src", "tests", "docs", "benchmarks"):
        # Compiled code is copied too, since its making takes longer than the tests.
        ignored = shutil.ignore_patterns("references", VERB, f"{VERB}.md")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    table = tmp_path / "src/headscope/questions/__init__.py"
    text, removed = re.subn(rf'^ +Verb\("{VERB}", .*\),\n', "", table.read_text("utf-8"), flags=re.MULTILINE)
    assert removed == 1
    table.write_text(text, "utf-8")
    return tmp_path


def test_everything_else_stands(house: Path) -> None:
    told = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "-vv", "--tb=short", *SAMPLE]
    done = subprocess.run(
        told, cwd=house, env=os.environ | {"PYTHONPATH": str(house / "src")}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-5000:]
    for name in VERBS:
        asked = f"tests/battery/test_mistakes.py::test_an_unknown_option[{name}] PASSED"
        assert (asked in done.stdout) == (name != VERB)
    assert VERB not in {path.name for path in (house / "src/headscope/questions").iterdir()}
