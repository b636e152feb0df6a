"""Counting what heads get right about pairs of words, compiled for the CPU.

From the weights of a layer straight into sums: a map over words lives only while its head is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit

from headscope.measures.threads import on_threads
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
    given = (
        as_array(weights), trees.pieces, trees.words, trees.starts, trees.word, trees.head, trees.asked,
        trees.reached, trees.bears, place, every, kept, total.reshape(-1),
    )  # fmt: skip
    on_threads(lambda start, stop: _add(*given, start, stop), weights.shape[1])


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
def _is_most(line: Any, place: Any, most: Any) -> Any:
    """Whether the weight at a place is the largest of its row or column (word,); of equals the first."""
    if line[place] != most or most == 0:
        return False
    for before in range(place):  # noqa: SIM110 (generators do not compile)
        if line[before] == most:
            return False
    return True


@njit(nogil=True, cache=True)
def _add(
    weights: Any, pieces: Any, words: Any, starts: Any, word: Any, head: Any, asked: Any, reached: Any,
    bears: Any, place: Any, every: Any, kept: Any, sums: Any, start: int, stop: int,
) -> Any:  # fmt: skip
    longest = pieces.first.shape[1]
    # Each thread has heads of its own, so no two of them add to the same place.
    for item in range(start, stop):
        room = np.empty((longest, longest + 1), np.float32)
        rows, columns = np.empty(longest, np.float32), np.empty(longest, np.float32)
        for text in range(weights.shape[0]):
            size = words[text]
            map = room[:size, : size + 1]
            fill_map(weights[text, item], pieces, text, map)
            _largest(map, rows[:size], columns[:size])
            for row in range(starts[text], starts[text + 1]):
                own, asks, to, by = place[row] + item * kept, asked[row], head[row], word[row]
                if reached[row, 0] and _is_most(map[asks], to, rows[asks]):
                    sums[own] += 1
                if reached[row, 1] and _is_most(map[:, asks], to, columns[asks]):
                    sums[own + 1] += 1
                if reached[row, 2] and _is_most(map[to], by, rows[to]):
                    sums[own + 2] += 1
                sums[own + 3] += map[by, size]
                if bears[row]:
                    sums[own + 4] += map[to, size]
            for each in range(size):
                sums[every[text] + item * kept + 3] += map[each, size]
