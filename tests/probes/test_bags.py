"""Baselines without a model, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.probes.bags import NaiveBayes, by_length, majority, mean_vectors
from headscope.probes.vectors import Vectors

TRAIN = [("Good", "film"), ("good", "good"), ("bad", "film")]
LABELS = np.array([0, 0, 1])


def test_the_most_frequent_label() -> None:
    assert majority(np.array([2, 1, 1, 2, 0])) == 1


def test_a_length_is_answered_by_the_nearest_that_was_seen() -> None:
    train = [("a",), ("b",), ("c",), ("a", "b", "c")]
    labels = np.array([1, 1, 0, 2])
    assert by_length(train, labels, [("x",), ("x", "y"), ("x",) * 9]).tolist() == [1, 1, 2]


def test_naive_bayes_over_tf_idf() -> None:
    """idf of good and film: ln(4/3) + 1; of bad: ln(4/2) + 1. Each vector is then made of length 1.

    So label 0 has good 1/sqrt(2) + 1, film 1/sqrt(2), bad 0, and label 1 film f and bad b, all smoothed by 1.
    """
    often, rare = np.log(4 / 3) + 1, np.log(4 / 2) + 1
    film, bad = np.array([often, rare]) / np.hypot(often, rare)
    first = np.array([1 / np.sqrt(2) + 1, 1 / np.sqrt(2), 0]) + 1
    second = np.array([0, film, bad]) + 1
    logs = np.log([first / first.sum(), second / second.sum()])
    bayes = NaiveBayes(TRAIN, LABELS, classes=3)
    assert np.allclose(bayes._words[:2], logs) and np.allclose(bayes._prior[:2], np.log([2 / 3, 1 / 3]))
    # "film": 1 * log P(film); "bad": likewise; an unknown word leaves the prior alone.
    expected = [int(logs[1, word] + np.log(1 / 3) > logs[0, word] + np.log(2 / 3)) for word in (1, 2)]
    assert bayes.answers([("film",), ("BAD",), ("unknown",)]).tolist() == [*expected, 0]


def test_the_mean_of_known_vectors() -> None:
    table = np.array([[0, 0], [1, 2], [3, 6]], np.float32)
    vectors = Vectors("mine", table, {"a": 1, "b": 2})
    assert mean_vectors([("A", "b", "x"), ("x",)], vectors).tolist() == [[2.0, 4.0], [0.0, 0.0]]


@pytest.mark.parametrize("order", [("we", "saw", "it"), ("it", "saw", "we")])
def test_bags_know_no_order(order: tuple[str, ...]) -> None:
    bayes = NaiveBayes([*TRAIN, ("we", "saw", "it")], np.array([0, 0, 1, 1]), classes=2)
    assert bayes.answers([order]).tolist() == bayes.answers([("we", "saw", "it")]).tolist()
