"""Means over segments with standard errors over documents, kept by blocks of documents.

A document's segments are alike, so they are no independent draws: the standard error treats documents
as the units (a ratio of sums, linearised). Sums are also kept for each of 100 blocks of documents (block
= hash of the document's name mod 100), which lets two runs over the same text be compared block by block,
and one half of the documents choose what the other half scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from headscope.blocks import BLOCKS, FEWEST, block_of
from headscope.tallies.tally import State


class ClusterMeans:
    """Means of (item, measure) values over segments, equal weight per segment.

    A value may be undefined for a segment (there is no next token in a text of one); then the measure
    does not count that segment. Documents may be spread over several updates, until `close`.
    """

    _SUMS = ("total", "count", "square", "cross", "count_square")

    def __init__(self, items: int, measures: int) -> None:
        # Filled, not left to the system to fill when first used: so memory is level from the first shard on.
        self.total = np.full((BLOCKS, items, measures), 0.0)
        self.count = np.full((BLOCKS, items, measures), 0.0)
        self.square = np.zeros((items, measures))
        self.cross = np.zeros((items, measures))
        self.count_square = np.zeros((items, measures))
        self.documents = np.zeros((), dtype=np.int64)
        self._open: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def update(self, documents: Sequence[str], values: np.ndarray, valid: np.ndarray) -> None:
        """Take in segments: values (segment, item, measure), valid the same shape, bool."""
        names, which = np.unique(np.array(documents, dtype=object), return_inverse=True)
        totals, counts = np.zeros((2, len(names), *values.shape[1:]))
        np.add.at(totals, which, np.where(valid, values, 0.0))
        np.add.at(counts, which, valid)
        for name, total, count in zip(names, totals, counts, strict=True):
            before = self._open.get(name)
            self._open[name] = (total, count) if before is None else (before[0] + total, before[1] + count)

    def close(self) -> None:
        """Count the documents seen so far as complete."""
        for document, (total, count) in self._open.items():
            block = block_of(document)
            self.total[block] += total
            self.count[block] += count
            self.square += total**2
            self.cross += total * count
            self.count_square += count**2
            self.documents += 1
        self._open.clear()

    def merge(self, other: Self) -> None:
        self.close()
        other.close()
        for name in (*self._SUMS, "documents"):
            getattr(self, name)[...] += getattr(other, name)

    def means(self) -> np.ndarray:
        """(item, measure); NaN where nothing was defined."""
        self.close()
        with np.errstate(invalid="ignore"):
            mean: np.ndarray = self.total.sum(0) / self.count.sum(0)
        return mean

    def standard_errors(self) -> np.ndarray:
        """(item, measure), over documents; NaN for fewer than `FEWEST`."""
        mean, count, documents = self.means(), self.count.sum(0), float(self.documents)
        residual = self.square - 2 * mean * self.cross + mean**2 * self.count_square
        if documents < FEWEST:
            return np.full_like(mean, np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            # A residual of rounding size may come out below zero.
            error: np.ndarray = np.sqrt(np.maximum(residual, 0) * documents / (documents - 1)) / count
        return error

    def to_state(self) -> State:
        """Only the blocks that hold a document: a shard rarely fills all of them."""
        self.close()
        used = np.flatnonzero(self.count.any((1, 2)))
        state = {name: getattr(self, name) for name in (*self._SUMS, "documents")}
        return {**state, "total": self.total[used], "count": self.count[used], "blocks": used}

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally = cls(*state["square"].shape)
        for name in ("square", "cross", "count_square", "documents"):
            getattr(tally, name)[...] += state[name]
        tally.total[state["blocks"]] = state["total"]
        tally.count[state["blocks"]] = state["count"]
        return tally
