"""What every running summary can do."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np

State = dict[str, np.ndarray]


class Tally(Protocol):
    """A summary of what was heard so far.

    Laws (tests/properties): merging the tallies of consecutive documents, in their order, equals one pass
    over all of them, however they are cut and in whatever pairs they are merged; merging an empty one
    changes nothing; a state gives the tally back bit for bit. For sums neither the split nor the order of
    merging matters, beyond rounding; tallies that keep rows have them in the order in which they were
    merged, so shards are merged in theirs.
    """

    def merge(self, other: Self) -> None:
        """Take in what another tally of the same shape has seen."""
        ...

    def to_state(self) -> State:
        """Everything the tally knows, as arrays."""
        ...

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The tally that gave this state."""
        ...
