"""How well scores find what is wanted: average precision, with its error over documents, and thresholds.

Average precision (the area under the curve of precision and recall) is the mean, over all that is wanted, of
the precision at its score; equal scores are taken at once. Its error is that of the infinitesimal jackknife
(Efron 1982, chapter 6): documents are the draws, and what one of them adds is the derivative of the score by
its weight. So differences between scores over the same documents have errors too, without drawing any.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from headscope.measures.threads import on_threads

Z = 1.959964
"""Standard errors to either side of a 95 % interval."""


class Precision(NamedTuple):
    """Average precision (score,), and what each document adds to it (score, document), which sums to 0."""

    value: np.ndarray
    influence: np.ndarray

    def error(self) -> np.ndarray:
        """The standard error over documents, (score,)."""
        error: np.ndarray = np.sqrt((self.influence**2).sum(-1))
        return error


def average_precision(scores: np.ndarray, wanted: np.ndarray, documents: np.ndarray) -> Precision:
    """Of scores (score, thing) for things that are wanted (thing,) bool and belong to documents (thing,).

    NaN where nothing is wanted, or a score is no number. documents: numbers from 0.

    >>> wanted = np.array([True, False, True, False])
    >>> found = average_precision(np.array([[4.0, 3.0, 2.0, 1.0]]), wanted, np.zeros(4, int))
    >>> found.value.round(3).tolist(), found.influence.shape
    ([0.833], (1, 1))
    """
    count = int(documents.max(initial=-1)) + 1
    value, influence = np.full(len(scores), np.nan), np.zeros((len(scores), count))
    if wanted.any():
        is_wanted, owner = wanted.astype(np.float64), np.ascontiguousarray(documents, np.int64)

        def work(start: int, stop: int) -> None:
            for row in range(start, stop):
                own = np.ascontiguousarray(scores[row])
                if not np.isnan(own).any():
                    value[row] = _average(
                        own.astype(np.float64), descending(own), is_wanted, owner, influence[row]
                    )

        on_threads(work, len(scores))
    return Precision(value, influence)


def descending(scores: np.ndarray) -> np.ndarray:
    """The places of scores (thing,), the highest first and of equals the first one first.

    Numbers of 32 bits are sorted by their lower and then by their upper half (a radix sort, which numpy has
    for 16 bits): some four times as fast as by comparing them.

    >>> descending(np.array([0.5, -1.0, 2.0, 0.5, -2.0], np.float32)).tolist()
    [2, 0, 3, 1, 4]
    """
    if scores.dtype != np.float32:
        return np.argsort(-scores, kind="stable")
    bits = (-scores + np.float32(0)).view(np.uint32)  # of two zeros, one is left
    # As whole numbers, bits of positive ones are in order, and those of negative ones the other way round.
    bits = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
    lower = np.argsort(bits.astype(np.uint16), kind="stable")
    return lower[np.argsort((bits >> 16).astype(np.uint16)[lower], kind="stable")]


def best_threshold(scores: np.ndarray, wanted: np.ndarray) -> float:
    """The score from which on things are taken for the highest F1; of equals, the highest score.

    >>> best_threshold(np.array([0.9, 0.8, 0.3, 0.1]), np.array([True, False, True, False]))
    0.3
    """
    order = descending(scores)
    ranked, right = scores[order], np.cumsum(wanted[order])
    is_last = np.append(ranked[:-1] != ranked[1:], True)
    f1 = np.where(is_last, 2 * right / (np.arange(1, len(right) + 1) + wanted.sum()), -1.0)
    return float(ranked[int(f1.argmax())])


def found_by_document(taken: np.ndarray, wanted: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Things right, taken and wanted in each document: (thing,) each to (document, 3)."""
    count = int(documents.max(initial=-1)) + 1
    kinds = (taken & wanted, taken, wanted)
    return np.stack([np.bincount(documents, kind, count) for kind in kinds], 1)


@njit(nogil=True, cache=True)
def _average(scores: Any, order: Any, wanted: Any, documents: Any, influence: Any) -> Any:
    """Average precision, and the derivative by the weight of each document.

    With weights w, AP = sum_i w_i y_i T_i / N_i / P, where T and N count what is wanted, and all, down to the
    score of i. A thing j is in T and N of all that come with it or later, so what it adds there is a sum over
    these, kept while going up from the end.
    """
    size = len(order)
    right, seen = np.empty(size), np.empty(size)
    total, start = 0.0, 0
    while start < size:
        stop = start
        while stop < size and scores[order[stop]] == scores[order[start]]:
            total += wanted[order[stop]]
            stop += 1
        right[start:stop], seen[start:stop] = total, stop
        start = stop
    value = 0.0
    for place in range(size):
        value += wanted[order[place]] * right[place] / seen[place]
    value /= total
    inverse = squared = 0.0  # sums over what is wanted with or behind a score of 1 / N and of T / N^2
    start = size
    while start > 0:
        stop = start
        while start > 0 and scores[order[start - 1]] == scores[order[stop - 1]]:
            start -= 1
        for place in range(start, stop):
            inverse += wanted[order[place]] / seen[place]
            squared += wanted[order[place]] * right[place] / seen[place] ** 2
        for place in range(start, stop):
            thing = order[place]
            own = wanted[thing] * (right[place] / seen[place] - value)
            influence[documents[thing]] += (own + wanted[thing] * inverse - squared) / total
    return value
