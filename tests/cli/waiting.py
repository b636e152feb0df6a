"""Waiting for a command that runs as a process of its own."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path


def wait_for_shards(run: Path, count: int, process: subprocess.Popen) -> None:
    """Until a survey has written so many shards."""
    end = time.monotonic() + 300
    while len(list(run.glob("shards/survey/[0-9]*"))) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "no shard was written"
        time.sleep(0.005)
