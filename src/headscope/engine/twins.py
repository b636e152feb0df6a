"""The same question asked of random twins of a model, whose shards lie beside those of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headscope.engine.parts import part_of
from headscope.engine.running import run
from headscope.engine.shards import Shard
from headscope.engine.stores import ShardStore
from headscope.engine.work import Done, Plan, Progress
from headscope.models.twin import random_twin


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
        yield own, run(own, shards, verb, part_of(store, twin + 1), progress)
