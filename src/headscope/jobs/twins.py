"""The same question asked of random twins of a model, whose shards lie beside those of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from headscope.engine.local import ShardStore, run
from headscope.engine.shards import Shard
from headscope.engine.work import Done, Plan, Progress
from headscope.models.twin import random_twin

_APART = 10**7
"""Shards of a verb are fewer than this; those of a twin are numbered beyond."""


class TwinStore:
    """Keeps the shards of one twin in the store of its model."""

    def __init__(self, store: ShardStore, twin: int) -> None:
        self._store, self._first = store, (twin + 1) * _APART

    def read_shard(self, verb: str, number: int) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None:
        return self._store.read_shard(verb, self._first + number)

    def write_shard(
        self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]
    ) -> None:
        self._store.write_shard(verb, self._first + number, arrays, meta)


def run_twins(
    plan: Plan,
    twins: int,
    shards: Iterable[Shard],
    verb: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Plan, Done]]:
    """For each twin, one at a time, its plan and what a run gave; `shards` must be new at every iteration."""
    for twin in range(twins):
        model = random_twin(plan.setting.model, plan.setting.seed + twin)
        own = replace(plan, setting=replace(plan.setting, model=model))
        yield own, run(own, shards, verb, None if store is None else TwinStore(store, twin), progress)
