"""Kendall's tau of many pairs at once, beside scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from headscope.measures.kendall import paired_taus


def test_by_hand() -> None:
    """Of three pairs two agree and one does not: 1/3; of the 6 orders, all are as far from chance as that."""
    found = paired_taus(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]]), np.array([3]))
    assert found.tau == pytest.approx([1 / 3]) and found.p == pytest.approx([1.0])
    # The same order of four things: one of 24, and one the other way round.
    same = paired_taus(np.arange(4.0)[None], np.arange(4.0)[None] ** 2, np.array([4]))
    assert same.tau == pytest.approx([1.0]) and same.p == pytest.approx([2 / 24])


@pytest.mark.parametrize("values", [1000, 4], ids=["no ties", "ties"])
def test_the_same_as_scipy(values: int) -> None:
    random = np.random.default_rng(0)
    counts = random.integers(3, 45, 60)
    scores = random.integers(0, values, (2, 60, 45)).astype(float)
    if values > 45:
        scores += random.random(scores.shape)
    found = paired_taus(*scores, counts)
    for row, count in enumerate(counts):
        expected = kendalltau(scores[0, row, :count], scores[1, row, :count])
        assert found.tau[row] == pytest.approx(expected.statistic, nan_ok=True)
        assert found.p[row] == pytest.approx(expected.pvalue, nan_ok=True)


def test_what_is_not_judged_is_left_out_and_a_constant_ranks_nothing() -> None:
    first = np.array([[1.0, np.nan, 2.0, 3.0], [1.0, 1.0, 1.0, 2.0]])
    second = np.array([[1.0, 9.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]])
    found = paired_taus(first, second, np.array([4, 3]))
    assert found.tau[0] == 1.0 and np.isnan(found.tau[1]) and np.isnan(found.p[1])
