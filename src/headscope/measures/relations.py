"""Counting what heads get right about pairs of words, compiled for the CPU.

From the weights of a layer straight into sums: a map over words lives only while its head is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit, prange

from headscope.measures.words import as_array, fill_map


def add_right(weights: torch.Tensor, trees: Any, total: np.ndarray, first: int) -> None:
    """Count the heads of one layer, which are items from `first` on.

    weights: (batch, head, piece, piece). trees: an `analyses.trees.Trees`. total: (block, cell, item, 5),
    added to: right in each of three readings, then the attention to pieces that are no words, from the
    dependent, and from the head word where the row is the first of its relation. The last cell takes the
    attention to such pieces from every word.
    """
    # Where the sums of a row's cell begin, and those of all words, for the first of these heads.
    _, cells, items, kept = total.shape
    place = ((trees.block * cells + trees.relation) * items + first) * kept
    every = ((trees.blocks * cells + cells - 1) * items + first) * kept
    _add(
        as_array(weights), *trees.pieces, trees.words, trees.starts, trees.word, trees.head, trees.asked,
        trees.reached, trees.bears, place, every, kept, total.reshape(-1),
    )  # fmt: skip


@njit(fastmath=True, cache=True)
def _largest(map: Any, rows: Any, columns: Any) -> Any:
    """Fill in the largest weight of each row and column (word,) of a map, whose diagonal becomes 0."""
    words = len(rows)
    columns[:] = 0
    for query in range(words):
        row = map[query]
        row[query] = 0
        most = np.float32(0)
        for key in range(words):
            most = max(most, row[key])
        rows[query] = most
        for key in range(words):
            columns[key] = max(columns[key], row[key])


@njit(cache=True)
def _is_most_of_row(map: Any, query: Any, key: Any, most: Any) -> Any:
    """Whether a weight is the largest of its row; of equals the first."""
    if map[query, key] != most or most == 0:
        return False
    for before in range(key):  # noqa: SIM110 (generators do not compile)
        if map[query, before] == most:
            return False
    return True


@njit(cache=True)
def _is_most_of_column(map: Any, query: Any, key: Any, most: Any) -> Any:
    """The same for its column."""
    if map[query, key] != most or most == 0:
        return False
    for before in range(query):  # noqa: SIM110
        if map[before, key] == most:
            return False
    return True


@njit(parallel=True, cache=True)
def _add(
    weights: Any, word_of: Any, sizes: Any, first: Any, run: Any, more: Any, loose: Any, absent: Any,
    ends: Any, words: Any, starts: Any, word: Any, head: Any, asked: Any, reached: Any, bears: Any,
    place: Any, every: Any, kept: Any, sums: Any,
) -> Any:  # fmt: skip
    longest = first.shape[1]
    # Each thread has heads of its own, so no two of them add to the same place.
    for item in prange(weights.shape[1]):
        room = np.empty((longest, longest + 1), np.float32)
        rows, columns = np.empty(longest, np.float32), np.empty(longest, np.float32)
        for one in range(weights.shape[0]):
            size = words[one]
            map = room[:size, : size + 1]
            fill_map(
                weights[one, item], word_of[one], sizes[one], first[one, :size], run[one],
                more[ends[0, one] : ends[0, one + 1]], loose[ends[1, one] : ends[1, one + 1]],
                absent[ends[2, one] : ends[2, one + 1]], map,
            )  # fmt: skip
            _largest(map, rows[:size], columns[:size])
            for row in range(starts[one], starts[one + 1]):
                own, asks, to, by = place[row] + item * kept, asked[row], head[row], word[row]
                if reached[row, 0] and _is_most_of_row(map, asks, to, rows[asks]):
                    sums[own] += 1
                if reached[row, 1] and _is_most_of_column(map, to, asks, columns[asks]):
                    sums[own + 1] += 1
                if reached[row, 2] and _is_most_of_row(map, to, by, rows[to]):
                    sums[own + 2] += 1
                sums[own + 3] += map[by, size]
                if bears[row]:
                    sums[own + 4] += map[to, size]
            for each in range(size):
                sums[every[one] + item * kept + 3] += map[each, size]
