"""Jobs in a process of its own, asked for line by line, each with its time and its memory (Linux).

It imports nothing of headscope, so that it also runs in environments that hold another tool alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from time import process_time
from typing import Any

import torch

from benchmarks.peak import peak_from_now


def serve(jobs: Mapping[str, Callable[..., Any]]) -> None:
    """Do with one thread what each line of the input asks, and answer with a line, until the input ends.

    A line is JSON with the name of the `job` and what it is given; so is the answer, with `seconds` on the
    processor, the `peak` of memory above that before the job in bytes, and what the job has `told`. The job
    `version` tells that of a package. What jobs print goes to the standard error.
    """
    torch.set_num_threads(1)
    answers, sys.stdout = sys.stdout, sys.stderr
    known = {"version": version, **jobs}
    for line in sys.stdin:
        asked = json.loads(line)
        job, given = known[asked["job"]], asked["given"]
        peak, started = peak_from_now(), process_time()
        told = job(**given)
        answer = {"seconds": process_time() - started, "peak": peak(), "told": told}
        print(json.dumps(answer), file=answers, flush=True)
