"""Agreement of rankings equals that of scipy, pair by pair."""

from __future__ import annotations

import numpy as np
from scipy.stats import kendalltau

from headscope.measures.ranking import rank_agreement, shared_top


def test_tau_equals_that_of_scipy() -> None:
    random = np.random.default_rng(0)
    scores = random.integers(0, 6, (5, 12)).astype(float)  # with ties
    scores[1, 3] = scores[2, 7] = np.nan
    found = rank_agreement(scores)
    for first in range(5):
        for second in range(5):
            known = ~np.isnan(scores[[first, second]]).any(0)
            expected = kendalltau(scores[first, known], scores[second, known]).statistic
            assert np.isclose(found[first, second], expected)


def test_what_ranks_nothing_agrees_with_nothing() -> None:
    found = rank_agreement(np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]]))
    assert np.isnan(found[0]).all() and found[1, 1] == 1


def test_the_top_of_few_things_is_not_all_of_them() -> None:
    scores = np.array([[3.0, 2.0], [2.0, 3.0]])
    assert shared_top(scores, 3)[0, 1] == 0
