"""The local runner: shard after shard in this process, each state on disk as soon as it is done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from headscope.analyses.analysis import Tallies
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.errors import InputError
from headscope.tallies import ClusterMeans, Means

_KINDS = {"ClusterMeans": ClusterMeans, "Means": Means}


class ShardStore(Protocol):
    """Where finished shards are kept; a run folder is one."""

    def read_shard(self, verb: str, number: int) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None: ...

    def write_shard(self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]) -> None: ...


class Progress(Protocol):
    """Told of every batch, with the number of its segments."""

    def __call__(self, segments: int) -> None: ...


def run(
    plan: Plan, shards: Iterable[Shard], verb: str, store: ShardStore | None = None, progress: Progress | None = None
) -> tuple[dict[str, Tallies], int]:
    """Merged tallies of all shards by analysis, in shard order, and the number of segments.

    With a store, finished shards are read back instead of run again, so that a stopped run goes on; what
    is merged is always what the store would give, so both ways end in the same bits.
    """
    merged: dict[str, Tallies] = {}
    segments = 0
    for shard in shards:
        tallies, count = _finished(store, verb, shard, progress) or _run(plan, shard, verb, store, progress)
        segments += count
        for name, new in tallies.items():
            if name not in merged:
                merged[name] = new
                continue
            for key, tally in new.items():
                merged[name][key].merge(tally)
    if not segments:
        raise InputError("the text gives no segment: it has no word that the tokenizer knows pieces for")
    return merged, segments


def _run(
    plan: Plan, shard: Shard, verb: str, store: ShardStore | None, progress: Progress | None
) -> tuple[dict[str, Tallies], int]:
    count = 0

    def heard(segments: int) -> None:
        nonlocal count
        count += segments
        if progress is not None:
            progress(segments)

    tallies = run_shard(plan, shard, heard)
    for analysis in tallies.values():
        for tally in analysis.values():
            if isinstance(tally, ClusterMeans):
                tally.close()
    if store is not None:
        arrays = {
            f"{analysis}/{name}/{kind_of(tally)}/{part}": array
            for analysis, group in tallies.items()
            for name, tally in group.items()
            for part, array in tally.to_state().items()
        }
        store.write_shard(verb, shard.number, arrays, {"segments": count})
    return tallies, count


def _finished(
    store: ShardStore | None, verb: str, shard: Shard, progress: Progress | None
) -> tuple[dict[str, Tallies], int] | None:
    found = store.read_shard(verb, shard.number) if store is not None else None
    if found is None:
        return None
    arrays, meta = found
    states: dict[tuple[str, str, str], dict[str, np.ndarray]] = {}
    for path, array in arrays.items():
        analysis, name, kind, part = path.split("/")
        states.setdefault((analysis, name, kind), {})[part] = array
    tallies: dict[str, Tallies] = {}
    for (analysis, name, kind), state in states.items():
        tallies.setdefault(analysis, {})[name] = _KINDS[kind].from_state(state)
    count = int(meta["segments"])
    if progress is not None:
        progress(count)
    return tallies, count


def kind_of(tally: object) -> str:
    """The name under which a tally's class is stored."""
    return type(tally).__name__
