"""Shards on the workers of a Dask cluster, which hold the model.

A worker returns a shard's state and keeps nothing, so a killed worker costs the shard it was at, which
another one runs again; states are written by the driver alone, each once.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice

from distributed import Client, Future, KilledWorker, as_completed
from distributed.client import ClosedClientError, FutureCancelledError

from headscope.engine.crew import Crew, Unprepared, forget, left_behind, work_on
from headscope.engine.shards import Shard
from headscope.engine.work import Plan
from headscope.errors import RunError
from headscope.results.shards import ShardState
from headscope.text.batches import Progress

AHEAD = 3
"""Shards in flight for each worker: one at work, one waiting there, one on its way."""

SPREAD = 12
"""How far for each worker the youngest shard may be ahead of the oldest, for which the others wait."""

TRIES = 40
"""How often one shard may lose its worker before it is taken for the cause."""

_PAUSE = 0.2
_LOST = "scheduler-connection-lost"


class Cluster:
    """A runner on a Dask cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client
        with _explained():
            crews = client.run_on_scheduler(left_behind)
        for crew in crews:
            # A worker may die while it is told, or another driver be first: both spoil nothing.
            with suppress(OSError, ValueError):
                client.unregister_worker_plugin(crew)

    @property
    def workers(self) -> int:
        """How many there are just now."""
        with _explained():
            return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def states(
        self, plan: Plan, shards: Iterable[Shard], progress: Progress | None = None
    ) -> Generator[tuple[int, ShardState], None, None]:
        """The number and state of each shard, in the order in which they are done."""
        waiting = iter(shards)
        with self._crew(plan) as crew:
            flight = _Flight(self._client, crew)
            while True:
                for shard in islice(waiting, flight.room(max(self.workers, 1))):
                    flight.launch(shard)
                if flight.empty:
                    return
                number, state = flight.next()
                if progress is not None:
                    progress(state[1]["segments"], state[1]["words"])
                yield number, state

    def leave(self) -> None:
        """Take nothing of the workers' memory any longer."""
        if self._client.status == "running":
            with suppress(Exception):
                self._client.run(forget, on_error="ignore")

    @contextmanager
    def _crew(self, plan: Plan) -> Iterator[str]:
        """Every worker, also one that comes later, holds the plan inside the `with`."""
        crew = Crew(plan, self._client.id)
        self._send(crew)
        try:
            yield crew.name
        finally:
            # A worker or the scheduler may be gone, and with it what was to be forgotten.
            if self._client.status == "running":
                with suppress(Exception):
                    self._client.unregister_worker_plugin(crew.name)

    def _send(self, crew: Crew) -> None:
        """Tell all workers; one that dies meanwhile fails the call, so the others are told again."""
        for _ in range(TRIES):
            try:
                self._client.register_plugin(crew, name=crew.name)
                return
            except (TypeError, AttributeError) as error:
                raise RunError(f"what is to be done cannot be sent to workers: {error}") from error
            except Exception as error:
                failure = error
            # An error that the scheduler cannot read itself comes as its text.
            if "ModuleNotFoundError" in repr(failure):
                raise RunError(
                    f"a worker of the cluster lacks what headscope needs ({failure}); install the same "
                    "environment on every machine"
                ) from failure
            if self._client.status != "running":
                break
            time.sleep(_PAUSE)
        raise _went_away() from failure


class _Flight:
    """Shards on their way, few for each worker and none far ahead of the oldest."""

    def __init__(self, client: Client, crew: str) -> None:
        self._client, self._crew = client, crew
        self._landing = as_completed(loop=client.loop)
        self._flying: dict[Future, tuple[int, Shard]] = {}
        self._launched = 0
        self._losses: dict[int, int] = {}

    @property
    def empty(self) -> bool:
        return not self._flying

    def room(self, workers: int) -> int:
        """How many more may be launched."""
        oldest = min((place for place, _ in self._flying.values()), default=self._launched)
        spread = SPREAD * workers - (self._launched - oldest)
        return max(0, min(AHEAD * workers - len(self._flying), spread))

    def launch(self, shard: Shard) -> None:
        self._send(self._launched, shard)
        self._launched += 1

    def next(self) -> tuple[int, ShardState]:
        """The next shard that is done; one that is lost with its worker is sent again."""
        while True:
            future = next(self._landing)
            place, shard = self._flying.pop(future)
            try:
                with _explained():
                    return shard.number, future.result()
            except KilledWorker as error:
                # Dask has sent it to several workers before it gave up.
                self._lose(shard, error.allowed_failures + 1)
            except (FutureCancelledError, Unprepared):
                self._lose(shard, 1)
            self._send(place, shard)

    def _send(self, place: int, shard: Shard) -> None:
        with _explained():
            future = self._client.submit(work_on, self._crew, shard, pure=False)
        self._flying[future] = place, shard
        self._landing.add(future)

    def _lose(self, shard: Shard, times: int) -> None:
        lost = self._losses[shard.number] = self._losses.get(shard.number, 0) + times
        if lost >= TRIES:
            raise RunError(
                f"shard {shard.number} lost its worker {lost} times; the text from document "
                f"'{shard.documents[0].id}' on may need more memory than a worker has: give workers more, "
                "or use a smaller --batch-size"
            )


@contextmanager
def _explained() -> Iterator[None]:
    """Word the errors of a cluster that is gone; those of a shard come as they are."""
    try:
        yield
    except FutureCancelledError as error:
        if error.reason != _LOST:
            raise
        raise _went_away() from error
    except (OSError, ClosedClientError) as error:
        raise _went_away() from error
    except (ImportError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "deserialization" not in str(error):
            raise
        raise RunError(
            "the scheduler cannot read what it is sent: it needs the same environment as this machine, with "
            f"headscope in it ({error.__cause__ or error})"
        ) from error


def _went_away() -> RunError:
    return RunError(
        "the scheduler of the cluster no longer answers; finished shards are kept: start a cluster again and "
        "repeat the same command, or give its address to headscope resume RUN --engine"
    )
