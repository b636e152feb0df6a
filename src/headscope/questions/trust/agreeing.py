"""How far the orders of words by explanations agree with leaving words out, and with gradients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.measures.kendall import paired_taus
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
        left_out = list(names).index(LEAVE_ONE_OUT)
        found[TOP][answer] = tops[left_out]
        beside = np.broadcast_to(sizes[left_out], sizes.shape)
        found[SIGNIFICANT][answer] = paired_taus(sizes, beside, np.full(len(sizes), count)).p <= LEVEL
    found[SIGNIFICANT][np.isnan(found[TAU])] = np.nan
    return found
