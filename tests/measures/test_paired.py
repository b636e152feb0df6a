"""Paired effects, swap tests and simultaneous bounds, by hand and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headscope.analyses.effects import verdicts
from headscope.measures import paired
from headscope.measures.paired import Bounds, effects, resampled_effects, simultaneous, swap_test

QUICK = settings(max_examples=60, deadline=None)


def accuracy(sums: np.ndarray) -> np.ndarray:
    return np.divide(sums[..., 0], sums[..., 1], out=np.zeros(sums.shape[:-1]), where=sums[..., 1] > 0)


def f1(sums: np.ndarray) -> np.ndarray:
    both = sums[..., 1] + sums[..., 2]
    return np.divide(2 * sums[..., 0], both, out=np.zeros(sums.shape[:-1]), where=both > 0)


def answers(rows: list[list[int]]) -> np.ndarray:
    """Right or wrong, (condition, example) or (example,), as statistics (example, ..., 2)."""
    right = np.array(rows, float).T
    return np.stack([right, np.ones(right.shape)], -1)


def test_accuracy_of_four_examples_by_hand() -> None:
    base = answers([1, 1, 1, 0])
    changed = answers([[0, 0, 0, 1], [0, 0, 0, 0], [1, 1, 1, 0]])
    assert effects(base, changed, accuracy).tolist() == [-0.5, -0.75, 0.0]
    p, adjusted = swap_test(base, changed, accuracy, seed=0)
    # First: signs of -1, -1, -1, 1; of 16 patterns the sums are +-4 twice and +-2 eight times: 10 / 16.
    # Second: three differences; the largest sum is reached by 2 of 8 patterns.
    assert p.tolist() == [10 / 16, 2 / 8, 1.0]
    # Root mean squares of the sums are 2 and sqrt(3). Standardised, the first is -1 and the second -sqrt(3).
    # With signs s, t (same for both in the first three examples, t of the fourth): |s| is 3 in a quarter of
    # the patterns, else 1; the largest of |s + t| / 2 and |s| / sqrt(3) reaches sqrt(3) where |s| = 3 (the
    # first then gives 2 or 1), and reaches 1 there and in half of the rest (|s + t| = 2).
    assert adjusted.tolist() == [4 / 16 + 6 / 16, 4 / 16, 1.0]


def test_f1_by_hand() -> None:
    # Statistics are correct, predicted, gold. Before: 2 of 2 predicted, 2 gold: F1 1. After: the first
    # example predicts a wrong span more, the second finds nothing: 1 of 2 predicted, 2 gold: F1 1/2.
    base = np.array([[1.0, 1, 1], [1, 1, 1]])
    changed = np.array([[[1.0, 2, 1]], [[0, 0, 1]]])
    assert effects(base, changed, f1).tolist() == [pytest.approx(0.5 - 1)]
    # Exchange in the first only: (1, 1, 2) against (2, 3, 2), 2/3 against 4/5; that is closer than 1/2.
    p, adjusted = swap_test(base, changed, f1, seed=0)
    assert p.tolist() == adjusted.tolist() == [0.5]
    bounds = simultaneous(base, changed, f1, seed=0)
    # Alone, the first example makes it 4/5, the second 2/3: the most is 1/3.
    # Downwards no draw is further than twice the second: 0 against 1, 1/2 below the effect.
    assert bounds.worst.item() == pytest.approx(-0.5 - np.hypot(1 / 2, np.log(1 / 0.05) / 3))


def test_bounds_by_hand() -> None:
    # One of four answers changes: the effect of a draw is -k / 4 with k binomial (4, 1/4), error sqrt(3) / 8.
    base, changed = answers([1, 1, 1, 0]), answers([[0, 1, 1, 0]])
    bounds = simultaneous(base, changed, accuracy, seed=0, draws=40_000)
    error = np.sqrt(3) / 8
    assert bounds.error.item() == pytest.approx(error, rel=0.02)
    # |k - 1| is 2 or more with chance 0.0508 and 3 with chance 0.004; downwards (k large) the same.
    c = 2 / 4 / bounds.error.item()
    three, both = np.log(1 / 0.05), np.log(2 / 0.05)
    assert bounds.worst.item() == pytest.approx(-1 / 4 - np.hypot(c * bounds.error.item(), three / 4))
    aside = np.hypot(c * bounds.error.item(), both / 4)
    assert (bounds.low.item(), bounds.high.item()) == pytest.approx((-1 / 4 - aside, -1 / 4 + aside))


def test_what_never_changed_is_not_certain() -> None:
    base = answers([1] * 50 + [0] * 10)
    some = [0] + [1] * 49 + [0] * 10
    changed = answers([[1] * 50 + [0] * 10, some])
    bounds = simultaneous(base, changed, accuracy, seed=0)
    assert bounds.error[0] == 0 and bounds.effect[0] == 0
    assert bounds.worst[0] == pytest.approx(-np.log(2 / 0.05) / 60)
    assert bounds.high[0] == -bounds.low[0] == pytest.approx(np.log(4 / 0.05) / 60)
    # Where nothing changes anywhere, an answer could still turn from right to wrong.
    alone = simultaneous(base, changed[:, :1], accuracy, seed=0)
    assert alone.worst[0] == pytest.approx(-np.log(1 / 0.05) / 60)
    assert verdicts(alone, np.ones(1), margin=0.01).tolist() == ["undecided"]
    assert verdicts(alone, np.ones(1), margin=0.06).tolist() == ["harmless"]


@pytest.mark.parametrize("examples", [0, 1])
def test_too_few_examples_decide_nothing(examples: int) -> None:
    base, changed = answers([1] * examples), answers([[0] * examples] * 2)
    bounds = simultaneous(base, changed, accuracy, seed=0)
    assert np.isnan([bounds.error, bounds.low, bounds.high]).all()
    _, adjusted = swap_test(base, changed, accuracy, seed=0)
    assert adjusted.tolist() == [1, 1]
    assert verdicts(bounds, adjusted, margin=0.5).tolist() == ["undecided"] * 2


def test_no_condition_at_all() -> None:
    base, changed = answers([1, 0]), np.zeros((2, 0, 2))
    assert simultaneous(base, changed, accuracy, seed=0).worst.shape == (0,)
    assert [part.shape for part in swap_test(base, changed, accuracy, seed=0)] == [(0,), (0,)]


def test_verdicts_by_hand() -> None:
    effect = np.array([-0.1, 0.1, -0.001, -0.001, 0.0])
    worst = np.array([-0.2, 0.05, -0.009, -0.01, -np.inf])
    bounds = Bounds(effect, effect, effect, effect, worst)
    p = np.array([0.05, 0.01, 0.051, 1.0, 1.0])
    # Exactly the margin is not excluded; a head that is significantly worse is not harmless.
    told = verdicts(bounds, p, margin=0.01)
    assert told.tolist() == ["worse", "better", "harmless", "undecided", "undecided"]
    assert verdicts(bounds, p, margin=0.5, alpha=0.001).tolist() == ["harmless"] * 4 + ["undecided"]


def sample(examples: int = 40, conditions: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    right = random.random((conditions + 1, examples)) < 0.7
    right[1:] = np.where(random.random((conditions, examples)) < 0.7, right[0], right[1:])
    return answers(right[0].tolist()), answers(right[1:].tolist())


def test_clusters_go_together() -> None:
    base, changed = sample(24)
    clusters = np.repeat([7, 3, 5, 9, 1, 2, 8, 6], 3)
    order = np.argsort(clusters, kind="stable")
    sums = [part[order].reshape(8, 3, *part.shape[1:]).sum(1) for part in (base, changed)]
    together = swap_test(base, changed, accuracy, 0, clusters=clusters)
    assert np.array_equal(together, swap_test(*sums, accuracy, 0))
    assert not np.array_equal(together, swap_test(base, changed, accuracy, 0))
    one, two = simultaneous(base, changed, accuracy, 0, clusters=clusters), simultaneous(*sums, accuracy, 0)
    assert np.array_equal(one.low, two.low) and np.array_equal(one.worst, two.worst)
    assert np.array_equal(one.effect, effects(base, changed, accuracy))
    drawn = resampled_effects(base, changed, accuracy, 0, 50, clusters)
    assert drawn.shape == (50, 5) and np.array_equal(drawn, resampled_effects(*sums, accuracy, 0, 50))


def test_one_document_cannot_be_drawn_anew() -> None:
    drawn = resampled_effects(*sample(24), accuracy, 0, 50, np.zeros(24))
    assert drawn.shape == (50, 5) and np.isnan(drawn).all()


def test_copies_of_a_document_are_not_more_evidence() -> None:
    base, changed = sample(20)
    numbers = np.tile(np.arange(20), 10)
    bounds = simultaneous(base, changed, accuracy, 0)
    copied = simultaneous(np.tile(base, (10, 1)), np.tile(changed, (10, 1, 1)), accuracy, 0, clusters=numbers)
    assert np.allclose(bounds.error, copied.error) and np.allclose(bounds.worst, copied.worst)


def test_drawn_exchanges_agree_with_all_of_them() -> None:
    random = np.random.default_rng(3)
    base = random.random((11, 1))
    changed = base[:, None] + random.normal(0.2, 1, (11, 6, 1)) * random.uniform(0.2, 5, (6, 1))
    exact = np.array(swap_test(base, changed, lambda sums: sums[..., 0], 0, draws=2047))
    drawn = np.array(swap_test(base, changed, lambda sums: sums[..., 0], 0, draws=2046))
    assert np.array_equal(exact * 2048, np.round(exact * 2048))
    assert np.allclose(drawn * 2047, np.round(drawn * 2047))
    assert np.allclose(exact, drawn, atol=0.06) and not np.array_equal(exact, drawn)


def test_the_smallest_p_of_drawn_exchanges() -> None:
    base, changed = answers([1] * 100), answers([[0] * 100, [1] * 100])
    p, adjusted = swap_test(base, changed, accuracy, seed=0, draws=99)
    assert p.tolist() == adjusted.tolist() == [0.01, 1.0]


def test_results_do_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    base, changed = sample(70, 6)
    whole = swap_test(base, changed, accuracy, 1, draws=300)
    bounds = simultaneous(base, changed, accuracy, 1, draws=200)
    monkeypatch.setattr(paired, "_CHUNK", 650)  # two or three conditions, some draws, some examples at a time
    assert np.allclose(swap_test(base, changed, accuracy, 1, draws=300), whole, rtol=1e-12)
    other = simultaneous(base, changed, accuracy, 1, draws=200)
    for name in ("effect", "error", "low", "high", "worst"):
        assert np.allclose(getattr(bounds, name), getattr(other, name), rtol=1e-12)


def test_error_is_that_of_resampled_scores() -> None:
    base, changed = sample(30, 3)
    chosen = np.random.default_rng(9).integers(0, 30, (400, 30))
    drawn = accuracy(changed[chosen].sum(1)) - accuracy(base[chosen].sum(1))[:, None]
    assert np.allclose(resampled_effects(base, changed, accuracy, 9, 400), drawn)
    bounds = simultaneous(base, changed, accuracy, 9, draws=400)
    assert np.allclose(bounds.error, drawn.std(0, ddof=1), rtol=1e-12)
    far = np.quantile((np.abs(drawn - bounds.effect) / bounds.error).max(1), 0.95, method="higher")
    aside = np.hypot(far * bounds.error, np.log(6 / 0.05) / 30)
    assert np.allclose(bounds.high, bounds.effect + aside, rtol=1e-12)


STATISTICS = arrays.arrays(np.int64, (12, 5, 2), elements=st.integers(0, 3))


@QUICK
@given(STATISTICS)
def test_laws(numbers: np.ndarray) -> None:
    numbers = numbers.astype(float)
    numbers[..., 1] += numbers[..., 0] + 1
    base, changed = numbers[:, 0], numbers[:, 1:]
    p, adjusted = swap_test(base, changed, accuracy, seed=0, draws=99)
    assert ((p >= 0.01) & (p <= adjusted) & (adjusted <= 1)).all()
    backwards = swap_test(changed[:, 0], np.stack([base], 1), accuracy, seed=0, draws=99)
    assert backwards[0].item() == pytest.approx(swap_test(base, changed[:, :1], accuracy, 0, 99)[0].item())
    bounds = simultaneous(base, changed, accuracy, seed=0, draws=50)
    assert (bounds.low <= bounds.effect).all() and (bounds.effect <= bounds.high).all()
    assert (bounds.worst <= bounds.effect).all()
    shuffled = simultaneous(base, changed[:, ::-1], accuracy, seed=0, draws=50)
    assert np.allclose(shuffled.worst[::-1], bounds.worst), "the order of conditions does not matter"
