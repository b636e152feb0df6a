"""agrees with people: it marks what people marked as their reasons (DeYoung et al. 2020)."""

from __future__ import annotations

import numpy as np

from headscope.measures.rationales import average_precision
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
    value = average_precision(importance, marked, counts)
    shuffles = [average_precision(each, marked, counts) for each in chance.transpose(1, 0, 2)]
    known = marked.any(1) & (marked.sum(1) < counts)
    return judge(
        np.where(known, value, np.nan), np.mean(shuffles, 0), np.ones(len(value)), documents, margin, seed
    )
