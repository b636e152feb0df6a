"""How alike several rankings of the same things are."""

from __future__ import annotations

import numpy as np


def rank_agreement(scores: np.ndarray) -> np.ndarray:
    """Kendall's tau-b between all pairs of rankings, (ranking, ranking); NaN where one ranks nothing.

    scores: (ranking, thing); a thing that has no score in one of a pair is left out for that pair.
    Kendall 1945: ties count for neither side.

    >>> rank_agreement(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 1.0, 2.0]])).round(3)
    array([[ 1.   , -1.   ,  0.816],
           [-1.   ,  1.   , -0.816],
           [ 0.816, -0.816,  1.   ]])
    """
    things = scores.shape[1]
    first, second = np.triu_indices(things, 1)
    signs = np.sign(scores[:, first] - scores[:, second])  # (ranking, pair)
    known = ~np.isnan(signs)
    order = np.where(known, signs, 0.0)
    decided = (order**2) @ known.T.astype(float)  # pairs that one ranks among those that both know
    with np.errstate(invalid="ignore", divide="ignore"):
        tau: np.ndarray = (order @ order.T) / np.sqrt(decided * decided.T)
    return tau


def shared_top(scores: np.ndarray, count: int) -> np.ndarray:
    """Share of the `count` highest things that two rankings have in common, (ranking, ranking).

    scores: (ranking, thing), NaN counts as lowest. Of fewer things, all but the last are taken, at least one.

    >>> shared_top(np.array([[9.0, 8.0, 1.0, 0.0], [9.0, 1.0, 8.0, 0.0]]), 2)
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    things = scores.shape[1]
    taken = max(1, min(count, things - 1))
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), axis=1, kind="stable")[:, :taken]
    chosen = np.zeros(scores.shape)
    np.put_along_axis(chosen, order, 1.0, axis=1)
    shared: np.ndarray = chosen @ chosen.T / taken
    return shared
