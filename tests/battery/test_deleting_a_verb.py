"""A verb is its folders, pages, lines and parts of the evidence: without them, all else stands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from headscope.questions import VERBS

ROOT = Path(__file__).parents[2]
VERB = "coref"
"""One that no other verb uses."""

FOLDERS = ("src", "tests", "docs", "benchmarks", "client", "examples")
LEFT = shutil.ignore_patterns("node_modules", VERB, f"{VERB}.md")
"""Compiled code is copied too, since its making takes longer than the tests."""

LINE = rf'^ +Verb\("{VERB}", .*\n|^.*(?:\b{VERB}\.md\)|headscope {VERB} ).*\n'
"""Its line in the table, and those that lead to its page or show its command."""

OTHER = "maps"
SAMPLE = (
    "(architecture and test_tables) or test_the_table_has_every_folder or test_a_question_has_its_files or "
    f"(test_verbs and {OTHER} and (test_json_holds_every_table or test_the_command_gives))"
)
COLLECTED = ("-o", "addopts=-vv --import-mode=importlib", "-m", "not slow", "tests")
"""Without examples in the source, which cost as much again."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of all that is committed, without the verb."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT)
    for path in (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"):
        shutil.copy(path, tmp_path)
    table = tmp_path / "src/headscope/questions/__init__.py"
    _delete_lines(LINE, [table, *tmp_path.glob("*.md"), *tmp_path.glob("*/*.md")])
    _delete_evidence(tmp_path)
    return tmp_path


def _delete_evidence(house: Path) -> None:
    """Delete what measures the verb, and what was measured."""
    lists = [house / "benchmarks/parts.py", house / "benchmarks/README.md"]
    for path in (house / "benchmarks").glob("*.py"):
        if f"headscope.questions.{VERB}." in path.read_text("utf-8"):
            path.unlink()
            (house / f"docs/evidence/measured/{path.stem}.json").unlink(missing_ok=True)
            _delete_lines(rf'^(?:    "{path.stem}",|\| `{path.stem}` \|.*)\n', lists)


def _delete_lines(line: str, files: Iterable[Path]) -> None:
    for path in files:
        path.write_text(re.sub(line, "", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")


def ran(house: Path, module: str, *words: str) -> str:
    """What a module prints in the house; it must end well."""
    told = [sys.executable, "-m", module, *words]
    environment = os.environ | {"PYTHONPATH": str(house / "src")}
    done = subprocess.run(told, cwd=house, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    return done.stdout


def pytest_in(house: Path, *words: str) -> str:
    return ran(house, "pytest", "-p", "no:cacheprovider", "-n", "0", "--tb=short", *words)


def test_everything_else_stands(house: Path) -> None:
    """All tests are collected, and a few of them run."""
    printed = pytest_in(house, *COLLECTED, "-k", SAMPLE)
    for name in VERBS:
        passed = f"test_the_function_of_a_verb_has_its_options[{name}] PASSED"
        assert (passed in printed) == (name != VERB)
    assert f"test_json_holds_every_table[{OTHER}] PASSED" in printed


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_every_other_test_passes(house: Path) -> None:
    ran(house, "docs.writing")
    ran(house, "benchmarks.evidence", "--page")
    pytest_in(house, "-k", "not test_deleting_a_verb")
