"""Bootstrap intervals of scores that are functions of sums."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.statistics import bootstrap_interval, score_interval


def share(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1]


def test_an_accuracy_has_the_interval_of_the_binomial() -> None:
    right = np.repeat([1.0, 0.0], [320, 80])
    low, high = score_interval(np.stack([right, np.ones(400)], axis=1), share, seed=0, draws=4000)
    error = (0.8 * 0.2 / 400) ** 0.5
    assert (low, high) == pytest.approx((0.8 - 1.96 * error, 0.8 + 1.96 * error), abs=0.003)


def test_it_agrees_with_the_interval_of_a_ratio() -> None:
    draw = np.random.default_rng(0)
    top, bottom = draw.random(60), 1 + draw.random(60)
    found = score_interval(np.stack([top, bottom], axis=1), share, seed=1, draws=4000)
    expected = [bound.item() for bound in bootstrap_interval(top, bottom, seed=2, draws=4000)]
    assert found == pytest.approx(expected, abs=0.01)


def test_one_example_has_no_interval_and_equal_ones_leave_room_for_others() -> None:
    """Of n that are all right, as many as 1 - 0.025^(1/n) of all may be wrong: 84 % of two."""
    assert np.isnan(score_interval(np.ones((1, 2)), share, seed=0)).all()
    assert score_interval(np.ones((2, 2)), share, seed=0) == pytest.approx((0.025**0.5, 1.0))
    wrong = np.array([[0.0, 1.0]] * 4)
    assert score_interval(wrong, share, seed=0) == pytest.approx((0.0, 1 - 0.025**0.25))
