"""A process that has everything imported and forks a child for each command line, so that many are quick."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any, BinaryIO

from headscope.cli.main import run
from headscope.engine import folding
from tests.faults.points import Points, copy_into, fill_at, kill_at, pass_on

READY = "ready"


def main(model: str, text: str) -> None:
    """Commands come as lines of JSON; each is answered by a line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        # Once through everything, so that no child imports or compiles.
        options = ["--limit", "2", "--pieces", "16", "--no-plots", "--quiet"]
        _run(["survey", model, text, *options, "--out", f"{folder}/run"])
    print(READY, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as points:
        child = os.fork()
        if child == 0:
            _be_child(asked, said, points)
        status = _wait(child, asked.get("kill_after"))
        for file in (said, points):
            file.seek(0)
        return {
            "code": os.waitstatus_to_exitcode(status),
            "said": said.read().decode(),
            "points": points.read().decode().splitlines(),
        }


def _wait(child: int, seconds: float | None) -> int:
    """The status with which a child ends, killed after so many seconds."""
    end = None if seconds is None else monotonic() + seconds
    while True:
        ended, status = os.waitpid(child, 0 if end is None else os.WNOHANG)
        if ended:
            return status
        if end is not None and monotonic() > end:
            os.kill(child, signal.SIGKILL)
            end = None
        sleep(0.001)


def _be_child(asked: dict[str, Any], said: BinaryIO, told: BinaryIO) -> None:
    for descriptor in (1, 2):
        os.dup2(said.fileno(), descriptor)
    folding.EVERY = asked["every"]
    points = Points(Path(asked["folder"]), _then(asked))
    code = _run(asked["words"])
    told.write("\n".join(points.seen).encode())
    told.flush()
    sys.stderr.flush()
    os._exit(code)


def _then(asked: dict[str, Any]) -> Callable[[Points], None]:
    kinds = {
        "kill_at": kill_at,
        "copies": lambda place: copy_into(Path(place)),
        "fill_at": lambda given: fill_at(given[0], Path(given[1])),
    }
    for kind, make in kinds.items():
        if kind in asked:
            return make(asked[kind])
    return pass_on


def _run(words: list[str]) -> int:
    sys.argv = ["headscope", *words]
    try:
        run()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


if __name__ == "__main__":
    main(*sys.argv[1:])
