"""Scores of sums that were worked out on paper."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from headscope.tasks.metrics import (
    ACCURACY,
    BLEU,
    F1,
    MEAN_LOSS,
    ORDERS,
    PIECE_ACCURACY,
    WORD_ACCURACY,
    Metric,
)
from headscope.tasks.translation import bleu_statistics


def test_shares() -> None:
    for metric in (ACCURACY, WORD_ACCURACY, PIECE_ACCURACY, MEAN_LOSS):
        assert metric.value(np.array([3.0, 4.0])) == 0.75
        assert metric.value(np.array([0.0, 0.0])) == 0.0


def test_f1_is_the_harmonic_mean() -> None:
    # Precision 2/4, recall 2/5: 2 * 0.5 * 0.4 / 0.9 = 4/9.
    assert F1.value(np.array([2.0, 4.0, 5.0])) == pytest.approx(4 / 9)
    assert F1.value(np.array([0.0, 0.0, 0.0])) == 0.0
    assert F1.value(np.array([0.0, 3.0, 0.0])) == 0.0


@pytest.mark.parametrize("metric", [ACCURACY, F1, BLEU, MEAN_LOSS], ids=lambda metric: metric.name)
def test_leading_axes_are_kept(metric: Metric) -> None:
    sums = np.random.default_rng(0).integers(0, 9, (2, 3, len(metric.statistics))).astype(float)
    together = metric.value(sums)
    assert together.shape == (2, 3)
    for place in np.ndindex(2, 3):
        assert together[place] == metric.value(sums[place])


def bleu(pairs: list[tuple[str, str]]) -> float:
    rows = [bleu_statistics(written.split(), true.split()) for written, true in pairs]
    return float(BLEU.value(np.sum(rows, axis=0)))


def test_bleu_of_one_sentence_by_hand() -> None:
    # Written: the cat sat on the mat now (7). True: the cat sat on a mat (6).
    # Words: the once (clipped), cat, sat, on, mat: 5 of 7. Pairs: the cat, cat sat, sat on: 3 of 6.
    # Threes: 2 of 5. Fours: 1 of 4. What is written is longer, so nothing is taken off.
    expected = (5 / 7 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25
    assert bleu([("the cat sat on the mat now", "the cat sat on a mat")]) == pytest.approx(expected)


def test_bleu_of_a_corpus_sums_before_it_divides() -> None:
    # The second pair (matches 2, 1; possible 2, 1) has no run of three, and is two words short of four.
    pairs = [("the cat sat on the mat now", "the cat sat on a mat"), ("we run", "we run home now")]
    expected = (7 / 9 * 4 / 7 * 2 / 5 * 1 / 4) ** 0.25 * exp(1 - 10 / 9)
    assert bleu(pairs) == pytest.approx(expected)


def test_bleu_at_its_ends() -> None:
    assert bleu([("one two three four", "one two three four")]) == pytest.approx(1)
    assert bleu([("one two three", "one two three")]) == 0.0, "no run of four, and no smoothing"
    assert bleu([("", "one two three four")]) == 0.0
    assert bleu([("", "")]) == 0.0
    assert len(BLEU.statistics) == 2 * ORDERS + 2
