"""Pairs as numbers: which parameter each source word and target word of a pair share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from headscope.measures.links import Grid

NOTHING = 0
"""The number of the word that target words without a source come from."""


class Bitext(NamedTuple):
    """Words of both sides, pair after pair, and the parameters t(target word | source word) that they need.

    source, target: (word,) numbers of words, case folded; those of sources begin at 1. grid: the cells of
    the pairs. parameter: (cell,), which one a cell needs. nothing: (target word,), the one by which a target
    word comes from no source word. owner: (parameter,), the source word whose they are.
    """

    source: np.ndarray
    target: np.ndarray
    grid: Grid
    parameter: np.ndarray
    nothing: np.ndarray
    owner: np.ndarray

    @classmethod
    def of(cls, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Bitext:
        """Take the words of each pair.

        >>> text = Bitext.of([(["das", "Haus"], ["the", "house"]), (["das"], ["The"])])
        >>> text.source.tolist(), text.target.tolist(), len(text.owner)
        ([1, 2, 1], [0, 1, 0], 6)
        """
        sides = tuple(zip(*pairs, strict=True))
        grid = Grid.of(*([len(words) for words in side] for side in sides))
        source, target = (_numbers(list(chain.from_iterable(side))) for side in sides)
        return cls.of_numbers(source + 1, target, grid)

    @classmethod
    def of_numbers(cls, source: np.ndarray, target: np.ndarray, grid: Grid) -> Bitext:
        """Take numbers of words."""
        pair, row, column = grid.cells()
        first_source, first_target = (np.cumsum(sizes) - sizes for sizes in (grid.sources, grid.targets))
        kinds = int(target.max()) + 1
        keys = source[first_source[pair] + column] * kinds + target[first_target[pair] + row]
        known, place = np.unique(np.concatenate([keys, NOTHING * kinds + target]), return_inverse=True)
        return cls(source, target, grid, place[: len(keys)], place[len(keys) :], known // kinds)

    def turned(self) -> Bitext:
        """The same with source and target exchanged."""
        grid = Grid.of(self.grid.targets, self.grid.sources)
        return Bitext.of_numbers(self.target + 1, self.source - 1, grid)


def _numbers(words: list[str]) -> np.ndarray:
    """A number for each kind of word, from 0 on in the order in which they come, (word,)."""
    kinds: dict[str, int] = {}
    return np.array([kinds.setdefault(word.casefold(), len(kinds)) for word in words], np.int64)
