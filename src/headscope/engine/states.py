"""What a finished shard leaves: its tallies as plain arrays, as they lie on disk and travel."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from headscope.engine.work import Done
from headscope.probes.features import FeatureTally
from headscope.results.shards import ShardState
from headscope.tallies import BlockSums, ClusterMeans, Means, Records, Rows
from headscope.tallies.hidden import HiddenTally

KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (BlockSums, ClusterMeans, FeatureTally, HiddenTally, Means, Records, Rows)
}
"""Every kind of tally, by its name."""


def to_state(done: Done) -> ShardState:
    """The tallies of a shard as arrays."""
    arrays = {
        f"{analysis}/{name}/{type(tally).__name__}/{part}": array
        for analysis, group in done.tallies.items()
        for name, tally in group.items()
        for part, array in tally.to_state().items()
    }
    return arrays, {"segments": done.segments, "words": done.words, "skipped": done.skipped}


def from_state(state: ShardState) -> Done:
    """The tallies that arrays stand for."""
    arrays, meta = state
    parts: dict[tuple[str, str, str], dict[str, np.ndarray]] = {}
    for path, array in arrays.items():
        analysis, name, kind, part = path.split("/")
        parts.setdefault((analysis, name, kind), {})[part] = array
    done = Done(segments=int(meta["segments"]), words=int(meta["words"]), skipped=Counter(meta["skipped"]))
    for (analysis, name, kind), own in parts.items():
        done.tallies.setdefault(analysis, {})[name] = KINDS[kind].from_state(own)
    return done
