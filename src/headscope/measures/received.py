"""How much attention each word of a text receives, compiled for the CPU: whole batches and all heads at once.

Attention to a split word is summed over its pieces, attention from it averaged (`words`); then it is summed
over the words that look, and the largest is kept. Beside it the score of Kang and Shin 2023 (SAMRank): the
global score g of a piece is what it receives from all pieces; the proportional one is p_i = sum_j B_ij,
where column j of B is that of the map, scaled by g_j and then normalised to 1. So the scaling cancels: B_ij
= A_ij / g_j, and only the columns of special pieces, whose g is set to 0, are gone. (The paper does so with
[SEP] alone.) The score of a piece is g + p, and that of a word the sum over its pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit

from headscope.measures.threads import on_threads
from headscope.measures.words import Pieces, as_array, fill_map


def received(
    weights: torch.Tensor, numbers: np.ndarray, looking: np.ndarray, special: np.ndarray
) -> np.ndarray:
    """What each word receives, (batch, head, 3, word) float32: sum over words that look, largest, SAMRank.

    weights: (batch, head, piece, piece). numbers: (batch, piece), the word of each piece, -1 for pieces of
    none, -2 for padding. looking: (batch, word) bool, the words whose attention counts. special: (batch,
    piece) bool.

    >>> halves = torch.tensor([[[[0.5, 0.25, 0.25], [0.2, 0.8, 0.0], [0.0, 0.5, 0.5]]]])
    >>> looking, special = np.array([[True, True]]), np.array([[True, False, False]])
    >>> received(halves, np.array([[-1, 0, 1]]), looking, special).round(3)[0, 0]
    array([[1.3  , 0.5  ],
           [0.8  , 0.5  ],
           [2.066, 1.739]], dtype=float32)
    """
    given, words = as_array(weights), looking.shape[1]
    taken = np.zeros((*given.shape[:2], 3, words), np.float32)
    pieces, heads = Pieces.of(numbers, words), given.shape[0] * given.shape[1]
    special = np.ascontiguousarray(special)
    on_threads(lambda start, stop: _take(given, pieces, looking, special, taken, start, stop), heads)
    return taken


@njit(nogil=True, fastmath=True, cache=True)
def _take(weights: Any, pieces: Any, looking: Any, special: Any, taken: Any, start: int, stop: int) -> Any:
    heads, words = weights.shape[1], looking.shape[1]
    map = np.empty((words, words + 1), np.float32)
    for place in range(start, stop):
        text, head = place // heads, place % heads
        fill_map(weights[text, head], pieces, text, map)
        total, most = taken[text, head, 0], taken[text, head, 1]
        for query in range(words):
            if looking[text, query]:
                row = map[query]
                for key in range(words):
                    total[key] += row[key]
                    most[key] = max(most[key], row[key])
        _rank(weights[text, head], pieces.word[text], special[text], taken[text, head, 2])


@njit(nogil=True, fastmath=True, cache=True)
def _rank(weights: Any, word: Any, special: Any, scores: Any) -> Any:
    """Add SAMRank's scores of one head's weights (piece, piece) to those of words."""
    size = len(word)
    heard = np.zeros(size, np.float32)
    for query in range(size):
        if word[query] > -2:
            row = weights[query]
            for key in range(size):
                heard[key] += row[key]
    share = np.zeros(size, np.float32)
    for key in range(size):
        if not special[key] and heard[key] > 0:
            share[key] = 1 / heard[key]
    for piece in range(size):
        if word[piece] >= 0:
            row, own = weights[piece], np.float32(0)
            for key in range(size):
                own += row[key] * share[key]
            scores[word[piece]] += heard[piece] + own
