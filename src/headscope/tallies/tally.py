"""What every running summary can do."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np

State = dict[str, np.ndarray]


class Tally(Protocol):
    """A summary of what was heard so far.

    Laws (tests/properties): merging the tallies of any split of the documents equals one pass over all
    of them; merging an empty one changes nothing; the order of merging does not matter beyond rounding.
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
