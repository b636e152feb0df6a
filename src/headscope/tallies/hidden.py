"""Hidden states of words, spans or sentences, kept whole: a shard of them lies on disk until it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from headscope.tallies.tally import State


@dataclass(frozen=True)
class Hidden:
    """Segments one after the other, each with its units: its words, some spans, or itself.

    vectors: (unit, pooling, layer, dim) in 16 or 32 bits. known: (unit,) bool; a unit without any piece has
    zeros. sizes: (segment,) units in each. documents: (segment,) the number of each one's document
    (`blocks.number_of`). index: (segment,) its number within the document.
    """

    vectors: np.ndarray
    known: np.ndarray
    sizes: np.ndarray
    documents: np.ndarray
    index: np.ndarray

    @classmethod
    def empty(cls, shape: tuple[int, int, int], dtype: np.dtype) -> Self:
        """No segment at all; shape: (pooling, layer, dim)."""
        whole = np.zeros(0, np.int32)
        documents = np.zeros(0, np.uint64)
        return cls(np.zeros((0, *shape), dtype), np.zeros(0, bool), whole, documents, whole)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All segments of several batches or shards, in order."""
        if len(several) == 1:
            return several[0]
        names = [field.name for field in fields(cls)]
        return cls(**{name: np.concatenate([getattr(each, name) for each in several]) for name in names})

    @property
    def starts(self) -> np.ndarray:
        """The first unit of each segment, (segment,)."""
        starts: np.ndarray = np.cumsum(self.sizes) - self.sizes
        return starts


class HiddenTally:
    """Hidden states in the order in which they came; they are kept whole, so a tally is one shard's.

    >>> tally = HiddenTally((1, 7, 384), np.dtype(np.float16))
    >>> tally.result().vectors.shape
    (0, 1, 7, 384)
    """

    def __init__(self, shape: tuple[int, int, int], dtype: np.dtype) -> None:
        self._heard = [Hidden.empty(shape, dtype)]

    def add(self, hidden: Hidden) -> None:
        """Take in the segments of a batch."""
        self._heard.append(hidden)

    def merge(self, other: Self) -> None:
        self._heard += other._heard

    def result(self) -> Hidden:
        """All segments."""
        self._heard = [Hidden.joined(self._heard)]
        return self._heard[0]

    def to_state(self) -> State:
        hidden = self.result()
        return {field.name: getattr(hidden, field.name) for field in fields(hidden)}

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally = cls(state["vectors"].shape[1:], state["vectors"].dtype)
        tally._heard = [Hidden(**state)]
        return tally
