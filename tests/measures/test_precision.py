"""Average precision with its error over documents, thresholds, and counts."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.precision import average_precision, best_threshold, descending, found_by_document


def written_again(scores: np.ndarray, wanted: np.ndarray, weights: np.ndarray) -> float:
    """The definition, thing by thing, each with a weight."""
    total = 0.0
    for place in np.flatnonzero(wanted):
        above = scores >= scores[place]
        total += weights[place] * (weights * wanted)[above].sum() / weights[above].sum()
    return total / (weights * wanted).sum()


def test_by_hand() -> None:
    """Ranks 1, 3 and 4 are wanted: (1/1 + 2/3 + 3/4) / 3."""
    found = average_precision(np.array([[9, 8, 7, 6.0]]), np.array([1, 0, 1, 1]) > 0, np.zeros(4, int))
    assert found.value[0] == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_equal_scores_are_taken_at_once() -> None:
    """Whatever their order: both have the precision of all four."""
    wanted = np.array([1, 0, 0, 1]) > 0
    assert average_precision(np.ones((1, 4)), wanted, np.zeros(4, int)).value[0] == pytest.approx(0.5)


def test_the_influence_of_a_document_is_the_derivative_by_its_weight() -> None:
    draw = np.random.default_rng(0)
    scores, wanted, documents = draw.normal(size=80).round(1), draw.random(80) < 0.3, draw.integers(0, 9, 80)
    found = average_precision(scores[None], wanted, documents)
    assert found.value[0] == pytest.approx(written_again(scores, wanted, np.ones(80)))
    for number in range(9):
        more = np.ones(80) + 1e-6 * (documents == number)
        slope = (written_again(scores, wanted, more) - found.value[0]) / 1e-6
        assert found.influence[0, number] == pytest.approx(slope, abs=1e-5)
    assert found.influence.sum() == pytest.approx(0, abs=1e-12)


def test_the_error_is_that_of_drawing_documents_anew() -> None:
    draw = np.random.default_rng(1)
    values = []
    for _ in range(200):
        documents = np.repeat(np.arange(40), 10)
        level = np.repeat(draw.normal(size=40), 10)
        wanted = draw.random(400) < 0.3
        found = average_precision((level + wanted + draw.normal(size=400))[None], wanted, documents)
        values.append((found.value[0], found.error()[0]))
    value, error = np.array(values).T
    assert error.mean() == pytest.approx(value.std(), rel=0.15)


def test_the_order_of_numbers_of_32_bits_is_that_of_64() -> None:
    draw = np.random.default_rng(0)
    scores = draw.normal(size=5000).round(2).astype(np.float32)
    scores[:6] = [0.0, -0.0, np.inf, -np.inf, np.finfo(np.float32).tiny, -1e-42]
    assert np.array_equal(descending(scores), descending(scores.astype(np.float64)))


def test_nothing_is_wanted() -> None:
    assert np.isnan(average_precision(np.ones((1, 3)), np.zeros(3, bool), np.zeros(3, int)).value[0])


def test_a_threshold_takes_all_of_a_score() -> None:
    """Of scores 3, 2, 2, 1 with the first and third wanted, 2 takes three: F1 4/5, above 2/3."""
    assert best_threshold(np.array([3.0, 2, 2, 1]), np.array([True, False, True, False])) == 2


def test_counts_by_document() -> None:
    taken, wanted = np.array([1, 1, 0, 1]) > 0, np.array([1, 0, 1, 0]) > 0
    assert found_by_document(taken, wanted, np.array([0, 0, 2, 2])).tolist() == [
        [1, 2, 1],
        [0, 0, 0],
        [0, 1, 1],
    ]


def test_a_score_that_is_no_number_has_no_precision() -> None:
    scores = np.array([[1.0, np.nan, 2.0], [3.0, 2.0, 1.0]])
    found = average_precision(scores, np.array([True, False, True]), np.zeros(3, int))
    assert np.isnan(found.value[0]) and found.value[1] == pytest.approx((1 + 2 / 3) / 2)
