"""Every row kept: for tests over examples, which sums cannot give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from headscope.blocks import number_of
from headscope.tallies.tally import State


class Rows:
    """Rows of values with the number of the document each belongs to, in the order they came.

    It grows with the rows: for labelled examples, not for running text.

    >>> tally = Rows((2,))
    >>> tally.update(["a", "b"], np.array([[1.0, 0.0], [3.0, 1.0]]))
    >>> tally.result().tolist(), len(np.unique(tally.documents()))
    ([[1.0, 0.0], [3.0, 1.0]], 2)
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._values = [np.empty((0, *shape))]
        self._documents = [np.empty(0, np.uint64)]

    def update(self, documents: Sequence[str], values: np.ndarray) -> None:
        """Add rows: values (row, ...)."""
        if values.shape != (len(documents), *self._values[0].shape[1:]):
            expected = (len(documents), *self._values[0].shape[1:])
            raise ValueError(f"values are {values.shape}; expected {expected}")
        self._values.append(values.astype(np.float64))
        self._documents.append(np.array([number_of(document) for document in documents], np.uint64))

    def merge(self, other: Self) -> None:
        self._values += other._values
        self._documents += other._documents

    def result(self) -> np.ndarray:
        """(row, ...)."""
        return np.concatenate(self._values)

    def documents(self) -> np.ndarray:
        """(row,) the number of each row's document."""
        return np.concatenate(self._documents)

    def to_state(self) -> State:
        return {"values": self.result(), "documents": self.documents()}

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally = cls(state["values"].shape[1:])
        tally._values.append(state["values"])
        tally._documents.append(state["documents"])
        return tally
