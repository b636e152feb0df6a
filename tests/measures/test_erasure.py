"""Erasing dimensions under a linear classifier, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.erasure import (
    accuracy_without,
    dimensions_to_flip,
    dimensions_until,
    erasure_effects,
)

FEATURES = np.array([[2.0, 1.0], [-2.0, 0.5]])
WEIGHTS = np.array([[1.0, 0.0], [1.0, 0.0]])  # the second class has logit 0
BIAS = np.zeros(2)
LABELS = np.array([0, 1])
ZERO = np.zeros(2)


def test_effects_are_log_likelihoods_lost() -> None:
    """The margin of the first class is 3 and -1.5; without dimension 0 1 and 0.5, without 1 2 and -2."""
    likely = {margin: -np.log1p(np.exp(-margin)) for margin in (3.0, 1.0, 2.0, 1.5, -0.5)}
    expected = [
        (likely[3.0] - likely[1.0] + likely[1.5] - likely[-0.5]) / 2,
        (likely[3.0] - likely[2.0] + likely[1.5] - likely[2.0]) / 2,
    ]
    assert erasure_effects(FEATURES, ZERO, WEIGHTS, BIAS, LABELS) == pytest.approx(expected)


def test_what_is_put_instead_counts() -> None:
    """With the value that it has anyway, nothing is lost."""
    same = np.array([2.0, 1.0])
    assert erasure_effects(FEATURES[:1], same, WEIGHTS, BIAS, LABELS[:1]) == pytest.approx([0.0, 0.0])


def test_accuracy_while_dimensions_go() -> None:
    """Without dimension 0 the second example has margin 0.5 and is wrong; without both, all are a tie."""
    by_effect = accuracy_without(FEATURES, ZERO, WEIGHTS, BIAS, LABELS, np.array([0, 1]))
    other = accuracy_without(FEATURES, ZERO, WEIGHTS, BIAS, LABELS, np.array([1, 0]))
    assert by_effect.tolist() == [1.0, 0.5, 0.5] and other.tolist() == [1.0, 1.0, 0.5]
    assert dimensions_until(by_effect, 0.5) == 1 and dimensions_until(other, 0.5) == 2
    assert dimensions_until(other, 0.1) == 2


def test_the_fewest_dimensions_that_flip_an_answer() -> None:
    """Margins 4, spoken for by 3, 2 and -1: without the first alone 1 is left, without both -1."""
    features = np.array([[3.0, -1.0, 2.0], [0.5, 0.0, 0.0], [3.0, -1.0, 2.0]])
    weights = np.array([[1.0, 0.0]] * 3)
    bias = np.array([0.0, 0.0])
    assert dimensions_to_flip(features[:1], np.zeros(3), weights, bias).tolist() == [2]
    assert dimensions_to_flip(features[:1], np.zeros(3), weights, bias, np.array([1, 0, 2])).tolist() == [4]
    biased = np.array([2.0, 0.0])
    assert dimensions_to_flip(features[1:2], np.zeros(3), weights, biased).tolist() == [4], "never"


def test_the_rival_is_the_answer_that_was_second() -> None:
    features = np.array([[1.0, 1.0]])
    weights = np.array([[2.0, 0.0, 1.5], [1.0, 0.0, 1.0]])
    # Logits 3, 0 and 2.5: the margin is 0.5, which dimension 0 alone speaks for. Erased, the two are a tie.
    assert dimensions_to_flip(features, np.zeros(2), weights, np.array([0.0, 0.0, 0.1])).tolist() == [1]
