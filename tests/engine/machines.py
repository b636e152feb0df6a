"""A scheduler and nodes with a worker each, as processes of their own that can be killed.

They are forked from a process that has imported everything already, so that a killed worker is replaced in
a moment.
"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar
from unittest.mock import patch

import dask
import psutil
from distributed import Client, Scheduler, Worker

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        "headscope.engine.flight",
        "headscope.questions.survey.answer",
        "transformers.models.bert.modeling_bert",
        "tests.engine.machines",
        "tests.engine.cutters",
    ]
)
Answer = TypeVar("Answer")
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
PATIENCE = 300
"""Seconds to wait for what takes a moment, on a machine that is not too busy."""


class Machines:
    """A scheduler at an address, and named nodes."""

    def __init__(self, without_headscope: bool = False) -> None:
        self.address = f"tcp://127.0.0.1:{_free_port()}"
        self._scheduler = _process(_schedule, self.address, without_headscope)
        self.nodes: dict[str, multiprocessing.process.BaseProcess] = {}

    def start(self, name: str, *, without_headscope: bool = False) -> None:
        """A worker on a node that has none."""
        self.nodes[name] = _process(_work, self.address, name, without_headscope)

    def kill(self, name: str) -> None:
        """SIGKILL to the node's worker."""
        process = self.nodes.pop(name)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL

    def kill_scheduler(self) -> None:
        self._scheduler.kill()
        self._scheduler.join()

    def wait(self, workers: int) -> None:
        """Until so many workers are there."""
        with Client(self.address, timeout=f"{PATIENCE}s") as client:
            client.wait_for_workers(workers, timeout=PATIENCE)

    def close(self) -> None:
        for process in (*self.nodes.values(), self._scheduler):
            process.kill()
            process.join()


@contextmanager
def machines(*nodes: str, without_headscope: bool = False) -> Iterator[Machines]:
    """A cluster that is gone at the end; its scheduler may lack headscope."""
    made = Machines(without_headscope)
    try:
        for node in nodes:
            made.start(node)
        if nodes:
            made.wait(len(nodes))
        yield made
    finally:
        made.close()


@contextmanager
def killing(cluster: Machines, draw: random.Random, most: int, longest: float = 0.4) -> Iterator[list[float]]:
    """Inside the `with`, workers are killed at random moments and replaced; gives the moments so far."""
    over, kills, started = Event(), [], time.monotonic()

    def kill() -> None:
        while len(kills) < most and not over.wait(draw.uniform(0, longest)):
            node = draw.choice(sorted(cluster.nodes))
            cluster.kill(node)
            cluster.start(node)
            kills.append(time.monotonic() - started)

    thread = Thread(target=kill)
    thread.start()
    try:
        yield kills
    finally:
        over.set()
        thread.join()


@contextmanager
def reviving(cluster: Machines) -> Iterator[None]:
    """Inside the `with`, workers that die of themselves are replaced."""
    over = Event()

    def revive() -> None:
        last = False
        while not last:
            last = over.wait(0.05)
            for name in [name for name, process in cluster.nodes.items() if not process.is_alive()]:
                cluster.start(name)

    thread = Thread(target=revive)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def forking_workers() -> Iterator[None]:
    """Inside the `with`, Dask forks the workers that it starts here, as these tests do."""
    # Else Dask chooses what is imported beforehand.
    chosen = patch("distributed.utils._forkserver_preload_set", True)
    with chosen, dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


def forked() -> set[int]:
    """The ids of all processes that were forked so and run; not of those that ended and await a parent."""
    children = psutil.Process().children(recursive=True)
    own = {pid for pid, parent in answers(children, lambda child: (child.pid, child.ppid()))
           if parent == os.getpid()}  # fmt: skip
    return _running(children) - own


def left_over(before: set[int]) -> set[int]:
    """Those forked since then that still run when all patience is gone."""
    return _at_last(lambda: forked() - before)


def still_running(processes: Iterable[psutil.Process]) -> set[int]:
    """The ids of those that have not ended when all patience is gone."""
    return _at_last(lambda: _running(processes))


def _running(processes: Iterable[psutil.Process]) -> set[int]:
    states = answers(processes, lambda process: (process.pid, process.status()))
    return {pid for pid, state in states if state != psutil.STATUS_ZOMBIE}


def _at_last(ask: Callable[[], set[int]]) -> set[int]:
    """What is left when all patience is gone: on a busy machine, ending takes time."""
    end = time.monotonic() + PATIENCE
    while (left := ask()) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def answers(processes: Iterable[psutil.Process], ask: Callable[[psutil.Process], Answer]) -> list[Answer]:
    """What each process answers; one that has gone meanwhile, as a killed one may any time, is left out."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            found.append(ask(process))
    return found


def command_line(*arguments: object, told: Path) -> multiprocessing.process.BaseProcess:
    """`headscope ARGUMENTS` as a process; what it says of errors goes into a file."""
    return _process(_command, [str(one) for one in arguments], told)


def _process(target, *given: object) -> multiprocessing.process.BaseProcess:
    process = _FORKS.Process(target=target, args=given, daemon=True)
    process.start()
    return process


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _begin(without_headscope: bool = False, told: Path | str = os.devnull) -> None:
    """A child of these tests: gone with them, and silent."""
    if without_headscope:
        for module in [module for module in sys.modules if module.partition(".")[0] == "headscope"]:
            sys.modules[module] = None  # type: ignore[assignment]
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    with Path(told).open("a") as errors:
        os.dup2(errors.fileno(), 2)


def _schedule(address: str, without_headscope: bool) -> None:
    async def run() -> None:
        port = int(address.rpartition(":")[2])
        async with Scheduler(host="127.0.0.1", port=port, dashboard_address="127.0.0.1:0") as one:
            await one.finished()

    _begin(without_headscope)
    asyncio.run(run())


def _work(address: str, name: str, without_headscope: bool) -> None:
    async def run() -> None:
        options = {"nthreads": 1, "memory_limit": 0, "dashboard": False, "host": "127.0.0.1"}
        async with Worker(address, name=name, **options) as one:
            await one.finished()

    _begin(without_headscope)
    asyncio.run(run())


def _command(arguments: list[str], told: Path) -> None:
    from headscope.cli.main import run

    _begin(told=told)
    sys.argv = ["headscope", *arguments]
    run()
