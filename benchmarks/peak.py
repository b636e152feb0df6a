"""Peak memory of a job, in a process of its own so that nothing before it counts."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

import psutil

Found = TypeVar("Found")

_EVERY = 0.002
"""Seconds between two looks at the memory."""

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
    """Bytes of resident memory that a job adds at its highest, looked at all the time while it runs."""
    gc.collect()
    process = psutil.Process()
    before = highest = int(process.memory_info().rss)
    done = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(_EVERY):
            highest = max(highest, process.memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        job()
    finally:
        done.set()
        watcher.join()
    return max(highest, int(process.memory_info().rss)) - before
