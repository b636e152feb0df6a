"""The mean of arrays of one shape, each with weight 1."""

from __future__ import annotations

from typing import Self

import numpy as np

from headscope.tallies.tally import State


class Means:
    """Sum and count, in float64.

    >>> tally = Means((2,))
    >>> tally.update(np.array([[1.0, 3.0], [3.0, 3.0]]))
    >>> tally.result()
    array([2., 3.])
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.total = np.zeros(shape)
        self.count = np.zeros((), dtype=np.int64)

    def update(self, values: np.ndarray) -> None:
        """Take in values (row, ...)."""
        self.total += values.sum(0, dtype=np.float64)
        self.count += len(values)

    def merge(self, other: Self) -> None:
        self.total += other.total
        self.count += other.count

    def result(self) -> np.ndarray:
        """The mean; NaN where nothing was seen."""
        with np.errstate(invalid="ignore"):
            mean: np.ndarray = self.total / self.count
        return mean

    def to_state(self) -> State:
        return {"total": self.total, "count": self.count}

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally = cls(state["total"].shape)
        tally.total += state["total"]
        tally.count += state["count"]
        return tally
