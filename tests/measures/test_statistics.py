"""Intervals and tests over blocks, by hand and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headscope.measures import statistics
from headscope.measures.statistics import bootstrap_interval, flip_together, holm, sign_flip

QUICK = settings(max_examples=100, deadline=None)


def interval(top: list[float], bottom: list[float], **options: float) -> tuple[float, float]:
    low, high = bootstrap_interval(np.array(top), np.array(bottom), seed=0, **options)
    return low.item(), high.item()


def test_six_blocks_by_hand() -> None:
    # Three blocks have 1 of 4, three 1 of 2. With k of the first among six drawn, the ratio is 6 / (12 + 2k);
    # chances of k = 0 to 6 are 1, 6, 15, 20, 15, 6, 1 of 64. Nearly all of the draws have k from 0 to 6.
    top, bottom = [1, 1, 1, 1, 1, 1], [4, 4, 4, 2, 2, 2]
    assert interval(top, bottom, level=0.999) == pytest.approx((6 / 24, 6 / 12))
    # 20 of 64 draws are in the middle, k = 3: all between the quantiles of any level below that.
    assert interval(top, bottom, level=0.2) == pytest.approx((6 / 18, 6 / 18))


def test_ratios_are_of_sums_not_of_blocks() -> None:
    # Whatever is drawn, top is half of bottom, although blocks differ in size.
    assert interval([1, 10, 100] * 2, [2, 20, 200] * 2) == (0.5, 0.5)


def test_blocks_that_are_empty_everywhere_are_not_drawn() -> None:
    generator = np.random.default_rng(1)
    top, bottom = generator.random((8, 3)), generator.random((8, 3)) + 1
    padded_top, padded_bottom = np.zeros((2, 20, 3))
    padded_top[4:12], padded_bottom[4:12] = top, bottom
    plain = bootstrap_interval(top, bottom, seed=2)
    assert np.array_equal(plain, bootstrap_interval(padded_top, padded_bottom, seed=2))


def test_cells_without_an_interval() -> None:
    bottom = np.ones((12, 4))
    bottom[5:, 1] = bottom[:, 2] = bottom[6:, 3] = 0
    low, high = bootstrap_interval(bottom.copy(), bottom, seed=0)
    # Five blocks hold the second cell, none the third; the last is in six of twelve, missed by some draws.
    assert np.array_equal(low, [1, np.nan, np.nan, 1], equal_nan=True)
    assert np.array_equal(high, [1, np.nan, np.nan, 1], equal_nan=True)


@pytest.mark.parametrize("blocks", [0, 1, 5])
def test_too_few_blocks(blocks: int) -> None:
    low, high = bootstrap_interval(np.ones((blocks, 2)), np.ones((blocks, 2)), seed=0)
    assert np.isnan(low).all() and np.isnan(high).all() and low.shape == high.shape == (2,)


def test_percentiles_are_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    top, bottom = generator.random((9, 2, 3)), generator.random((9, 2, 3)) + 0.5
    weights = np.random.default_rng(7).multinomial(9, np.full(9, 1 / 9), 200)
    ratios = np.einsum("db,bij->dij", weights, top) / np.einsum("db,bij->dij", weights, bottom)
    expected = np.quantile(ratios, [0.05, 0.95], axis=0)
    assert np.allclose(bootstrap_interval(top, bottom, 7, draws=200, level=0.9), expected, rtol=1e-12)
    monkeypatch.setattr(statistics, "_CHUNK", 200)  # one cell at a time
    assert np.allclose(bootstrap_interval(top, bottom, 7, draws=200, level=0.9), expected, rtol=1e-12)


def test_draws_that_miss_a_cell_do_not_count_for_it() -> None:
    top, bottom = np.ones((60, 2)), np.ones((60, 2))
    top[:6, 1], top[6:, 1], bottom[6:, 1] = [1, 3, 1, 3, 1, 3], 0, 0
    weights = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), 1000)
    drawn = weights[weights[:, :6].any(1)]
    assert 0 < 1000 - len(drawn) < 10  # missed with chance 0.9^60, one in 556
    ratios = (drawn @ top)[:, 1] / (drawn @ bottom)[:, 1]
    low, high = bootstrap_interval(top, bottom, 0, level=0.3)
    assert (low[1], high[1]) == pytest.approx(tuple(np.quantile(ratios, [0.35, 0.65])))


def test_intervals_cover_what_they_should() -> None:
    """1000 samples of 40 blocks of unequal size; the true ratio is 0.3."""
    generator = np.random.default_rng(11)
    sizes = generator.integers(5, 30, (40, 1000))
    low, high = bootstrap_interval(generator.binomial(sizes, 0.3), sizes, seed=0)
    covered = ((low <= 0.3) & (high >= 0.3)).mean()
    assert 0.92 <= covered <= 0.97


def test_three_equal_differences() -> None:
    # Only the observed signs of the 8 patterns give a sum of 6.
    assert sign_flip(np.array([2.0, 2.0, 2.0]), seed=0).item() == 1 / 8
    assert sign_flip(np.array([-2.0, -2.0, -2.0]), seed=0).item() == 1


def test_signs_by_hand() -> None:
    # Observed 3 + 2 - 1 = 4; sums of all patterns: ±6, ±4, ±2, 0, 0; 6 and 4 are as large.
    assert sign_flip(np.array([3.0, 2.0, -1.0]), seed=0).item() == 2 / 8


def test_ties_up_to_rounding_count() -> None:
    # 0.1 + 0.2 - 0.3 is not 0 in floating point; 5 of the 8 patterns reach 0 or more.
    for scale in (1e-12, 1.0, 1e12):
        assert sign_flip(np.array([0.1, 0.2, -0.3]) * scale, seed=0).item() == 5 / 8


def test_nothing_to_flip_is_no_evidence() -> None:
    differences = np.array([[0.0, np.nan, 1.0], [0.0, np.nan, np.nan]])
    assert sign_flip(differences, seed=0).tolist() == [1, 1, 0.5]
    assert sign_flip(np.zeros((0, 2)), seed=0).tolist() == [1, 1]


def test_drawn_signs_agree_with_all_of_them() -> None:
    differences = np.random.default_rng(5).normal(0.3, 1, (10, 4))
    exact, drawn = sign_flip(differences, 0, flips=1023), sign_flip(differences, 0, flips=1022)
    assert np.array_equal(exact * 1024, np.round(exact * 1024))
    assert not np.array_equal(exact, drawn) and np.allclose(exact, drawn, atol=0.06)


def test_the_smallest_p_of_drawn_signs() -> None:
    # 100 blocks of the same sign: no drawn pattern comes near.
    assert sign_flip(np.ones(100), seed=0, flips=99).item() == 0.01
    assert sign_flip(np.ones((100, 2, 3)), seed=0).tolist() == [[1 / 10_000] * 3] * 2


def test_cells_together_by_hand() -> None:
    # Standardised, the first cell is (3, 2, -1) / sqrt(14), the other (1, 1, 1) / sqrt(3). Over the 8
    # patterns the larger of both sums is 1.73 (observed), 1.60, .58, .58, .53, 0, -.58 and -1.07: the first
    # cell's 1.07 is reached by the patterns +++ and ++-, the other's 1.73 by the observed one alone.
    together = flip_together(np.array([[3.0, 1.0], [2.0, 1.0], [-1.0, 1.0]]), seed=0)
    assert together.tolist() == [2 / 8, 1 / 8]


def test_a_cell_that_says_the_same_costs_nothing() -> None:
    differences = np.random.default_rng(2).normal(0.4, 1, (12, 1))
    alone = sign_flip(differences, seed=0).item()
    assert flip_together(np.repeat(differences, 50, 1) * np.arange(1, 51), 0) == pytest.approx(alone)


def test_the_error_of_all_cells_together_is_kept() -> None:
    draw = np.random.default_rng(3)
    found = [flip_together(draw.normal(0, 1, (20, 40)), seed=0, flips=499).min() < 0.05 for _ in range(300)]
    assert 0.02 <= np.mean(found) <= 0.085


def test_nothing_to_flip_together() -> None:
    assert flip_together(np.array([[0.0, np.nan], [0.0, 1.0]]), seed=0).tolist() == [1, 0.5]
    assert flip_together(np.zeros((0, 2)), seed=0).tolist() == [1, 1]


def test_p_does_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(6).integers(-5, 7, (30, 5)).astype(float)
    whole = sign_flip(differences, seed=1, flips=500)
    monkeypatch.setattr(statistics, "_CHUNK", 35)
    assert np.array_equal(sign_flip(differences, seed=1, flips=500), whole)


def test_p_is_even_without_an_effect() -> None:
    differences = np.random.default_rng(8).standard_normal((20, 4000))
    p = sign_flip(differences, seed=0, flips=999)
    assert (p <= 0.05).mean() == pytest.approx(0.05, abs=0.015) and p.mean() == pytest.approx(0.5, abs=0.02)


def test_holm_by_hand() -> None:
    # Sorted 0.01, 0.02, 0.03, 0.5, times 4, 3, 2, 1: 0.04, 0.06, 0.06, 0.5.
    adjusted = holm(np.array([0.5, 0.01, np.nan, 0.03, 0.02]))
    assert adjusted.tolist() == pytest.approx([0.5, 0.04, np.nan, 0.06, 0.06], nan_ok=True)
    # 3 x 0.2 = 0.6 is not undone by 2 x 0.25 = 0.5; 0.6 x 3 would be above 1.
    assert holm(np.array([0.2, 0.25, 0.3])).tolist() == pytest.approx([0.6, 0.6, 0.6])
    assert holm(np.array([0.6, 0.7])).tolist() == [1, 1]
    assert holm(np.array([])).shape == (0,) and np.isnan(holm(np.array([np.nan]))).all()


@QUICK
@given(arrays.arrays(np.float64, st.integers(0, 12), elements=st.floats(0, 1) | st.just(np.nan)))
def test_laws_of_holm(p: np.ndarray) -> None:
    adjusted = holm(p)
    made = ~np.isnan(p)
    assert np.array_equal(np.isnan(adjusted), ~made)
    assert (adjusted[made] >= p[made]).all() and (adjusted[made] <= 1).all()
    assert (adjusted[made] <= np.minimum(1, made.sum() * p[made])).all(), "never above Bonferroni"
    order = np.argsort(p[made], kind="stable")
    assert (np.diff(adjusted[made][order]) >= 0).all(), "the order stays"
    assert np.array_equal(holm(p[::-1]), adjusted[::-1], equal_nan=True)


NUMBERS = st.integers(-50, 50).map(float)


@QUICK
@given(arrays.arrays(np.float64, st.tuples(st.integers(0, 16), st.just(3)), elements=NUMBERS))
def test_laws_of_sign_flips(differences: np.ndarray) -> None:
    p = sign_flip(differences, seed=0, flips=200)
    assert ((p >= 1 / 201) & (p <= 1)).all()
    assert np.array_equal(p, sign_flip(4 * differences, seed=0, flips=200)), "the unit does not matter"
    # Every pattern is as large as the observed one in one direction or the other.
    assert (p + sign_flip(-differences, seed=0, flips=200) >= 1 - 1e-12).all()
