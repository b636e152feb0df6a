"""Help comes at once, and what needs no model does not wait for the libraries that run one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from headscope.cli.main import COMMANDS
from headscope.questions import VERBS
from headscope.questions.groups import Dtype
from tests.cli.conftest import ENVIRONMENT, child

HEAVY = ("torch", "transformers")
SLOW = (
    *HEAVY, "numpy", "pandas", "pyarrow", "xarray", "zarr", "scipy", "matplotlib", "numba", "rich", "fastapi",
    "distributed",
)  # fmt: skip
"""Libraries of which each takes a tenth of a second or more to import."""

LIGHT = """
import json, sys
from headscope.cli.main import run
told, modules = [], sys.argv[1].split()
for arguments in json.loads(sys.argv[2]):
    sys.argv, code = ["headscope", *arguments], 0
    try:
        run()
    except SystemExit as end:
        code = end.code
    told.append([arguments, code, [name for name in modules if name in sys.modules]])
print()
print(json.dumps(told))
"""


def test_help_waits_for_no_library(tmp_path: Path) -> None:
    """All help in one process: what one command's help imports would be seen from there on."""
    cases = [["--help"], *([name, "--help"] for name in (*VERBS, *COMMANDS))]
    told, errors = told_of(cases, SLOW, tmp_path)
    assert told == [[words, 0, []] for words in cases] and errors == ""


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
    told, errors = told_of(cases, HEAVY, tmp_path)
    assert told == [[words, 2, []] for words in cases]
    assert "unknown verb 'synntax'; did you mean 'syntax'?" in errors


def test_an_unreadable_text_is_told_before_a_model_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "binary.txt").write_bytes(b"ab\0cd")
    (tmp_path / "late.txt").write_bytes(b"A good line.\n" * 500 + b"\xff bad\n")
    (tmp_path / "table.csv").write_text("a,b\nx,y\n")
    names = ["missing.txt", "empty.txt", "binary.txt", "late.txt", "table.csv"]
    cases = [["survey", "no-such-model", name, "--quiet"] for name in names]
    told, errors = told_of(cases, HEAVY, tmp_path)
    assert told == [[words, 2, []] for words in cases]
    assert "late.txt:501: byte 0xff" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def test_threads_that_wait_leave_the_processor_to_others(tmp_path: Path) -> None:
    """Told by the library that has the threads: the command sets it before this library is loaded."""
    environment = {**ENVIRONMENT, "OMP_DISPLAY_ENV": "TRUE"}
    environment.pop("OMP_WAIT_POLICY", None)
    done = subprocess.run(
        child("info", "default"), capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
    )
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in done.stderr


def told_of(cases: list[list[str]], modules: Sequence[str], folder: Path) -> tuple[list[list], str]:
    """For each command: itself, its exit code, which modules are imported then; and all error messages."""
    arguments = [sys.executable, "-c", LIGHT, " ".join(modules), json.dumps(cases)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=folder, env=ENVIRONMENT)
    assert "Traceback" not in done.stderr
    *printed, last = done.stdout.splitlines()
    told = json.loads(last)
    assert not any(printed) or any(code == 0 for _, code, _ in told), "mistakes print errors alone"
    return told, done.stderr


def test_the_precisions_offered_are_those_the_loader_knows() -> None:
    from headscope.models.load import DTYPES

    assert set(get_args(Dtype)) == set(DTYPES)
