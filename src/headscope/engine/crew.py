"""What a worker of a cluster holds: the plan, with the model loaded once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple
from uuid import uuid4

import torch
from distributed import WorkerPlugin, get_worker

from headscope.engine.shards import Shard
from headscope.engine.states import to_state
from headscope.engine.work import Plan, run_shard
from headscope.errors import HeadscopeError, RunError
from headscope.models import Model, load
from headscope.models.devices import device_here
from headscope.models.fingerprint import Fingerprints
from headscope.models.model import Recipe
from headscope.models.twin import random_twin
from headscope.results.provenance import computing
from headscope.results.shards import ShardState

_turn = Lock()
"""A model with listeners attached runs one shard at a time, also on a worker with several threads."""
_OURS = "headscope:"
"""Stands in the names of our crews before that of their client."""
_DIFFERS = ("other weights", "another configuration", "another tokenizer")


class Unprepared(Exception):
    """A worker was given a shard before its crew's plan had come; another try will find it."""


class Crew(WorkerPlugin):  # type: ignore[misc]
    """Carries a plan to every worker, also to those that come later; the first shard there loads the model.

    A model with a recipe is made by it on every worker; others travel whole.
    """

    def __init__(self, plan: Plan, client: str) -> None:
        self.name = f"{_OURS}{client}{_OURS}{uuid4().hex}"
        self._computing = computing()
        self._wanted = Wanted.of(plan.setting.model)
        self._plan = plan if self._wanted is None else plan.with_model(None)
        self._ready: Plan | None = None

    def plan(self) -> Plan:
        """The plan with its model, which is made once."""
        if self._ready is None:
            check_versions(self._computing, computing())
            self._ready = self._plan if self._wanted is None else self._plan.with_model(self._wanted.here())
        # So that sums do not depend on how many cores a worker has.
        torch.set_num_threads(1)
        return self._ready


class Wanted(NamedTuple):
    """A model that workers are to make: how, and the fingerprints by which it is checked."""

    recipe: Recipe
    name: str
    fingerprints: Fingerprints

    @classmethod
    def of(cls, model: Model) -> Wanted | None:
        """None where there is no recipe."""
        return model.recipe and cls(model.recipe, model.name, model.fingerprints)

    def here(self) -> Model:
        """The model on this worker."""
        try:
            return _made(self)
        except Exception as error:
            raise RunError(
                f"the worker {get_worker().address} cannot load the model: {error}; put the same files, "
                "under the same path, on every machine"
            ) from error


# Kept from one plan to the next: a verb may have many, over the same model.
@lru_cache(maxsize=1)
def _made(wanted: Wanted) -> Model:
    options = wanted.recipe._asdict()
    twin = options.pop("twin")
    device = device_here(wanted.recipe.device, str(get_worker().name))
    model = load(**{**options, "device": device})
    if twin is not None:
        model = random_twin(model, twin)
    for what, here, there in zip(_DIFFERS, wanted.fingerprints, model.fingerprints, strict=True):
        if here != there:
            raise RunError(f"{wanted.recipe.model} has {what} there than here")
    return replace(model, name=wanted.name)


def left_behind(dask_scheduler: Any) -> list[str]:
    """On the scheduler: the names of crews whose driver was killed."""
    ours = [name for name in dask_scheduler.worker_plugins if name.startswith(_OURS)]
    return [name for name in ours if name.split(_OURS)[1] not in dask_scheduler.clients]


def forget() -> None:
    """Let go of the model, on a worker that others may want to use."""
    _made.cache_clear()


def work_on(crew: str, shard: Shard) -> ShardState:
    """A worker's task: run a shard by the plan that its crew carries."""
    worker = get_worker()
    if crew not in worker.plugins:
        raise Unprepared
    with _turn:
        plan = worker.plugins[crew].plan()
        try:
            return to_state(run_shard(plan, shard))
        except HeadscopeError:
            raise
        except Exception as error:
            # An error of the machine there, such as of its disk or its GPU, must not pass for one of here.
            raise RunError(
                f"the worker {worker.address} failed on shard {shard.number}, which begins with document "
                f"'{shard.documents[0].id}': {type(error).__name__}: {error}"
            ) from error


def check_versions(here: dict[str, str], there: dict[str, str]) -> None:
    """Refuse a worker that would not compute the same bits."""
    other = [
        f"{name} {there.get(name, 'missing')} instead of {here.get(name, 'none')}"
        for name in sorted({*here, *there})
        if here.get(name) != there.get(name)
    ]
    if other:
        raise RunError(
            f"the worker {get_worker().address} has {', '.join(other)}; install the same versions on every "
            "machine"
        )
