"""Peak memory of a job, in a process of its own so that nothing before it counts (Linux)."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

Found = TypeVar("Found")

# Large blocks go back to the system as soon as they are freed: what is measured is what is in use, not
# what the C library keeps for later, which differs from run to run.
_GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": str(2**20), "MALLOC_TRIM_THRESHOLD_": str(2**20)}


THIS = Path("/proc/self")
"""This process in the kernel's account."""


def alone(job: Callable[..., Found], *given: Any) -> Found:
    """What a job returns when a fresh process runs it."""
    before = dict(os.environ)
    os.environ.update(_GIVE_BACK)
    try:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            return pool.submit(job, *given).result()
    finally:
        os.environ.clear()
        os.environ.update(before)


def peak_above_now(job: Callable[[], object]) -> int:
    """Bytes of resident memory that a job adds at its highest, as the kernel counts them."""
    return peaks_above_now(job, [THIS])[0]


def peaks_above_now(job: Callable[[], object], processes: Sequence[Path]) -> list[int]:
    """The same for each of some processes, by their places in the kernel's account."""
    peaks = [peak_from_now(process) for process in processes]
    job()
    return [peak() for peak in peaks]


def peak_from_now(process: Path = THIS) -> Callable[[], int]:
    """To be asked later, also more than once: bytes above those of now, at the highest till then."""
    gc.collect()
    before = _status(process, "VmRSS")
    (process / "clear_refs").write_text("5")  # starts the high-water mark again
    return lambda: _status(process, "VmHWM") - before


def largest_child() -> Path:
    """The process that this one has started and that has the most memory."""
    tasks = (THIS / "task").glob("*/children")
    started = [Path("/proc") / child for task in tasks for child in task.read_text().split()]
    return max(started, key=lambda process: _status(process, "VmRSS"))


def _status(process: Path, name: str) -> int:
    """A size in bytes from the kernel's account of a process."""
    lines = (process / "status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))
