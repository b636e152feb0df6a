"""Errors of sampled rows, by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from headscope.measures.sampling import cautious_error, doubt, variance_of_mean


def test_the_variance_is_right_on_average_over_all_samples() -> None:
    """Of 1, 2, 4, 9 two are drawn: their means vary by (1 - 2/4) / 2 of the variance 38 / 3 of the rows."""
    pairs = list(combinations([1.0, 2.0, 4.0, 9.0], 2))
    found = [variance_of_mean(np.array(pair), [1, 1], population=4) for pair in pairs]
    assert np.mean(found) == pytest.approx(38 / 3 / 4)
    assert np.mean(found) == pytest.approx(np.var([sum(pair) / 2 for pair in pairs]))


def test_groups_of_different_sizes() -> None:
    """Means 3 and 6 of two rows and of one: 2 x 1 + 1 x 4 around the mean 4 of three rows, of 6 there are."""
    assert variance_of_mean(np.array([6.0, 6.0]), [2, 1], population=6) == pytest.approx(6 / 3 / 2)


def test_nothing_is_uncertain_when_all_rows_are_drawn() -> None:
    assert variance_of_mean(np.array([2.0, 4.0]), [2, 2], population=4) == 0
    assert cautious_error(np.zeros(2), np.zeros(2)).tolist() == [0, 0]


def test_many_variances_together_are_trusted_and_one_alone_is_not() -> None:
    """Student's t of one degree of freedom has 235.8 where the normal has 3, and 3.065 of 118."""
    variance = np.array(1.0)
    assert cautious_error(variance, doubt(variance, 1)) == pytest.approx(235.80 / 3, rel=1e-4)
    # 40 equal ones: 40^2 / (40 / 3) - 2 = 118 degrees of freedom
    assert cautious_error(40 * variance, 40 * doubt(variance, 1)) == pytest.approx(
        np.sqrt(40) * 3.065 / 3, rel=1e-3
    )
