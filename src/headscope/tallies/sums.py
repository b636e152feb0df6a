"""Sums by cell, kept by blocks of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from headscope.blocks import BLOCKS, block_of
from headscope.tallies.tally import State


class BlockSums:
    """Sums of values in each of some cells (relations, tags, ...), and how many documents each block has.

    total: (block, cell, *values). documents: (block,). The sums of blocks can be compared between runs,
    resampled, or split into halves, without keeping a single document.

    >>> tally = BlockSums(2, (1,))
    >>> tally.update(np.array([7, 7, 9]), np.array([1, 1, 0]), np.array([[1.0], [2.0], [4.0]]))
    >>> tally.total[7].tolist(), tally.total[9].tolist()
    ([[0.0], [3.0]], [[4.0], [0.0]])
    """

    def __init__(self, cells: int, values: tuple[int, ...]) -> None:
        # Filled, not left to the system to fill when first used: so memory is level from the first shard on.
        self.total = np.full((BLOCKS, cells, *values), 0.0)
        self.documents = np.zeros(BLOCKS, dtype=np.int64)
        self._open: set[str] = set()

    def update(self, blocks: np.ndarray, cells: np.ndarray, values: np.ndarray) -> None:
        """Add rows: blocks (row,), cells (row,), values (row, *values)."""
        # Raises for a cell or block that does not exist, which would otherwise be added to a neighbour.
        place = np.ravel_multi_index((blocks, cells), self.total.shape[:2])
        if values.shape != (*place.shape, *self.total.shape[2:]):
            raise ValueError(
                f"values are {values.shape}; expected {len(place)} rows of {self.total.shape[2:]}"
            )
        if not len(place):
            return
        order = np.argsort(place, kind="stable")
        place = place[order]
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        sums = np.add.reduceat(values[order], starts, axis=0, dtype=np.float64)
        self.total.reshape(-1, *self.total.shape[2:])[place[starts]] += sums

    def see(self, documents: Sequence[str]) -> None:
        """Count documents, each once however often it is named until `close`."""
        self._open.update(documents)

    def close(self) -> None:
        """Count the documents seen so far as complete."""
        for document in self._open:
            self.documents[block_of(document)] += 1
        self._open.clear()

    def merge(self, other: Self) -> None:
        self.close()
        other.close()
        self.total += other.total
        self.documents += other.documents

    def to_state(self) -> State:
        """Only the blocks in use: a shard rarely fills all of them."""
        self.close()
        used = np.flatnonzero((self.documents > 0) | self.total.reshape(BLOCKS, -1).any(1))
        return {"total": self.total[used], "documents": self.documents[used], "blocks": used}

    @classmethod
    def from_state(cls, state: State) -> Self:
        _, cells, *values = state["total"].shape
        tally = cls(cells, tuple(values))
        tally.total[state["blocks"]] = state["total"]
        tally.documents[state["blocks"]] = state["documents"]
        return tally
