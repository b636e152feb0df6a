"""What a round of training gave: every probe's counts on the documents that are scored, by blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

ATTENTION, WORDS = "attention only", "attention and words"
DISTANCES, BRANCHING = "distances and words", "right-branching"


@dataclass
class Outcome:
    """One seed, or one random twin.

    scores: for each probe (block, measure, 2), see `scores.MEASURES`: right, and all. control: (block, 2) in
    the control task. without: (block, head) right without that head. weights: (2, head) of the
    attention-only probe, as heads attend and are attended. epochs: of the whole round. losses: each probe's
    loss per word on the documents that decided when to stop. data: what the features were taken over.
    """

    seed: int
    scores: dict[str, np.ndarray] = field(default_factory=dict)
    control: dict[str, np.ndarray] = field(default_factory=dict)
    without: dict[str, np.ndarray] = field(default_factory=dict)
    weights: np.ndarray = field(default_factory=lambda: np.zeros((2, 0)))
    epochs: int = 0
    losses: dict[str, float] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)

    def to_shard(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and plain values, as shards are kept."""
        arrays = {
            f"{kind}/{name}": counts
            for kind in ("scores", "control", "without")
            for name, counts in getattr(self, kind).items()
        }
        meta = {"seed": self.seed, "epochs": self.epochs, "losses": self.losses, "data": self.data}
        return {**arrays, "weights": self.weights}, meta

    @classmethod
    def from_shard(cls, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> Self:
        """What `to_shard` gave."""
        outcome = cls(**meta, weights=arrays["weights"])
        for path, counts in arrays.items():
            kind, _, name = path.partition("/")
            if name:
                getattr(outcome, kind)[name] = counts
        return outcome
