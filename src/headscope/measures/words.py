"""Attention between words, compiled for the CPU: whole batches and all heads at once.

Attention to a split word is summed over its pieces, attention from it averaged (Clark et al. 2019, 4.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit, prange


def word_maps(weights: torch.Tensor, numbers: np.ndarray, count: int) -> np.ndarray:
    """Maps over words, (batch, head, word, word + 1), float32.

    weights: (batch, head, piece, piece). numbers: (batch, piece), the word of each piece, -1 for pieces
    that belong to none. The last column is the attention to those. Words without pieces have empty rows.

    >>> halves = torch.tensor([[[[0.5, 0.25, 0.25], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]]])
    >>> word_maps(halves, np.array([[-1, 0, 0]]), 1)
    array([[[[0.5, 0.5]]]], dtype=float32)
    """
    batch, heads = weights.shape[:2]
    maps = np.zeros((batch, heads, count, count + 1), np.float32)
    _gather(weights.detach().float().cpu().numpy(), numbers, _sizes(numbers, count), maps)
    return maps


def strongest_others(maps: np.ndarray, visible: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The other word that each word attends to most, and the one that attends most to it.

    maps: (batch, head, word, at least word). visible: (batch, word) bool, words that may be chosen. Both
    answers are (batch, head, word), -1 where no other word gets or gives anything; of equals, the first.

    >>> map = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]], np.float32)
    >>> to, by = strongest_others(map[None, None])
    >>> to.tolist(), by.tolist()
    ([[[1, 2, -1]]], [[[1, 0, 1]]])
    """
    shape = maps.shape[:3]
    to, by = (np.full(shape, -1, np.int32) for _ in range(2))
    seen = np.ones((shape[0], shape[2]), np.bool_) if visible is None else visible
    _choose(maps, seen, to, by)
    return to, by


def _sizes(numbers: np.ndarray, count: int) -> np.ndarray:
    """How many pieces each word has, (batch, word)."""
    rows = np.broadcast_to(np.arange(len(numbers))[:, None], numbers.shape)
    known = numbers >= 0
    flat = np.bincount(rows[known] * count + numbers[known], minlength=len(numbers) * count)
    return flat.reshape(len(numbers), count)


@njit(parallel=True, cache=True)
def _gather(weights: Any, numbers: Any, sizes: Any, maps: Any) -> None:
    batch, heads, pieces, keys = weights.shape
    for place in prange(batch * heads):
        one, head = place // heads, place % heads
        word_of = numbers[one]
        for query in range(pieces):
            word = word_of[query]
            if word < 0:
                continue
            share = np.float32(1) / np.float32(sizes[one, word])
            row = maps[one, head, word]
            for key in range(keys):
                # -1 is the last column, which holds what no word gets.
                row[word_of[key]] += weights[one, head, query, key] * share


@njit(parallel=True, cache=True)
def _choose(maps: Any, seen: Any, to: Any, by: Any) -> None:
    batch, heads, words = to.shape
    for place in prange(batch * heads):
        one, head = place // heads, place % heads
        given = np.zeros(words, np.float32)
        for query in range(words):
            most = np.float32(0)
            for key in range(words):
                weight = maps[one, head, query, key]
                if key == query:
                    continue
                if weight > most and seen[one, key]:
                    most = weight
                    to[one, head, query] = key
                if weight > given[key] and seen[one, query]:
                    given[key] = weight
                    by[one, head, key] = query
