"""Peak memory of a job, in a process of its own so that nothing before it counts (Linux)."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

Found = TypeVar("Found")

# Large blocks go back to the system as soon as they are freed: what is measured is what is in use, not
# what the C library keeps for later, which differs from run to run.
_GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": str(2**20), "MALLOC_TRIM_THRESHOLD_": str(2**20)}


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
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # starts the high-water mark again
    before = _status("VmRSS")
    job()
    return _status("VmHWM") - before


def _status(name: str) -> int:
    """A size in bytes from the kernel's account of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))
