"""How much of an answer hangs on the words that an explanation names: erasure, scored.

Probabilities are those of the answer; `before` with the whole text, `after` without some of its words.
Arrays are (answer, word), filled up with NaN, False or -1 behind a text's own words; counts: (answer,).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Shares of words that are taken away or left (DeYoung et al. 2020, section 4.2)."""


def untied(importance: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Importances in the same order without ties, which go by other numbers, higher ones first.

    importance, ties: (..., word). What cannot be judged (NaN) stays so. An explanation that ranks nothing
    would else read as "from left to right".

    >>> untied(np.array([0.5, 0.1, 0.5, np.nan]), np.array([0.2, 0.9, 0.4, 0.3]))
    array([-1., -2., -0., nan])
    """
    keys = np.broadcast_arrays(-ties, np.where(np.isnan(importance), np.inf, -importance))
    order = np.lexsort(keys, axis=-1)
    places = np.broadcast_to(np.arange(importance.shape[-1], dtype=float), importance.shape)
    ranks = np.empty(importance.shape)
    np.put_along_axis(ranks, order, places, -1)
    without: np.ndarray = np.where(np.isnan(importance), np.nan, -ranks)
    return without


def orders(importance: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The words of each text, the most important first: (answer, word) to (answer, rank), -1 behind the last.

    Ties go by place; words that cannot be judged (NaN) come last.

    >>> orders(np.array([[0.1, np.nan, 0.7], [0.2, 0.2, np.nan]]), np.array([3, 2]))
    array([[ 2,  0,  1],
           [ 0,  1, -1]])
    """
    places = np.arange(importance.shape[1])
    real = places < counts[:, None]
    keys = np.where(real, np.where(np.isnan(importance), np.inf, -importance), np.nan)  # NaN sorts last
    order = np.argsort(keys, axis=1, kind="stable")
    ranked: np.ndarray = np.where(real, order, -1)
    return ranked


def erased_along(order: np.ndarray) -> np.ndarray:
    """What is gone after each step of an order: (answer, rank) to bool (answer, step, word).

    Behind the last word of a text, all are gone.

    >>> erased_along(np.array([[2, 0, 1]]))[0].astype(int)
    array([[0, 0, 1],
           [1, 0, 1],
           [1, 1, 1]])
    """
    gone = order[..., None] == np.arange(order.shape[1])
    result: np.ndarray = np.logical_or.accumulate(gone, axis=1)
    return result


def top_sets(importance: np.ndarray, counts: np.ndarray, shares: Sequence[float] = SHARES) -> np.ndarray:
    """The most important words: (answer, word) to bool (answer, share, word).

    Of each text ceil(share x count) words, at least one.

    >>> top_sets(np.array([[0.3, 0.5, 0.1, 0.2]]), np.array([4]), (0.25, 0.5))[0].astype(int)
    array([[0, 1, 0, 0],
           [1, 1, 0, 0]])
    """
    order = orders(importance, counts)
    # A share of a count that is whole must not become the next number by rounding.
    taken = np.ceil(np.multiply.outer(counts, np.asarray(shares)) - 1e-9).astype(int).clip(1)
    steps = erased_along(order)
    if not steps.shape[1]:
        return np.zeros((len(counts), len(shares), 0), bool)
    sets: np.ndarray = np.take_along_axis(steps, (taken - 1)[..., None], axis=1)
    return sets


def comprehensiveness(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Fall of the probability without the most important words, mean over shares.

    DeYoung et al. 2020, equation 1. before: (answer,). after: (answer, share), without them. High is good.

    >>> comprehensiveness(np.array([0.9]), np.array([[0.8, 0.3]]))
    array([0.35])
    """
    fall: np.ndarray = (before[:, None] - after).mean(1)
    return fall


def sufficiency(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Fall of the probability with these words alone, mean over shares.

    DeYoung et al. 2020, equation 2. before: (answer,). after: (answer, share), with only them. Low is good.

    >>> sufficiency(np.array([0.9]), np.array([[0.5, 0.9]]))
    array([0.2])
    """
    return comprehensiveness(before, after)


def aopc(before: np.ndarray, after: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Area over the curve of words taken away one by one: the mean fall of the probability over all steps.

    before: (answer,). after: (answer, step), the last step of a text without any of its words. Samek et al.
    2017, equation 12, without its step 0. NaN for a text without words.

    >>> aopc(np.array([0.8]), np.array([[0.6, 0.4, np.nan]]), np.array([2])).round(9)
    array([0.3])
    """
    real = np.arange(after.shape[1]) < counts[:, None]
    falls = np.where(real, before[:, None] - after, 0.0).sum(1)
    area: np.ndarray = np.divide(falls, counts, out=np.full(len(falls), np.nan), where=counts > 0)
    return area


def normalised(value: np.ndarray, low: np.ndarray, high: np.ndarray, least: float = 0.0) -> np.ndarray:
    """Where a value lies between the worst and the best that there is: NAOPC (Edin et al. 2025).

    NaN where the model's worst and best are the same, or nearer to each other than `least`.

    >>> normalised(np.array([0.3, 0.1]), np.array([0.1, 0.1]), np.array([0.5, 0.1]))
    array([0.5, nan])
    """
    width = high - low
    place: np.ndarray = np.divide(
        value - low, width, out=np.full(np.shape(width), np.nan), where=width > least
    )
    return place


class UntilFlip(NamedTuple):
    """share: (answer,) of words that were erased when the decision first changed, 1 where it never did.

    flipped: (answer,) whether it did.
    """

    share: np.ndarray
    flipped: np.ndarray


def until_flip(before: np.ndarray, after: np.ndarray, counts: np.ndarray) -> UntilFlip:
    """How long a decision stands (Serrano and Smith 2019, section 5).

    before: (answer,) the decision of the whole text. after: (answer, step), that without so many words more.

    >>> until_flip(np.array([1, 0]), np.array([[1, 0, 1, 0], [0, 0, -1, -1]]), np.array([4, 2]))
    UntilFlip(share=array([0.5, 1. ]), flipped=array([ True, False]))
    """
    real = np.arange(after.shape[1]) < counts[:, None]
    other = real & (after != before[:, None])
    flipped = other.any(1)
    steps = other.argmax(1) + 1 if other.shape[1] else np.ones(len(counts))
    return UntilFlip(np.where(flipped, steps / np.maximum(counts, 1), 1.0), flipped)
