"""How much attention each word of a text receives, compiled for the CPU: whole batches and all heads at once.

Attention to a split word is summed over its pieces, attention from it averaged (`words`); then it is summed
over the words that look, and the largest is kept. Beside it the score of Kang and Shin 2023 (SAMRank).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit

from headscope.measures.threads import on_threads
from headscope.measures.words import Pieces, as_array, fill_map


def received(weights: torch.Tensor, numbers: np.ndarray, looking: np.ndarray) -> np.ndarray:
    """What each word receives, (batch, head, 2, word) float32: the sum over words that look, and the largest.

    weights: (batch, head, piece, piece). numbers: (batch, piece), the word of each piece, -1 for pieces of
    none, -2 for padding. looking: (batch, word) bool, the words whose attention counts.

    >>> halves = torch.tensor([[[[0.5, 0.25, 0.25], [0.2, 0.8, 0.0], [0.0, 0.5, 0.5]]]])
    >>> looking = np.array([[True, True]])
    >>> received(halves, np.array([[-1, 0, 1]]), looking)
    array([[[[1.3, 0.5],
             [0.8, 0.5]]]], dtype=float32)
    """
    given, words = as_array(weights), looking.shape[1]
    taken = np.zeros((*given.shape[:2], 2, words), np.float32)
    pieces, heads = Pieces.of(numbers, words), given.shape[0] * given.shape[1]
    on_threads(lambda start, stop: _take(given, pieces, looking, taken, start, stop), heads)
    return taken


def ranked_by_graph(weights: torch.Tensor, special: torch.Tensor) -> torch.Tensor:
    """The score of each piece after Kang and Shin 2023 (SAMRank), (batch, head, piece).

    weights: (batch, head, piece, piece), rows of padding 0. special: (batch, piece) bool, padding too. The
    global score g of a piece is what it receives from all pieces. The proportional one is p_i = sum_j B_ij,
    where column j of B is that of the map, scaled by g_j and then normalised to 1: so the scaling cancels,
    B_ij = A_ij / g_j, and only the columns of special pieces, whose g is set to 0, are gone. The paper does
    so with [SEP] alone.

    >>> ranked_by_graph(torch.tensor([[[[0.5, 0.5], [1.0, 0.0]]]]), torch.tensor([[False, False]])).round(decimals=3)
    tensor([[[2.8330, 1.1670]]])
    """
    total = weights.sum(-2).masked_fill(special[:, None], 0.0)
    share = torch.where(total > 0, 1 / total.clamp_min(1e-30), torch.zeros_like(total))
    return total + torch.matmul(weights, share[..., None])[..., 0]


@njit(nogil=True, cache=True)
def _take(weights: Any, pieces: Any, looking: Any, taken: Any, start: int, stop: int) -> Any:
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
