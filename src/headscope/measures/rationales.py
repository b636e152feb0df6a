"""Whether an explanation names the words that people named.

This says nothing of the model: it may answer by other words than people would. Arrays are (answer, word);
named: bool, the words of a rationale; counts: (answer,) words of each text.
"""

from __future__ import annotations

import numpy as np

from headscope.measures.faithfulness import erased_along, orders


def average_precision(importance: np.ndarray, named: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The area under the curve of precision and recall (AUPRC; DeYoung et al. 2020, section 4.1), (answer,).

    The mean precision at each named word, words in the order of their importance, ties by place. Chance gives
    about the share of words that are named. NaN where none is.

    >>> average_precision(np.array([[0.9, 0.5, 0.7]]), np.array([[True, True, False]]), np.array([3]))
    array([0.833...])
    """
    order = orders(importance, counts)
    hits = np.take_along_axis(named, order.clip(0), axis=1) & (order >= 0)
    precision = np.cumsum(hits, 1) / np.arange(1, hits.shape[1] + 1)
    return _mean(precision, hits)


def overlap(importance: np.ndarray, named: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Intersection over union of a rationale and as many of the most important words, (answer,).

    >>> overlap(np.array([[0.9, 0.1, 0.7]]), np.array([[True, True, False]]), np.array([3]))
    array([0.333...])
    """
    named = named & (np.arange(named.shape[1]) < counts[:, None])
    size = named.sum(1)
    steps = erased_along(orders(importance, counts))
    top = np.take_along_axis(steps, np.maximum(size - 1, 0)[:, None, None], axis=1)[:, 0]
    both, either = (named & top).sum(1), (named | top).sum(1)
    shares: np.ndarray = np.divide(both, either, out=np.full(len(both), np.nan), where=size > 0)
    return shares


def _mean(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    count = chosen.sum(1)
    sums = np.where(chosen, values, 0.0).sum(1)
    means: np.ndarray = np.divide(sums, count, out=np.full(len(sums), np.nan), where=count > 0)
    return means
