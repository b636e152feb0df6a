"""How far the orders of words by explanations agree with leaving words out, and with gradients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from headscope.measures.ranking import rank_agreement, shared_top
from headscope.questions.trust.numbers import LEAVE_ONE_OUT, SIGNIFICANT, TAU, TAU_DETACHED, TAU_GRADIENT, TOP
from headscope.results.finding import LEVEL

GRADIENT, DETACHED = "gradient-input", "gradient-detached"
MARKED = 3
"""Most important words whose overlap is told."""

_WITH = {TAU: LEAVE_ONE_OUT, TAU_GRADIENT: GRADIENT, TAU_DETACHED: DETACHED}


def agreements(importance: np.ndarray, names: Sequence[str], counts: np.ndarray) -> dict[str, np.ndarray]:
    """Kendall's tau with each yardstick, shared most important words, and significance, (answer, order) each.

    importance: (answer, order, word), the first of them as `names` says; signs are left out, as attention has
    none. An order that ranks nothing where leaving out does agrees no more than chance: 0. NaN where the
    yardstick itself ranks nothing.
    """
    found = {name: np.full(importance.shape[:2], np.nan) for name in (*_WITH, TOP, SIGNIFICANT)}
    for answer, count in enumerate(counts.tolist()):
        sizes = np.abs(importance[answer, :, :count])
        taus, tops = rank_agreement(sizes), shared_top(sizes, MARKED)
        for measure, yardstick in _WITH.items():
            if yardstick in names:
                place = list(names).index(yardstick)
                ranks = not np.isnan(taus[place, place])
                found[measure][answer] = np.nan_to_num(taus[place]) if ranks else np.nan
        found[TOP][answer] = tops[list(names).index(LEAVE_ONE_OUT)]
    found[SIGNIFICANT] = np.where(np.isnan(found[TAU]), np.nan, p_of(found[TAU], counts) <= LEVEL)
    return found


def p_of(tau: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Two-sided p of tau (answer, order) for texts of so many words, by the normal law (Kendall 1938).

    >>> p_of(np.array([[1.0]]), np.array([10])).round(5)  # z = 1 / sqrt(2 * 25 / (9 * 90)) = 4.02
    array([[6.e-05]])
    """
    count = counts[:, None].astype(float)
    spread = np.sqrt(2 * (2 * count + 5) / (9 * count * (count - 1)))
    p: np.ndarray = 2 * ndtr(-np.abs(tau) / spread)
    return p
