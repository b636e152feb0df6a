"""The local runner: shard after shard in this process, each state on disk as soon as it is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from headscope.analyses.analysis import Tallies
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.errors import InputError
from headscope.tallies import ClusterMeans, Means

_KINDS: dict[str, Any] = {"ClusterMeans": ClusterMeans, "Means": Means}


class ShardStore(Protocol):
    """Where finished shards are kept; a run folder is one."""

    def read_shard(self, verb: str, number: int) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None: ...

    def write_shard(
        self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]
    ) -> None: ...


class Progress(Protocol):
    """Told of every batch: how many segments and words it held."""

    def __call__(self, segments: int, words: int) -> None: ...


@dataclass
class Done:
    """The tallies of each analysis, and what they were taken over."""

    tallies: dict[str, Tallies] = field(default_factory=dict)
    segments: int = 0
    words: int = 0

    def merge(self, other: Done) -> None:
        """Take in another shard's."""
        self.segments += other.segments
        self.words += other.words
        for name, group in other.tallies.items():
            for key, tally in group.items():
                mine = self.tallies.setdefault(name, {})
                if key in mine:
                    mine[key].merge(tally)
                else:
                    mine[key] = tally


def run(
    plan: Plan,
    shards: Iterable[Shard],
    verb: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Done:
    """Merged tallies of all shards, in shard order.

    With a store, finished shards are read back instead of run again, so that a stopped run goes on; what
    is merged is always what the store would give, so both ways end in the same bits.
    """
    merged = Done()
    for shard in shards:
        done = _finished(store, verb, shard.number)
        if done is None:
            done = _run(plan, shard, progress)
            if store is not None:
                store.write_shard(verb, shard.number, *_to_arrays(done))
        elif progress is not None:
            progress(done.segments, done.words)
        merged.merge(done)
    if not merged.segments:
        raise InputError("the text gives no segment: it has no word that the tokenizer knows pieces for")
    return merged


def _run(plan: Plan, shard: Shard, progress: Progress | None) -> Done:
    done = Done()

    def heard(segments: int, words: int) -> None:
        done.segments += segments
        done.words += words
        if progress is not None:
            progress(segments, words)

    done.tallies = run_shard(plan, shard, heard)
    return done


def _to_arrays(done: Done) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays = {
        f"{analysis}/{name}/{type(tally).__name__}/{part}": array
        for analysis, group in done.tallies.items()
        for name, tally in group.items()
        for part, array in tally.to_state().items()
    }
    return arrays, {"segments": done.segments, "words": done.words}


def _finished(store: ShardStore | None, verb: str, number: int) -> Done | None:
    found = store.read_shard(verb, number) if store is not None else None
    if found is None:
        return None
    arrays, meta = found
    states: dict[tuple[str, str, str], dict[str, np.ndarray]] = {}
    for path, array in arrays.items():
        analysis, name, kind, part = path.split("/")
        states.setdefault((analysis, name, kind), {})[part] = array
    done = Done(segments=int(meta["segments"]), words=int(meta["words"]))
    for (analysis, name, kind), state in states.items():
        done.tallies.setdefault(analysis, {})[name] = _KINDS[kind].from_state(state)
    return done
