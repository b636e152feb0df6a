"""The command line run in this process, and texts of any length."""

from __future__ import annotations

import io
import os
import random
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import headscope
from headscope.cli.main import run
from tests.threads import one_thread  # noqa: F401

WORDS = ("the", "old", "lighthouse", "keeper", "sleep", "every", "night", "a", "ship", "he", "wrote")
SOURCE = str(Path(headscope.__file__).parents[1])
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCE, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
FAST = ("--pieces", "32", "--no-gradients", "--no-distances", "--no-plots")


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def command(*arguments: object, cwd: Path | None = None) -> Outcome:
    """Run `headscope ARGUMENTS` in this process, in a folder."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["headscope", *map(str, arguments)]
    with patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err), chdir(cwd or "."):
        try:
            run()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return Outcome(code, out.getvalue(), err.getvalue())


def child(*arguments: object) -> list[str]:
    """`headscope ARGUMENTS` as a process of its own; give it `ENVIRONMENT`."""
    return [sys.executable, "-m", "headscope.cli.main", *map(str, arguments)]


def written(documents: int, seed: int = 0) -> str:
    """A text of so many documents, of two to four sentences each, parted by blank lines."""
    draw = random.Random(seed)

    def sentence() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(4, 12))).capitalize() + "."

    return "\n\n".join("\n".join(sentence() for _ in range(draw.randint(2, 4))) for _ in range(documents))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
