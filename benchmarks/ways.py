"""Rows about adversaries, each beside what was published and what was hoped for."""

from __future__ import annotations

from benchmarks.rows import Row
from headscope.results.result import Result


def chunker_rows(result: Result, seconds: float) -> list[Row]:
    return []


def sst_rows(result: Result, seconds: float) -> list[Row]:
    return []


def encoder_rows(result: Result, seconds: float, quick: float) -> list[Row]:
    return []
