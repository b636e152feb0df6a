"""Where a question's shards run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from headscope.cli.shell import LOCAL
from headscope.errors import HeadscopeError, OptionError

if TYPE_CHECKING:
    from headscope.engine.flight import Cluster

DASK = "dask"
_ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://.+:\d+")
_SECONDS = 5.0
"""How often it is looked whether there are workers."""


@contextmanager
def engine_of(engine: str, workers: int | None) -> Iterator[None]:
    """Inside the `with`, shards run where it was asked."""
    if engine == LOCAL:
        if workers is not None:
            raise OptionError("--workers is for --engine dask")
        yield
        return
    if engine != DASK and not _ADDRESS.fullmatch(engine):
        raise OptionError(f"--engine '{engine}': write local, dask, or an address such as tcp://node1:8786")
    if engine != DASK and workers is not None:
        raise OptionError(f"--workers is for workers that are started here; {engine} has its own")
    from headscope.engine.dask import cluster

    with cluster(LOCAL if engine == DASK else engine, workers) as runner:
        # After Dask was found, since it takes seconds.
        from headscope.engine.running import running_on

        with _watched(engine, runner), running_on(runner):
            yield


@contextmanager
def _watched(engine: str, runner: Cluster) -> Iterator[None]:
    """Inside the `with`, it is told when there is no worker."""
    over = Event()

    def watch() -> None:
        had_one = True
        # A scheduler that is gone is told of by what waits for it.
        with suppress(HeadscopeError):
            while not over.is_set():
                has_one = runner.workers > 0
                if had_one and not has_one:
                    print(f"headscope: {engine} has no worker; waiting for one", file=sys.stderr)
                had_one = has_one
                over.wait(_SECONDS)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        # It may be asking a scheduler that is gone.
        watcher.join(1.0)
