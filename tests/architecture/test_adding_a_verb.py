"""CONTRIBUTING's verb, built as it says in a copy of the house: help, run, resume, Python, picture."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.architecture.source import ROOT

PAGE = (ROOT.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (questions/reach/\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
LINE = re.search(r"```text\n( +Verb\(.*\),\n)```", PAGE)
MOST_LINES = 66

STOPPED = """
import os, headscope
headscope.reach("default", "text.txt", pieces=16, out="stopped", progress=lambda segments, words: os._exit(9))
"""
"""A call that dies in the middle of its first shard."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with the verb in it, and a text."""
    place = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT, place / "headscope", ignore=shutil.ignore_patterns("__pycache__"))
    for name, content in FILES.items():
        path = place / "headscope" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    table = place / "headscope/questions/__init__.py"
    text = table.read_text(encoding="utf-8")
    last = text.rindex("        Verb(")
    assert LINE is not None
    table.write_text(text[:last] + LINE[1] + text[last:], encoding="utf-8")
    (place / "text.txt").write_text("The cat sat on the mat.\n\nIt was warm there, so it slept.\n")
    return place


def run(house: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=house, env=os.environ | {"PYTHONPATH": str(house)}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip


def headscope(house: Path, *words: str) -> str:
    done = run(house, "-m", "headscope.cli.main", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_small() -> None:
    lines = [line for content in FILES.values() for line in content.splitlines() if line.strip()]
    assert len(FILES) == 4
    assert 30 < len(lines) < MOST_LINES


def test_help(house: Path) -> None:
    told = headscope(house, "reach", "--help")
    assert "How far, in pieces, each head looks." in told and "--pieces N" in told
    assert "How far does each head look?" in headscope(house, "--help")


def test_run_and_resume(house: Path) -> None:
    words = ("default", "text.txt", "--pieces", "16", "--out", "whole")
    assert "How far each head looks: 72 rows" in headscope(house, "reach", *words)
    assert "reach: mean distance" in (house / "whole/tables/reach/reach.tex").read_text(encoding="utf-8")
    assert (house / "whole/plots/reach.svg").is_file()
    assert run(house, "-c", STOPPED).returncode == 9
    headscope(house, "resume", "stopped", "--quiet")
    tables = [pd.read_parquet(house / name / "tables/reach/reach.parquet") for name in ("whole", "stopped")]
    assert len(tables[0]) == 72 and tables[0]["reach"].gt(0).all()
    pd.testing.assert_frame_equal(*tables, check_exact=True)


def test_report(house: Path) -> None:
    headscope(house, "report", "whole")
    page = (house / "whole/report.html").read_text(encoding="utf-8")
    assert "How far does each head look?" in page and "How far each head looks, by layer" in page
