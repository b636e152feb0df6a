"""Ours and others in turns, where each job tells the seconds on the processor that it took."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

from benchmarks.timing import timed

Seconds = Callable[[], float]


def ours(job: Callable[..., object], *given: object) -> Seconds:
    """A job of this process."""
    return lambda: timed(partial(job, *given), process_time)


def in_turns(jobs: dict[str, Seconds], repeats: int) -> dict[str, list[float]]:
    """Seconds of each job by turn; jobs are warm already, and of several turns the median counts."""
    turns = [{name: job() for name, job in jobs.items()} for _ in range(repeats)]
    return {name: [turn[name] for turn in turns] for name in jobs}
