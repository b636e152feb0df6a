"""Command lines run by the forking server, and what they leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.cli.conftest import ENVIRONMENT, SOURCE
from tests.faults.server import READY

ROOT = Path(__file__).parents[2]
SMALL_SHARDS = ("--shard-characters", "600")
EVERY = 2
"""After how many shards one state takes their place."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: a negative code is the signal that killed it."""

    code: int
    said: str
    points: list[str]


class Commands:
    """The server, started once; `with` ends it."""

    def __init__(self, model: Path, text: Path) -> None:
        environment = {
            **ENVIRONMENT, "PYTHONPATH": f"{SOURCE}{os.pathsep}{ROOT}", "NUMBA_NUM_THREADS": "1",
            "NUMBA_THREADING_LAYER": "workqueue",  # the others cannot be forked
        }  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.server", str(model), str(text)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT,
        )  # fmt: skip
        assert self._said() == READY

    def run(self, words: Sequence[object], folder: Path, **what: Any) -> Ended:
        """Run `headscope WORDS`; its points are those below `folder`.

        what: nothing, `kill_after` so many seconds, or what happens at a point (see `tests.faults.points`):
        `kill_at`, `fill_at` or `copies`.
        """
        asked = {
            "words": [str(word) for word in words], "folder": str(folder), "every": EVERY, **what,
        }  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._said()))

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._process.communicate()


def left(run: Path) -> dict[str, Any]:
    """Everything in a run folder, bit for bit, without times and machine."""
    found: dict[str, Any] = {
        path.relative_to(run).as_posix(): path.read_bytes() if path.is_file() else None
        for path in run.rglob("*")
    }
    if "run.json" in found:
        found["run.json"] = json.loads(found["run.json"])
        for entry in found["run.json"]["verbs"].values():
            del entry["started"], entry["ended"]
            entry["asked"].pop("provenance", None)
    return found
