"""The same question asked of random twins of a model, whose shards are parts of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import xarray as xr

from headscope.engine.running import run
from headscope.engine.stores import ShardStore
from headscope.engine.work import Plan
from headscope.models.twin import random_twin
from headscope.text import Document
from headscope.text.batches import Progress


def run_twins(
    plan: Plan,
    twins: int,
    documents: Iterable[Document],
    verb: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Iterator[list[xr.Dataset]]:
    """The arrays of each twin, one after the other; the documents are gone through for each."""
    for twin in range(twins):
        own = plan.with_model(random_twin(plan.setting.model, plan.setting.seed + twin))
        yield own.arrays(run(own, documents, f"{verb}/twin-{twin}", store, progress))
