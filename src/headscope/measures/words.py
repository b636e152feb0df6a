"""Attention between words, compiled for the CPU: whole batches and all heads at once.

Attention to a split word is summed over its pieces, attention from it averaged (Clark et al. 2019, 4.1).
Loops run over slices from 0 and are kept apart: so written, the compiler vectorises them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numba import njit

from headscope.measures.threads import on_threads


class Pieces(NamedTuple):
    """Which pieces make up the words of a batch.

    word: (batch, piece), -1 for pieces of no word, -2 for padding. sizes and first: (batch, word), how many
    pieces a word has and where the first is (0 where it has none). run: (batch,), how many words from the
    first on have one piece each, one after the other. more, loose, absent: second and later pieces of words,
    pieces of no word, and words without a piece, text after text; `ends` (3, batch + 1) says where those of
    each text begin and end.
    """

    word: np.ndarray
    sizes: np.ndarray
    first: np.ndarray
    run: np.ndarray
    more: np.ndarray
    loose: np.ndarray
    absent: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, words: int) -> Pieces:
        """Take the word of each piece, (batch, piece), -1 for pieces of no word, -2 for padding."""
        numbers = numbers.astype(np.int64)
        batch = len(numbers)
        text, piece = np.nonzero(numbers >= 0)
        key = text * words + numbers[text, piece]
        sizes = np.bincount(key, minlength=batch * words).reshape(batch, words)
        known, place = np.unique(key, return_index=True)
        first = np.zeros((batch, words), np.int64)
        first.reshape(-1)[known] = piece[place]
        steps = (sizes == 1) & (first - first[:, :1] == np.arange(words))
        run = np.where(steps.all(1), words, steps.argmin(1))
        later = np.ones(len(key), bool)
        later[place] = False
        lists = [(text[later], piece[later]), np.nonzero(numbers == -1), np.nonzero(sizes == 0)]
        ends = np.stack([np.searchsorted(rows, np.arange(batch + 1)) for rows, _ in lists])
        # Every layout of memory is another type, for which all would be compiled again.
        more, loose, absent = (np.ascontiguousarray(items) for _, items in lists)
        return cls(numbers, sizes, first, run, more, loose, absent, ends)


def word_maps(weights: torch.Tensor, numbers: np.ndarray, count: int) -> np.ndarray:
    """Maps over words, (batch, head, word, word + 1), float32.

    weights: (batch, head, piece, piece). numbers: (batch, piece), the word of each piece, -1 for pieces
    that belong to none. The last column is the attention to those. Words without pieces have empty rows.

    >>> halves = torch.tensor([[[[0.5, 0.25, 0.25], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]]])
    >>> word_maps(halves, np.array([[-1, 0, 0]]), 1)
    array([[[[0.5, 0.5]]]], dtype=float32)
    """
    maps = np.empty((*weights.shape[:2], count, count + 1), np.float32)
    given, pieces = as_array(weights), Pieces.of(numbers, count)
    heads = given.shape[0] * given.shape[1]
    on_threads(lambda start, stop: _fill_maps(given, pieces, maps, start, stop), heads)
    return maps


def strongest_others(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The other word that each word attends to most, and the one that attends most to it.

    maps: (batch, head, word, at least word). Both answers are (batch, head, word), -1 where no other word
    gets or gives anything; of equals, the first.

    >>> map = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]], np.float32)
    >>> to, by = strongest_others(map[None, None])
    >>> to.tolist(), by.tolist()
    ([[[1, 2, -1]]], [[[1, 0, 1]]])
    """
    words = maps.shape[2]
    others = maps[..., :words] * ~np.eye(words, dtype=bool)
    to, by = (np.where(others.max(axis) > 0, others.argmax(axis), -1) for axis in (-1, -2))
    return to, by


def as_array(weights: torch.Tensor) -> np.ndarray:
    """Weights as compiled code takes them: float32, one after the other, in the memory of the CPU."""
    return np.ascontiguousarray(weights.detach().float().cpu().numpy())


@njit(fastmath=True, cache=True)
def fill_map(weights: Any, pieces: Any, text: Any, map: Any) -> Any:
    """Make a map over words (word, word + 1) of one head's weights (piece, piece) for a text of a batch."""
    words = len(map)
    word, sizes, first = pieces.word[text], pieces.sizes[text], pieces.first[text]
    more = pieces.more[pieces.ends[0, text] : pieces.ends[0, text + 1]]
    loose = pieces.loose[pieces.ends[1, text] : pieces.ends[1, text + 1]]
    absent = pieces.absent[pieces.ends[2, text] : pieces.ends[2, text + 1]]
    if pieces.run[text] >= words:
        _copy_map(weights, first[0], loose, map)
        return
    map[:] = 0
    for query in range(len(weights)):
        if word[query] < 0:
            continue
        share = np.float32(1) / np.float32(sizes[word[query]])
        row, own = map[word[query]], weights[query]
        for each in range(words):
            row[each] += own[first[each]] * share
        for piece in more:
            row[word[piece]] += own[piece] * share
        for each in absent:
            if each < words:  # those beyond only fill up a batch
                row[each] = 0
        for piece in loose:
            row[words] += own[piece] * share


@njit(fastmath=True, cache=True)
def _copy_map(weights: Any, start: Any, loose: Any, map: Any) -> Any:
    """The common case: whole words, one piece after the other."""
    words = len(map)
    for query in range(words):
        own, row = weights[start + query], map[query]
        inside = own[start : start + words]
        for key in range(words):
            row[key] = inside[key]
        rest = np.float32(0)
        for piece in loose:
            rest += own[piece]
        row[words] = rest


@njit(nogil=True, cache=True)
def _fill_maps(weights: Any, pieces: Any, maps: Any, start: int, stop: int) -> Any:
    heads = weights.shape[1]
    for place in range(start, stop):
        text, head = place // heads, place % heads
        fill_map(weights[text, head], pieces, text, maps[text, head])
