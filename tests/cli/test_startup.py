"""Help comes at once, and what needs no model does not wait for the libraries that run one."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from headscope.cli.main import COMMANDS
from headscope.questions import VERBS
from headscope.questions.groups import Dtype
from tests.cli.conftest import ENVIRONMENT, child

# Where tests run beside each other on the threads of one core, even seconds of CPU are longer.
SECONDS = 0.75 if "PYTEST_XDIST_WORKER" in os.environ else 0.5
TRIES = 10

LIGHT = """
import json, sys
from headscope.cli.main import run
told, module = [], sys.argv[1]
for arguments in json.loads(sys.argv[2]):
    sys.argv = ["headscope", *arguments]
    try:
        run()
    except SystemExit as end:
        told.append([arguments, end.code, module in sys.modules])
    else:
        told.append([arguments, 0, module in sys.modules])
print(json.dumps(told))
"""


@pytest.mark.parametrize("verb", ["", *VERBS, *COMMANDS])
def test_help_answers_in_half_a_second(verb: str) -> None:
    arguments = child(*verb.split(), "--help")
    best = float("inf")
    for _ in range(TRIES):
        before = seconds_of_children()
        done = subprocess.run(arguments, capture_output=True, text=True, check=True, env=ENVIRONMENT)
        best = min(best, seconds_of_children() - before)
        if best < SECONDS:
            break
    assert f"Usage: headscope {verb}".strip() in done.stdout
    assert done.stderr == ""
    assert best < SECONDS


def test_wrong_arguments_are_told_before_torch_is_imported(tmp_path: Path) -> None:
    options = [
        ["--layers", "x"], ["--heads", "2-1"], ["--dtype", "float7"], ["--pieces", "0"], ["--pieces", "many"],
        ["--batch-size", "0"], ["--limit", "0"], ["--rows", "0"], ["--masking", "2"], ["--unknown"],
    ]  # fmt: skip
    cases = [["survey", "default", "missing.txt", *given] for given in options]
    cases += [
        ["survey", "default"],
        ["maps", "default", " "],
        ["maps", "default", "a", "--generate", "-1"],
    ]
    cases += [
        ["maps", "default", "a", "--heads", "x"],
        ["compare", "one"],
        ["compare", "one", "two"],
        ["synntax"],
        ["resume"],
        ["report", "a", "b"],
        ["serve", "--port", "x"],
    ]
    told, errors = told_of(cases, "torch", tmp_path)
    assert told == [[arguments, 2, False] for arguments in cases]
    assert "unknown verb 'synntax'; did you mean 'syntax'?" in errors


def test_an_unreadable_text_is_told_before_a_model_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "binary.txt").write_bytes(b"ab\0cd")
    (tmp_path / "late.txt").write_bytes(b"A good line.\n" * 500 + b"\xff bad\n")
    (tmp_path / "table.csv").write_text("a,b\nx,y\n")
    names = ["missing.txt", "empty.txt", "binary.txt", "late.txt", "table.csv"]
    cases = [["survey", "no-such-model", name, "--quiet"] for name in names]
    told, errors = told_of(cases, "torch", tmp_path)
    assert told == [[arguments, 2, False] for arguments in cases]
    assert "late.txt:501: byte 0xff" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def seconds_of_children() -> float:
    """How long the processes started here have computed; a clock would also measure their neighbours."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def told_of(cases: list[list[str]], module: str, folder: Path) -> tuple[list[list], str]:
    """For each command: itself, its exit code, whether the module is imported; and all error messages."""
    arguments = [sys.executable, "-c", LIGHT, module, json.dumps(cases)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=folder, env=ENVIRONMENT)
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout), done.stderr


def test_the_precisions_offered_are_those_the_loader_knows() -> None:
    from headscope.models.load import DTYPES

    assert set(get_args(Dtype)) == set(DTYPES)
