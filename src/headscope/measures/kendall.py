"""Kendall's tau of many pairs of rankings at once, and how often chance reaches it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import erfc

EXACT = 33
"""Things up to which the distribution of chance is counted; with more of them, or with ties, it is normal."""


class Taus(NamedTuple):
    """tau: (answer,) tau-b, NaN where one side ranks nothing. p: (answer,) of a two-sided test."""

    tau: np.ndarray
    p: np.ndarray


def paired_taus(first: np.ndarray, second: np.ndarray, counts: np.ndarray) -> Taus:
    """Kendall's tau-b (1945) of pairs of rankings of the same things, each pair by itself.

    first, second: (answer, word) scores. counts: (answer,) words of each; what stands behind, or has no score
    on one of both sides, is left out. p grows smaller with length: the share of pairs below .05 says more of
    long texts than of agreement.

    >>> taus = paired_taus(np.array([[1.0, 2.0, 3.0, 0.0]]), np.array([[1.0, 3.0, 2.0, 9.0]]), np.array([3]))
    >>> taus.tau.round(3), taus.p
    (array([0.333]), array([1.]))
    """
    known = (np.arange(first.shape[1]) < counts[:, None]) & ~np.isnan(first) & ~np.isnan(second)
    both = known[:, :, None] & known[:, None]
    one, other = (_signs(scores, both) for scores in (first, second))
    agreement = (one * other).sum((1, 2)) / 2  # pairs in the same order less those in the other
    decided = [(signs != 0).sum((1, 2)) / 2 for signs in (one, other)]
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = agreement / np.sqrt(decided[0] * decided[1])
    size = known.sum(1)
    pairs = size * (size - 1) / 2
    untied = (decided[0] == pairs) & (decided[1] == pairs)
    p = np.where(
        untied & (size <= EXACT), _counted(agreement, size), _normal(agreement, size, first, second, both)
    )
    return Taus(tau, np.where(np.isnan(tau), np.nan, p))


def _signs(scores: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Which of two things is higher, (answer, word, word)."""
    filled = np.nan_to_num(scores)
    return np.where(both, np.sign(filled[:, :, None] - filled[:, None]), 0.0)


def _counted(agreement: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Among all orders, the share that agrees or disagrees at least as much."""
    table = _shares(EXACT)
    counted = np.minimum(size, EXACT)
    pairs = counted * (counted - 1) // 2
    fewer = np.clip((pairs - np.abs(agreement)) / 2, 0, pairs)  # pairs in the rarer order
    shares: np.ndarray = np.minimum(1.0, 2 * table[counted, np.rint(fewer).astype(int)])
    # The middle, where both tails are the same orders.
    return np.where(agreement == 0, 1.0, shares)


@cache
def _shares(most: int) -> np.ndarray:
    """The share of orders of n things that have at most k pairs the wrong way round, (n, k)."""
    widest = most * (most - 1) // 2 + 1
    table = np.zeros((most + 1, widest))
    table[:2, 0] = 1.0
    for size in range(2, most + 1):
        sums = np.cumsum(table[size - 1])
        # The last thing stands before any number of the others, from none to all.
        table[size] = (sums - np.concatenate([np.zeros(size), sums])[:widest]) / size
    return np.cumsum(table, 1)


def _normal(
    agreement: np.ndarray, size: np.ndarray, first: np.ndarray, second: np.ndarray, both: np.ndarray
) -> np.ndarray:
    """The normal approximation with ties (Kendall 1970, chapter 4)."""
    one, other = (_ties(scores, both) for scores in (first, second))
    n = size.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (n * (n - 1) * (2 * n + 5) - one[2] - other[2]) / 18
        variance += 2 * one[0] * other[0] / (n * (n - 1)) + one[1] * other[1] / (9 * n * (n - 1) * (n - 2))
        p: np.ndarray = erfc(np.abs(agreement) / np.sqrt(2 * variance))
    return p


def _ties(scores: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums over groups of t tied things, of t(t-1)/2, t(t-1)(t-2) and t(t-1)(2t+5), each (answer,)."""
    t = (both & (scores[:, :, None] == scores[:, None])).sum(2)  # of a thing's group, with itself
    real = t > 0
    each = ((t - 1) / 2, (t - 1) * (t - 2), (t - 1) * (2 * t + 5))
    half, cube, rest = (np.where(real, sums, 0.0).sum(1) for sums in each)
    return half, cube, rest
