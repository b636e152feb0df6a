"""Two groups or one, a step or a line, and means of runs: by hand, of nothing, and of what was planted."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.regimes import difference_of_means, step, two_groups


def test_the_best_parting_by_hand() -> None:
    """0 0 3 3 4: means 0 and 10/3; of 2 x 2 and 3 squares, 13.33 of 14 lies between."""
    groups = two_groups(np.array([3.0, 0.0, 4.0, 0.0, 3.0]))
    assert groups.share == pytest.approx((2 * 2**2 + 3 * (4 / 3) ** 2) / 14)
    assert (groups.low, groups.below) == (0.0, 2)
    assert groups.high == pytest.approx(10 / 3)


def test_neither_place_nor_scale_matters() -> None:
    values = np.array([0.2, 0.5, 0.9, 0.3, 0.7, 0.1])
    one, other = two_groups(values), two_groups(100 * values - 7)
    assert one.share == pytest.approx(other.share) and one.p == other.p


def test_normal_numbers_part_as_often_as_p_says() -> None:
    random = np.random.default_rng(1)
    p = np.array([two_groups(random.normal(size=8), draws=499).p for _ in range(200)])
    assert 0.01 <= (p <= 0.05).mean() <= 0.1


def test_two_planted_groups_are_found() -> None:
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(0.74, 0.005, 4), random.normal(0.85, 0.005, 4)])
    groups = two_groups(values)
    assert groups.p < 0.01 and groups.below == 4


@pytest.mark.parametrize("values", [[], [1.0], [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0]])
def test_too_little_to_part(values: list[float]) -> None:
    assert two_groups(np.array(values)).p == 1


def test_a_step_by_hand() -> None:
    x = np.repeat([0.0, 1.0, 2.0, 3.0], 2)
    y = np.array([0.9, 0.88, 0.9, 0.88, 0.7, 0.72, 0.7, 0.72])
    found = step(x, y, x)
    assert found.place == 1.5
    assert (found.before, found.behind) == (pytest.approx(0.89), pytest.approx(0.71))
    assert found.low == found.high == 1.5
    assert found.gain > 5


def test_a_line_is_no_step() -> None:
    x = np.arange(12.0)
    assert step(x, 1 - 0.05 * x + 0.001 * (-1) ** x, x).gain < 0


def test_two_places_have_no_step() -> None:
    assert np.isnan(step(np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.arange(2))).all()


def test_difference_of_means_by_hand() -> None:
    """Variances 1 and 4 of three runs: errors 1/3 and 4/3, freedom (5/3)^2 / ((1/9 + 16/9) / 2) = 2.94."""
    difference, low, high = difference_of_means(np.array([4.0, 5.0, 6.0]), np.array([0.0, 2.0, 4.0]))
    assert difference == 3.0
    assert (high - low) / 2 == pytest.approx(3.216 * (5 / 3) ** 0.5, abs=0.01)
    assert low == pytest.approx(2 * difference - high)


@pytest.mark.parametrize("runs", [([1.0], [1.0, 2.0]), ([], [1.0]), ([2.0, 2.0], [1.0, 1.0])])
def test_runs_that_tell_of_no_spread_give_no_interval(runs: tuple[list[float], list[float]]) -> None:
    _, low, high = difference_of_means(np.array(runs[0]), np.array(runs[1]))
    assert np.isnan([low, high]).all()


def test_intervals_hold_as_often_as_they_say() -> None:
    random = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        _, low, high = difference_of_means(random.normal(0, 1, 3), random.normal(0, 3, 4))
        held += low <= 0 <= high
    assert 0.92 <= held / 400 <= 0.99
