"""Times of jobs that take turns, and what they make of each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import torch

Clock = Callable[[], float]


def clock_for(threads: int) -> Clock:
    """Where one thread computes, its time on the processor, which other processes do not count into."""
    return process_time if threads == 1 else perf_counter


def worded(threads: int) -> str:
    """How times are taken, for the reader of a table.

    >>> worded(1), worded(2)
    ('1 thread, processor time', '2 threads')
    """
    return "1 thread, processor time" if threads == 1 else f"{threads} threads"


@contextmanager
def computing_with(threads: int) -> Iterator[None]:
    """So many threads for torch, and for what is compiled, inside; as before after it."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def counted(place: Path, name: str) -> Iterator[None]:
    """Add the processor time of what is inside to what earlier tries took, also where it is stopped."""
    before, file = process_time(), place / f"{name}.json"
    try:
        yield
    finally:
        file.write_text(json.dumps(seconds_of(place, name) + process_time() - before))


def seconds_of(place: Path, name: str) -> float:
    """Processor time so far."""
    file = place / f"{name}.json"
    return float(json.loads(file.read_text())) if file.exists() else 0.0


def timed(job: Callable[[], object], clock: Clock = perf_counter) -> float:
    """Seconds that a job takes."""
    started = clock()
    job()
    return clock() - started


def interleaved(
    jobs: dict[str, Callable[[], object]], repeats: int, clock: Clock = perf_counter
) -> dict[str, list[float]]:
    """Times of each job, the jobs taking turns, after one turn that warms them up."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(timed(job, clock))
    return times


def ratio(ours: Sequence[float], plain: Sequence[float]) -> float:
    """Median over turns of the ratio within a turn, so that a slow stretch of the machine hits both.

    >>> ratio([2.0, 9.0, 3.0], [1.0, 3.0, 3.0])
    2.0
    """
    return median(one / other for one, other in zip(ours, plain, strict=True))


def spread(times: Sequence[float]) -> str:
    """Smallest to largest, relative to the median.

    >>> spread([0.9, 1.0, 1.2])
    '-10 % to +20 %'
    """
    middle = median(times)
    return f"{100 * (min(times) / middle - 1):+.0f} % to {100 * (max(times) / middle - 1):+.0f} %"
