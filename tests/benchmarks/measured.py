"""Measurements made by hand, and commits, for the tests of what is kept of them."""

from __future__ import annotations

import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.kept import VERSIONS, Kept
from benchmarks.rows import at_most, told

MACHINE = {
    "commit": "0123456789ab",
    "date": "2026-01-02 03:04 UTC",
    "processor": "Fast, 2 cores",
    "memory": "8 GiB",
    "load before": "0.10",
    "python": "3.11.7",
    **{name: version(name) for name in VERSIONS},
}


def kept(**others: Any) -> Kept:
    """A small measurement, with some of it given."""
    rows = [told("text", "demo"), at_most("ours / theirs", 1.234, "x", 1.15, 1.5)]
    known = {"title": "Speed", "says": "Turns.", "complete": True, "minutes": 2.5, "machine": MACHINE}
    return Kept(**{**known, "code": "abc", "data": {}, "rows": rows, **others})


def git(root: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=Tests", "-c", "user.email=tests@localhost", *words]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()
