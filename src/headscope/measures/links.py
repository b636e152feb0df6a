"""How well word links agree with those of a reference, and the links of two directions joined.

Links of many pairs are one vector over all cells of a `Grid`: True where a target word and a source word are
linked. A reference has sure links S and possible ones P, of which the sure are some (Och and Ney 2003).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from headscope.measures.statistics import ratio

COUNTS = ("links", "possible", "sure", "wanted")
"""What is counted: links, those of them that are possible, those that are sure, and sure links there are."""

NEIGHBOURS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)])


class Grid(NamedTuple):
    """Cells of all pairs, one after the other, each pair's by target word and then by source word.

    sources, targets: (pair,), how many words there are. starts: (pair + 1,), where the cells of each begin.
    """

    sources: np.ndarray
    targets: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, sources: Any, targets: Any) -> Grid:
        """Take the numbers of words."""
        sources, targets = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
        return cls(sources, targets, np.concatenate([[0], np.cumsum(sources * targets)]))

    def cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The pair, target word and source word of each cell, (cell,) each.

        >>> [each.tolist() for each in Grid.of([2], [2]).cells()]
        [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]]
        """
        pair = np.repeat(np.arange(len(self.sources)), np.diff(self.starts))
        place = np.arange(self.starts[-1]) - self.starts[pair]
        return pair, place // self.sources[pair], place % self.sources[pair]

    def links(self, pair: np.ndarray, target: np.ndarray, source: np.ndarray) -> np.ndarray:
        """(cell,) bool: links that are told one by one, (link,) each."""
        linked = np.zeros(self.starts[-1], bool)
        linked[self.starts[pair] + target * self.sources[pair] + source] = True
        return linked

    def turned(self, links: np.ndarray) -> np.ndarray:
        """Links of the same pairs with source and target exchanged, in the cells of this grid.

        >>> Grid.of([2], [1]).turned(np.array([True, False])).tolist(), Grid.of([2], [2]).turned(
        ...     np.array([False, True, False, False])).tolist()
        ([True, False], [False, False, True, False])
        """
        pair, target, source = self.cells()
        turned: np.ndarray = links[self.starts[pair] + source * self.targets[pair] + target]
        return turned

    def counts(self, links: np.ndarray, sure: np.ndarray, possible: np.ndarray) -> np.ndarray:
        """(pair, `COUNTS`) of links (cell,) beside those of a reference, sure and possible (cell,) each."""
        kinds = np.stack([links, links & (possible | sure), links & sure, sure], 1)
        sums = np.concatenate([np.zeros((1, len(COUNTS)), np.int64), np.cumsum(kinds, 0)])
        counts: np.ndarray = sums[self.starts[1:]] - sums[self.starts[:-1]]
        return counts


def error_rate(counts: np.ndarray) -> np.ndarray:
    """Alignment error rate 1 - (|A and S| + |A and P|) / (|A| + |S|): Och and Ney 2003, equation 38.

    counts: (..., `COUNTS`), answer (...). NaN where there is neither a link nor a sure one to be found.

    >>> error_rate(np.array([4, 3, 2, 3])).round(3).item()
    0.286
    """
    return 1 - ratio(*found_of(counts))


def found_of(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What was found and out of how much, each (...): one minus their ratio is the error rate."""
    return counts[..., 1] + counts[..., 2], counts[..., 0] + counts[..., 3]


def precision(counts: np.ndarray) -> np.ndarray:
    """How many of the links are at least possible, (...)."""
    return ratio(counts[..., 1], counts[..., 0])


def recall(counts: np.ndarray) -> np.ndarray:
    """How many of the sure links were found, (...)."""
    return ratio(counts[..., 2], counts[..., 3])


def f1(counts: np.ndarray) -> np.ndarray:
    """The harmonic mean of precision and recall, (...); 0 where both are.

    >>> f1(np.array([4, 3, 2, 3])).round(3).item()
    0.706
    """
    right, found = precision(counts), recall(counts)
    either = right + found
    return np.where(either == 0, 0.0, ratio(2 * right * found, either))


def intersection(links: np.ndarray, others: np.ndarray, grid: Grid) -> np.ndarray:
    """Links of both directions, (cell,) each."""
    both: np.ndarray = links & others
    return both


def union(links: np.ndarray, others: np.ndarray, grid: Grid) -> np.ndarray:
    """Links of either direction, (cell,) each."""
    either: np.ndarray = links | others
    return either


def grow_diagonal(links: np.ndarray, others: np.ndarray, grid: Grid) -> np.ndarray:
    """Links of both directions, and those of either that touch them, (cell,) each.

    From the intersection on, a link of the union is added that stands beside a link, also diagonally, and of
    whose two words one has no link yet, until there is none: Koehn et al. 2003, section 4.1; order as there.

    >>> forward = np.array([True, False, False, False, True, False, False, False, True])
    >>> backward = np.array([True, False, False, False, False, False, False, False, False])
    >>> grow_diagonal(forward, backward, Grid.of([3], [3])).reshape(3, 3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    grown, either = links & others, links | others
    _grow(grown, either, grid.sources, grid.targets, grid.starts)
    return grown


JOININGS = {"intersection": intersection, "union": union, "grow-diagonal": grow_diagonal}


@njit(cache=True)
def _grow(grown: Any, either: Any, sources: Any, targets: Any, starts: Any) -> None:
    for pair in range(len(sources)):
        rows, columns = targets[pair], sources[pair]
        own = grown[starts[pair] : starts[pair + 1]].reshape(rows, columns)
        union = either[starts[pair] : starts[pair + 1]].reshape(rows, columns)
        has_target, has_source = np.zeros(rows, np.bool_), np.zeros(columns, np.bool_)
        for row in range(rows):
            for column in range(columns):
                if own[row, column]:
                    has_target[row] = has_source[column] = True
        added = True
        while added:
            added = False
            for row in range(rows):
                for column in range(columns):
                    if not own[row, column]:
                        continue
                    for step in NEIGHBOURS:
                        near, beside = row + step[0], column + step[1]
                        if near < 0 or near >= rows or beside < 0 or beside >= columns:
                            continue
                        is_free = not has_target[near] or not has_source[beside]
                        if union[near, beside] and not own[near, beside] and is_free:
                            own[near, beside] = has_target[near] = has_source[beside] = True
                            added = True
