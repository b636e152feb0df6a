"""How far a learner has come, point by point."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Judged(NamedTuple):
    """What decides which weights are kept: a score on other data, the higher the better, ties by the loss."""

    score: float
    loss: float


@dataclass(frozen=True)
class Mark:
    """What a point of training told: after which step, at which rate, over which loss, and how well it went.

    train_loss: mean over the examples since the mark before. dev_loss, dev_score: as judged, None where
    nothing judges. best: whether it beats all before.
    """

    step: int
    epoch: float
    seconds: float
    train_loss: float
    dev_loss: float | None
    dev_score: float | None
    rate: float
    best: bool


@dataclass
class Journey:
    """The marks of a learner, and in which of its two places the best weights are."""

    marks: list[Mark] = field(default_factory=list)
    place: int = 0

    @property
    def best(self) -> Mark | None:
        return next((mark for mark in reversed(self.marks) if mark.best), None)

    @property
    def misses(self) -> int:
        """Marks since the best one."""
        return next((count for count, mark in enumerate(reversed(self.marks)) if mark.best), 0)

    def beaten_by(self, judged: Judged | None) -> bool:
        """Whether this is the best so far; where nothing judges, the last always is."""
        best = self.best
        if judged is None or best is None or best.dev_score is None or best.dev_loss is None:
            return True
        return (judged.score, -judged.loss) > (best.dev_score, -best.dev_loss)
