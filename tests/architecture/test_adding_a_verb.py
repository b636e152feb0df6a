"""CONTRIBUTING's verb, built as it says in a copy of the house: help, run, resume, Python, picture."""

from __future__ import annotations

import json
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

STORY = """
import io, json, sys
from contextlib import redirect_stdout, suppress
import headscope
from headscope.cli.main import run

def command(*words):
    sys.argv, printed = ["headscope", *words], io.StringIO()
    with redirect_stdout(printed):
        run()
    return printed.getvalue()

def stop(segments, words):
    calls.append(words)
    if len(calls) > 1:
        raise KeyboardInterrupt

calls = []
told = {"help": command("reach", "--help"), "verbs": command("--help")}
how = ("--pieces", "16", "--shard-characters", "20")
told["run"] = command("reach", "bert", "text.txt", *how, "--out", "whole")
with suppress(KeyboardInterrupt):
    headscope.reach("bert", "text.txt", pieces=16, shard_characters=20, out="stopped", progress=stop)
    told["stopped"] = "never"
command("resume", "stopped", "--quiet")
command("report", "whole")
print(json.dumps(told))
"""
"""The verb is asked for help, run, stopped after its first shard, resumed, and reported."""


@pytest.fixture(scope="module")
def house(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with the verb in it, a model and a text."""
    place = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT, place / "headscope")
    for name, content in FILES.items():
        path = place / "headscope" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    table = place / "headscope/questions/__init__.py"
    text = table.read_text(encoding="utf-8")
    last = text.rindex("        Verb(")
    assert LINE is not None
    table.write_text(text[:last] + LINE[1] + text[last:], encoding="utf-8")
    (place / "bert").symlink_to(models / "bert")
    (place / "text.txt").write_text("The cat sat on the mat.\n\nIt was warm there, so it slept.\n")
    return place


@pytest.fixture(scope="module")
def told(house: Path) -> dict[str, str]:
    """What the commands of the story print."""
    done = subprocess.run(
        [sys.executable, "-c", STORY], cwd=house, env=os.environ | {"PYTHONPATH": str(house)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return printed


def test_it_is_small() -> None:
    lines = [line for content in FILES.values() for line in content.splitlines() if line.strip()]
    assert len(FILES) == 4
    assert 30 < len(lines) < MOST_LINES


def test_help(told: dict[str, str]) -> None:
    assert "How far, in pieces, each head looks." in told["help"] and "--pieces N" in told["help"]
    assert "How far does each head look?" in told["verbs"]


def test_run_and_resume(told: dict[str, str], house: Path) -> None:
    assert "How far each head looks: 8 rows" in told["run"] and "stopped" not in told
    assert "reach: mean distance" in (house / "whole/tables/reach/reach.tex").read_text(encoding="utf-8")
    assert (house / "whole/plots/reach.svg").is_file()
    tables = [pd.read_parquet(house / name / "tables/reach/reach.parquet") for name in ("whole", "stopped")]
    assert len(tables[0]) == 8 and tables[0]["reach"].gt(0).all()
    pd.testing.assert_frame_equal(*tables, check_exact=True)


def test_report(told: dict[str, str], house: Path) -> None:
    page = (house / "whole/report.html").read_text(encoding="utf-8")
    assert "How far does each head look?" in page and "How far each head looks, by layer" in page
