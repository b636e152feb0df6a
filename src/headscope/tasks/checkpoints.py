"""Where training keeps its state, so that a stopped one goes on to the same bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

Arrays = dict[str, np.ndarray]

_STATE = 0
_BEST = (1, 2)
"""The best weights go into two places by turns: the last state that was written names one that is whole."""


class Checkpoints(Protocol):
    """Numbered places for arrays and plain values, each written in one step."""

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None: ...

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None: ...


class Memory:
    """Keeps the best weights alone: what is in memory is gone with the process, and never taken up again."""

    def __init__(self) -> None:
        self._best: Arrays = {}

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None:
        return (self._best, {}) if number in _BEST and self._best else None

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
        if number in _BEST:
            self._best = arrays


@dataclass(frozen=True)
class Mark:
    """What one evaluation told: after which step, at which rate, over which loss, and how well it went.

    train_loss: mean over the examples since the mark before. best: whether it beats all before.
    """

    step: int
    epoch: float
    seconds: float
    train_loss: float
    dev_loss: float
    dev_score: float
    rate: float
    best: bool


@dataclass
class Journey:
    """How far training has come: its marks, and where the best weights are."""

    marks: list[Mark] = field(default_factory=list)
    place: int = _BEST[0]

    @property
    def step(self) -> int:
        return self.marks[-1].step if self.marks else 0

    @property
    def seconds(self) -> float:
        return self.marks[-1].seconds if self.marks else 0.0

    @property
    def best(self) -> Mark | None:
        return next((mark for mark in reversed(self.marks) if mark.best), None)

    @property
    def misses(self) -> int:
        """Evaluations since the best one."""
        return next((count for count, mark in enumerate(reversed(self.marks)) if mark.best), 0)

    def beaten_by(self, score: float, loss: float) -> bool:
        """Whether a score is the best so far; among equal ones the lower loss is."""
        best = self.best
        return best is None or (score, -loss) > (best.dev_score, -best.dev_loss)

    def keep(self, checkpoints: Checkpoints, state: Arrays, weights: Sequence[str]) -> None:
        """Write the state after a mark; where it is the best, its weights first, to the place not in use."""
        if self.marks[-1].best:
            self.place = _BEST[self.place == _BEST[0]]
            checkpoints.write(self.place, {name: state[name] for name in weights}, {})
        marks = [asdict(mark) for mark in self.marks]
        checkpoints.write(_STATE, state, {"place": self.place, "marks": marks})

    @classmethod
    def taken_up(cls, checkpoints: Checkpoints) -> tuple[Journey, Arrays | None]:
        """The journey so far and the state it reached; a new one where nothing was kept."""
        checkpoint = checkpoints.read(_STATE)
        if checkpoint is None:
            return cls(), None
        state, meta = checkpoint
        return cls([Mark(**mark) for mark in meta["marks"]], meta["place"]), state

    def best_weights(self, checkpoints: Checkpoints) -> Arrays:
        """The weights that did best."""
        checkpoint = checkpoints.read(self.place)
        assert checkpoint is not None
        return checkpoint[0]
