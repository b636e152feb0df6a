"""agrees with people: it marks what people marked as their reasons (DeYoung et al. 2020)."""

from __future__ import annotations

import numpy as np

from headscope.measures.faithfulness import orders
from headscope.questions.trust.judging import Judged, judge


def agrees(
    importance: np.ndarray,
    chance: np.ndarray,
    marked: np.ndarray,
    documents: np.ndarray,
    margin: float,
    seed: int,
) -> Judged:
    """The area under the precision-recall curve, between that of random orders and 1.

    importance: (answer, word). chance: (answer, shuffle, word). marked: (answer, word) bool; an answer
    without a marked word, or with all marked, does not count.
    """
    counts = (~np.isnan(importance)).sum(1)
    value = precision_area(importance, marked)
    drawn = np.mean([precision_area(chance[:, place], marked) for place in range(chance.shape[1])], 0)
    known = marked.any(1) & (marked.sum(1) < counts)
    return judge(np.where(known, value, np.nan), drawn, np.ones(len(value)), documents, margin, seed)


def precision_area(importance: np.ndarray, marked: np.ndarray) -> np.ndarray:
    """Mean precision at each marked word, going from the most important on: (answer, word) to (answer,).

    >>> precision_area(np.array([[0.5, 0.3, 0.2]]), np.array([[True, False, True]])).round(3)  # (1 + 2/3) / 2
    array([0.833])
    """
    counts = (~np.isnan(importance)).sum(1)
    order = orders(importance, counts)
    hit = np.take_along_axis(marked, order.clip(0), 1) & (order >= 0)
    precision = hit.cumsum(1) / np.arange(1, hit.shape[1] + 1)
    found = (precision * hit).sum(1)
    total = hit.sum(1)
    area: np.ndarray = np.divide(found, total, out=np.full(len(found), np.nan), where=total > 0)
    return area


def overlap(importance: np.ndarray, marked: np.ndarray) -> np.ndarray:
    """Intersection over union of the marked words and as many most important ones, (answer,).

    >>> overlap(np.array([[0.5, 0.3, 0.2]]), np.array([[True, False, True]])).round(3)  # one of three
    array([0.333])
    """
    counts = (~np.isnan(importance)).sum(1)
    order = orders(importance, counts)
    hit = np.take_along_axis(marked, order.clip(0), 1) & (order >= 0)
    total = marked.sum(1)
    common = (hit & (np.arange(hit.shape[1]) < total[:, None])).sum(1)
    union = 2 * total - common
    shared: np.ndarray = np.divide(common, union, out=np.full(len(common), np.nan), where=total > 0)
    return shared
