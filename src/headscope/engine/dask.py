"""Starting workers on this machine, or joining those of a cluster that runs already."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from headscope.errors import OptionError

if TYPE_CHECKING:
    from distributed import Client

    from headscope.engine.flight import Cluster

LOCAL = "local"
HERE = "127.0.0.1"
"""Where a cluster of this machine's own listens; who else works on this machine has not its keys."""
PATIENCE = "20s"
"""How long a scheduler may take to answer."""

# The nanny's own choice of thresholds gives memory back so eagerly that torch takes nearly twice the time.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(4 * 2**30),
    "MALLOC_MMAP_THRESHOLD_": str(2**30),
}


@contextmanager
def cluster(address: str = LOCAL, workers: int | None = None) -> Iterator[Cluster]:
    """A runner on a cluster of this machine's own, or on the one whose scheduler has that address."""
    try:
        import dask
        import distributed  # noqa: F401 - only to word the error

        if address == LOCAL:
            import cryptography  # noqa: F401 - for the keys of its own
    except ImportError:
        raise OptionError("--engine dask needs Dask; run pip install 'headscope[cluster]'") from None
    from headscope.engine.flight import Cluster

    # Each end keeps its last messages, and so the shards in them: a thousand, if it is not told otherwise.
    settings = {"distributed.admin.low-level-log-length": 10}
    with (
        _quiet(),
        dask.config.set(settings),
        _started(workers) if address == LOCAL else _joined(address) as client,
    ):
        runner = Cluster(client)
        try:
            yield runner
        finally:
            runner.leave()


def _joined(address: str) -> Client:
    from distributed import Client

    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise OptionError(f"no Dask scheduler answers at {address}: {error}") from error


@contextmanager
def _started(workers: int | None) -> Iterator[Client]:
    import dask
    from distributed import Client, LocalCluster

    settings = {"distributed.nanny.pre-spawn-environ": _ENVIRONMENT}
    with dask.config.set(settings), _own_environment():
        with _undisturbed():
            # Memory is the system's business: a worker that Dask stops at a share of it would wait for ever.
            started = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, memory_limit=0,
                host=HERE, dashboard_address=f"{HERE}:0", security=True, silence_logs=logging.CRITICAL,
            )  # fmt: skip
        try:
            with Client(started) as client:
                yield client
        finally:
            # On a busy machine, killed workers may be gone only later: that spoils nothing.
            with suppress(TimeoutError):
                started.close()


@contextmanager
def _own_environment() -> Iterator[None]:
    """What Dask sets for workers to inherit is not left to other processes."""
    before = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        yield
    finally:
        for name in _ENVIRONMENT:
            os.environ.pop(name, None)
        os.environ.update(before)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Processes that start inside, or from threads that do, never see Ctrl-C: it is for the driver alone.

    It waits until the end of the `with`, so that no half-started worker is left.
    """
    # Its own start would let signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask tells of every lost connection; what matters of it comes as an error."""
    # Dask gives some of its loggers levels and handlers of their own; asyncio tells what nobody waits for.
    loud = ("distributed", "asyncio")
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in loud]
    before = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in before:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)
