"""The local runner: shard after shard in this process, each state on disk as soon as it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from headscope.engine.shards import Shard
from headscope.engine.work import Done, Plan, Progress, run_shard
from headscope.errors import InputError
from headscope.probes.features import FeatureTally
from headscope.tallies import BlockSums, ClusterMeans, Means, Rows

_KINDS: dict[str, Any] = {
    "BlockSums": BlockSums, "ClusterMeans": ClusterMeans, "FeatureTally": FeatureTally, "Means": Means,
    "Rows": Rows,
}  # fmt: skip


class ShardStore(Protocol):
    """Where finished shards are kept; a run folder is one."""

    def read_shard(self, verb: str, number: int) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None: ...

    def write_shard(
        self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]
    ) -> None: ...


def run(
    plan: Plan,
    shards: Iterable[Shard],
    verb: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Done:
    """Merged tallies of all shards, in shard order."""
    merged = Done()
    for done in each(plan, shards, verb, store, progress):
        merged.merge(done)
    if not merged.segments:
        left_out = sorted(merged.skipped.items())
        skipped = [f"{words:,} words are skipped, {reason}" for reason, words in left_out]
        reasons = "; ".join(skipped) or "it has no word that the tokenizer knows pieces for"
        raise InputError(f"the text gives no segment: {reasons}")
    return merged


def each(
    plan: Plan,
    shards: Iterable[Shard],
    verb: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Iterator[Done]:
    """The tallies of one shard after the other.

    With a store, finished shards are read back instead of run again, so that a stopped run goes on; what
    is given is always what the store would give, so both ways end in the same bits.
    """
    for shard in shards:
        done = _finished(store, verb, shard.number)
        if done is None:
            done = run_shard(plan, shard, progress)
            # A shard without a segment is soon made again; a run of nothing but such leaves nothing behind.
            if store is not None and done.segments:
                store.write_shard(verb, shard.number, *_to_arrays(done))
        elif progress is not None:
            progress(done.segments, done.words)
        yield done


def _to_arrays(done: Done) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays = {
        f"{analysis}/{name}/{type(tally).__name__}/{part}": array
        for analysis, group in done.tallies.items()
        for name, tally in group.items()
        for part, array in tally.to_state().items()
    }
    return arrays, {"segments": done.segments, "words": done.words, "skipped": done.skipped}


def _finished(store: ShardStore | None, verb: str, number: int) -> Done | None:
    found = store.read_shard(verb, number) if store is not None else None
    if found is None:
        return None
    arrays, meta = found
    states: dict[tuple[str, str, str], dict[str, np.ndarray]] = {}
    for path, array in arrays.items():
        analysis, name, kind, part = path.split("/")
        states.setdefault((analysis, name, kind), {})[part] = array
    done = Done(segments=int(meta["segments"]), words=int(meta["words"]), skipped=dict(meta["skipped"]))
    for (analysis, name, kind), state in states.items():
        done.tallies.setdefault(analysis, {})[name] = _KINDS[kind].from_state(state)
    return done
