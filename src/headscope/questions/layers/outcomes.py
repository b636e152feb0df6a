"""What a training of probes gave, as it is kept until the run has finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np


@dataclass
class Outcome:
    """One task and seed, of the model or of a random twin.

    counts: (probe, block, 3) on what is scored, see `Lesson.score`. weights: (probe, layer) that layers are
    mixed with. control: as counts, in the control task; of no size where it was not asked. constant:
    (block, 3) of the most frequent label. edges, nats: of the online code, nats (probe, block of it). cases:
    single targets over the layers. seen, used: of each split, the items in segments and the targets.
    """

    task: str
    seed: int
    counts: np.ndarray
    weights: np.ndarray
    constant: np.ndarray
    control: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3)))
    edges: list[int] = field(default_factory=list)
    nats: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    cases: list[dict[str, Any]] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)

    def to_shard(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and plain values, as shards are kept."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        return arrays, {name: getattr(self, name) for name in _PLAIN}

    @classmethod
    def from_shard(cls, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> Self:
        """What `to_shard` gave."""
        values: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
        return cls(**values, **{name: meta[name] for name in _PLAIN})


_ARRAYS = ("counts", "weights", "constant", "control", "nats")
_PLAIN = ("task", "seed", "edges", "cases", "seen", "used")
