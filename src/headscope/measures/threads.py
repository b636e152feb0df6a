"""Compiled sums on the threads that torch uses."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import torch


def on_threads(work: Callable[[int, int], None], items: int) -> None:
    """Call work(start, stop) for parts of so many items, each on a thread of its own.

    The threads end with the call: a process that is forked later has none to wait for. What is compiled for
    them lets go of the interpreter's lock. Numba's own parallel loops are not used: what was just compiled
    and what is read from disk were seen to round differently there, as where sums are functions of their own.

    >>> parts = []
    >>> on_threads(lambda start, stop: parts.extend(range(start, stop)), 5)
    >>> sorted(parts)
    [0, 1, 2, 3, 4]
    """
    threads = min(torch.get_num_threads(), items)
    if threads < 2:
        work(0, items)
        return
    edges = [items * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, *part) for part in pairwise(edges)]:
            done.result()
