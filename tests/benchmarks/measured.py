"""Measurements made by hand, for the tests of what is kept of them."""

from __future__ import annotations

from importlib.metadata import version
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
