"""F1 of the first phrases of a ranking: by hand, and at its edges."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.phrases import f1_at, found_at

PHRASES = ["old ship", "art", "article", "salt marsh", "art"]


def test_by_hand() -> None:
    """Ranked art, old ship, article, salt marsh; of these art and salt marsh are wanted, and one that is not
    there: at 2, precision 1/2 and recall 1/3; at 5, four candidates are taken, precision 2/4 or 2/5."""
    found = found_at(np.array([[3.0, 1, 2, 0.5, 4]]), PHRASES, {"art", "salt marsh", "boat"}, [2, 5])
    assert found.right.tolist() == [[1, 2]] and (found.candidates, found.wanted) == (4, 3)
    assert f1_at(found, [2, 5])[0].tolist() == pytest.approx([2 / 5, 4 / 7])
    assert f1_at(found, [2, 5], by_cut=True)[0].tolist() == pytest.approx([2 / 5, 4 / 8])


def test_equal_phrases_are_one_with_the_best_score() -> None:
    found = found_at(np.array([[0.0, 1, 3, 2, 9]]), PHRASES, {"art"}, [1])
    assert found.right.tolist() == [[1]] and found.candidates == 4


def test_the_beginning_of_a_word_is_not_the_word() -> None:
    assert found_at(np.array([[0.0, 1, 9, 2, 0]]), PHRASES, {"art"}, [1]).right.tolist() == [[0]]


def test_nothing_is_right_or_wanted() -> None:
    found = found_at(np.ones((2, 5)), PHRASES, set(), [5])
    assert f1_at(found, [5]).tolist() == [[0], [0]]


def test_of_equal_scores_the_first_comes_first() -> None:
    found = found_at(np.zeros((1, 5)), PHRASES, {"old ship"}, [1, 2])
    assert found.right.tolist() == [[1, 1]]
