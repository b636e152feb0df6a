"""What tests and bounds of paired scores promise, measured: false alarms, false reassurance, coverage."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.analyses.effects import verdicts
from headscope.measures.paired import Bounds, simultaneous, swap_test
from tests.sampling import sampled

HEADS, EXAMPLES, MARGIN, LEVEL = 72, 872, 0.01, 0.05
RIGHT = 0.8


def accuracy(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1]


def counted(right: np.ndarray) -> np.ndarray:
    return np.stack([right.astype(float), np.ones(right.shape)], -1)


def draw(seed: int, harm: float, good: float, examples: int = EXAMPLES) -> tuple[np.ndarray, np.ndarray]:
    """Answers of which each head turns a share `harm` from right to wrong and `good` from wrong to right."""
    random = np.random.default_rng(seed)
    base = random.random(examples) < RIGHT
    turned = random.random((examples, HEADS), np.float32)
    changed = np.where(base[:, None], turned >= harm / RIGHT, turned < good / (1 - RIGHT))
    return counted(base), counted(changed)


def bounded(harm: float, good: float, trials: int, draws: int = 400) -> list[Bounds]:
    return [simultaneous(*draw(seed, harm, good), accuracy, seed=seed, draws=draws) for seed in range(trials)]


@pytest.mark.parametrize("share", sampled([0.01, 0.05], [0.05]))
def test_symmetric_changes_are_rarely_called_an_effect(share: float) -> None:
    """Family-wise: any of 72 heads. More than 31 of 400 has a chance below 1 % at 5 %."""
    found, own = 0, 0.0
    trials = 400
    for seed in range(trials):
        p, adjusted = swap_test(*draw(seed, share, share, 300), accuracy, seed=seed, draws=399)
        found += bool((adjusted <= LEVEL).any())
        own += (p <= LEVEL).mean() / trials
    assert found <= 31
    assert own <= LEVEL, "a single head, exactly: a valid p"
    assert share < 0.05 or found >= 5, "it is not for lack of power"


@pytest.mark.parametrize(
    ("harm", "good"), sampled([(0.01, 0.0), (0.012, 0.002), (0.02, 0.01), (0.05, 0.04)], [(0.012, 0.002)])
)
def test_a_loss_of_the_margin_is_rarely_called_harmless(harm: float, good: float) -> None:
    """All 72 heads lose exactly the margin; the bounds must cover it in all heads at once."""
    found = bounded(harm, good, 200)
    untested = np.ones(HEADS)  # what the test finds worse would only be fewer to call harmless
    wrong = [bool((verdicts(bounds, untested, MARGIN) == "harmless").any()) for bounds in found]
    assert np.mean(wrong) <= 0.085  # has a chance of 1 % at 5 %
    covered = [bool(((bounds.low <= -MARGIN) & (bounds.high >= -MARGIN)).all()) for bounds in found]
    assert np.mean(covered) >= 0.94


@pytest.mark.parametrize(
    ("harm", "good"), sampled([(0.002, 0.0), (0.0, 0.002), (0.004, 0.004)], [(0.002, 0.0)])
)
def test_bounds_cover_effects_of_which_little_is_seen(harm: float, good: float) -> None:
    """Heads of which often no answer changes: the bootstrap alone would give them a width of 0."""
    found = bounded(harm, good, 100)
    assert np.mean([(bounds.error == 0).mean() for bounds in found]) > (0.1 if harm + good < 0.005 else 0)
    covered = [((bounds.low <= good - harm) & (bounds.high >= good - harm)).all() for bounds in found]
    assert np.mean(covered) >= 0.94


def test_heads_that_do_nothing_are_found_harmless_where_the_data_allow() -> None:
    """72 heads and a margin of 1 point take ln(72 / 0.05) / 0.01 = 727 examples without a change."""
    for examples, verdict in ((800, "harmless"), (700, "undecided")):
        bounds = simultaneous(*draw(0, 0.0, 0.0, examples), accuracy, seed=0, draws=50)
        assert set(verdicts(bounds, np.ones(HEADS), MARGIN)) == {verdict}
    base, changed = draw(1, 0.005, 0.005, 5000)
    bounds = simultaneous(base, changed, accuracy, seed=0, draws=400)
    assert (verdicts(bounds, np.ones(HEADS), MARGIN) == "harmless").mean() > 0.9


def test_true_effects_are_found() -> None:
    base, changed = draw(2, 0.05, 0.01)
    _, worse = swap_test(base, changed, accuracy, seed=0, draws=999)
    _, better = swap_test(changed[:, 0], np.repeat(base[:, None], 3, 1), accuracy, seed=0, draws=999)
    assert (worse <= LEVEL).mean() > 0.9 and (better <= LEVEL).all()


def test_one_head_in_a_crowd_is_found_and_the_others_left_in_peace() -> None:
    base, changed = draw(3, 0.02, 0.02)
    changed[:60, 7, 0] = 0.0
    _, adjusted = swap_test(base, changed, accuracy, seed=0, draws=999)
    assert np.flatnonzero(adjusted <= LEVEL).tolist() == [7]
    bounds = simultaneous(base, changed, accuracy, seed=0, draws=400)
    told = verdicts(bounds, adjusted, MARGIN)
    assert told[7] == "worse" and "worse" not in np.delete(told, 7)


def test_documents_that_stand_together_do_not_fake_an_effect() -> None:
    """Changes come in whole documents of ten examples; examples alone would find too much."""
    found = {True: 0, False: 0}
    for seed in range(150):
        random = np.random.default_rng(seed)
        base = np.zeros((400, 1))
        changed = np.repeat(random.integers(-1, 2, (40, 5, 1)), 10, axis=0).astype(float)
        for grouped in found:
            numbers = np.arange(400) // 10 if grouped else None
            _, p = swap_test(base, changed, lambda sums: sums[..., 0], seed, 199, clusters=numbers)
            found[grouped] += bool((p <= LEVEL).any())
    assert found[True] <= 15 and found[False] > 75
