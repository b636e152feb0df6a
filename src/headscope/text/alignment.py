"""Which word a piece belongs to, from the character offsets that the tokenizer itself reports."""

from __future__ import annotations

import numpy as np


def align(offsets: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Give each piece the word that holds its first character of any word.

    A piece without characters, or on the white space between words, goes with the piece that follows it,
    and at the end with the piece before. A word may stay without a piece; a piece never stays without a
    word.

    Shapes: offsets (piece, 2) of character positions, starts and ends (word,) in the same text, answer
    (piece,).

    >>> offsets = np.array([[0, 2], [2, 4], [4, 5], [5, 9]])
    >>> align(offsets, starts=np.array([0, 5]), ends=np.array([4, 9]))
    array([0, 0, 1, 1])
    """
    first, last = offsets[:, 0], offsets[:, 1]
    solid = np.flatnonzero(ends > starts)
    if not solid.size:
        return np.zeros(len(offsets), dtype=np.int64)
    # The first word that ends after the piece has begun holds the piece, or begins only behind it.
    place = np.searchsorted(ends[solid], first, side="right")
    near = solid[np.minimum(place, solid.size - 1)]
    held = (place < solid.size) & (first < last) & (starts[near] < last)
    return _carry(np.where(held, near, -1))


def _carry(words: np.ndarray) -> np.ndarray:
    """Replace each -1 by the known word that follows, or else by the last known one."""
    known = np.flatnonzero(words >= 0)
    if not known.size:
        return np.zeros(len(words), dtype=np.int64)
    following = np.searchsorted(known, np.arange(len(words)))
    return words[known[np.minimum(following, known.size - 1)]]


def number_all(words: np.ndarray) -> np.ndarray:
    """Give special pieces (word -1) numbers of their own, counting in reading order: (piece,) to (piece,).

    >>> number_all(np.array([-1, 0, 0, 1, -1]))
    array([0, 1, 1, 2, 3])
    """
    starts = np.ones(len(words), dtype=bool)
    starts[1:] = (words[1:] != words[:-1]) | (words[1:] < 0)
    return starts.cumsum() - 1
