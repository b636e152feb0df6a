"""How training goes, as data: how long and how often judged (`Course`), and how weights move (`Descent`)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Literal

Optimiser = Literal["adamw", "adam", "amsgrad", "adadelta"]
Schedule = Literal["warm", "stairs", "flat"]

DECAY, WARM_UP, CLIPPED = 0.01, 0.06, 1.0
"""Weight decay of matrices; the share of steps in which a rate warms up; the longest gradient."""


@dataclass(frozen=True)
class Course:
    """How long to train, and how often to judge.

    batch_size: for those who make the batches. evaluations: points of an epoch at which weights are judged
    and everything is kept to go on from. patience: a learner stops after so many of them without a better
    one; None never stops early. seed: of all that is drawn.
    """

    epochs: int = 3
    batch_size: int = 32
    evaluations: int = 4
    patience: int | None = None
    seed: int = 0

    def stretches(self, steps: int | None) -> list[int | None]:
        """Steps from point to point of an epoch of so many, evenly, the last step always a point.

        An epoch whose length is not known is one stretch.

        >>> Course(evaluations=4).stretches(10)
        [3, 2, 3, 2]
        >>> Course().stretches(None)
        [None]
        """
        if steps is None:
            return [None]
        points = {ceil(part * steps / self.evaluations) for part in range(self.evaluations + 1)}
        return [end - start for start, end in pairwise(sorted(points))]


@dataclass(frozen=True)
class Moment:
    """A step and its epoch, counted from 0; of how many epochs, and steps in all where that is known."""

    step: int
    epoch: int
    epochs: int
    steps: int | None = None


@dataclass(frozen=True)
class Descent:
    """How weights follow the gradient of their loss.

    rate: the highest one. schedule: `flat` stays there, `stairs` falls with each epoch, `warm` rises in the
    first steps and then falls; both fall in equal steps, to 0 behind the last. decay: of matrices alone.
    clip: the longest gradient, over all weights together; None for any. rho: how slowly Adadelta forgets.
    eps: what keeps its, or Adam's, divisor from 0; None for torch's own, 1e-8 of Adam and 1e-6 of Adadelta.
    """

    rate: float = 1e-4
    optimiser: Optimiser = "adamw"
    schedule: Schedule = "warm"
    decay: float = DECAY
    clip: float | None = CLIPPED
    rho: float = 0.9
    eps: float | None = None

    def settings(self) -> dict[str, float]:
        """What the optimiser is given beside the rate.

        >>> Descent(optimiser="adadelta", eps=1e-8).settings()
        {'eps': 1e-08, 'rho': 0.9}
        """
        settings = {} if self.eps is None else {"eps": self.eps}
        return settings | ({"rho": self.rho} if self.optimiser == "adadelta" else {})

    def rate_at(self, moment: Moment) -> float:
        """The rate of a step.

        >>> steps = [Moment(step, 0, 1, 100) for step in (0, 5, 6, 53, 99)]
        >>> [round(Descent(rate=1.0).rate_at(moment), 3) for moment in steps]
        [0.167, 1.0, 1.0, 0.5, 0.011]
        """
        if self.schedule == "flat":
            return self.rate
        if self.schedule == "stairs":
            return self.rate * (1 - moment.epoch / moment.epochs)
        if moment.steps is None:
            raise ValueError("a rate that warms up needs to know the number of steps")
        warm = max(1, round(WARM_UP * moment.steps))
        left = moment.steps - moment.step
        return self.rate * min((moment.step + 1) / warm, left / max(1, moment.steps - warm), 1.0)
