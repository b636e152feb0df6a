"""Best trees against all trees there are, and scores worked out by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headscope.measures.trees import attachments, best_tree, edges, right_branching


def reaches_root(heads: tuple[int, ...], word: int) -> bool:
    for _ in heads:
        if heads[word] == 0:
            return True
        word = heads[word] - 1
    return False


def all_trees(words: int) -> list[tuple[int, ...]]:
    """Every choice of heads that is a tree with one child of ROOT."""
    return [
        heads
        for heads in product(range(words + 1), repeat=words)
        if heads.count(0) == 1 and all(reaches_root(heads, word) for word in range(words))
    ]


TREES = {words: all_trees(words) for words in range(1, 6)}


def total(scores: np.ndarray, heads: np.ndarray | tuple[int, ...]) -> float:
    return float(scores[np.arange(len(scores)), list(heads)].sum())


def test_there_are_as_many_trees_as_cayley_says() -> None:
    assert {words: len(trees) for words, trees in TREES.items()} == {n: n ** (n - 1) for n in range(1, 6)}


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    words = draw(st.integers(1, 5))
    values = draw(st.sampled_from([st.integers(-3, 3).map(float), st.floats(-50, 50)]))
    return draw(arrays(np.float64, (words, words + 1), elements=values))


@settings(max_examples=300, deadline=None)
@given(matrices())
def test_no_tree_is_better(scores: np.ndarray) -> None:
    found = best_tree(scores)
    assert tuple(found) in TREES[len(scores)]
    best = max(total(scores, heads) for heads in TREES[len(scores)])
    assert total(scores, found) == pytest.approx(best, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(matrices(), st.floats(-5, 5))
def test_a_constant_per_word_and_what_a_word_scores_for_itself_change_nothing(
    scores: np.ndarray, constant: float
) -> None:
    moved = scores + constant * np.arange(len(scores))[:, None]
    words = np.arange(len(scores))
    moved[words, words + 1] = -np.inf
    assert total(scores, best_tree(moved)) == pytest.approx(total(scores, best_tree(scores)), abs=1e-6)


def test_a_cycle_is_broken_where_it_costs_least() -> None:
    # Words 1 and 2 choose each other (9 + 8); ROOT gives 5 to the first and 6 to the second.
    # Entering at word 1 gives 5 + 8, entering at word 2 gives 9 + 6.
    assert best_tree(np.array([[5.0, 0.0, 9.0], [6.0, 8.0, 0.0]])).tolist() == [2, 0]


def test_two_children_of_root_are_refused() -> None:
    scores = np.array([[10.0, 0.0, 1.0], [10.0, 2.0, 0.0]])
    assert best_tree(scores).tolist() == [0, 1]  # 10 + 2, where 10 + 10 would have two


def test_long_sentences_end() -> None:
    scores = np.random.default_rng(0).normal(size=(120, 121))
    heads = tuple(best_tree(scores).tolist())
    assert heads.count(0) == 1 and all(reaches_root(heads, word) for word in range(120))


def test_uas_by_hand() -> None:
    # "he saw her ." with saw as root; the probe sends "her" to "he" and the stop to "saw".
    gold, predicted = np.array([2, 0, 2, 2]), np.array([2, 0, 1, 2])
    assert attachments(predicted, gold, np.array([True, True, True, False])) == (2, 3)
    assert attachments(predicted, gold, np.ones(4, bool)) == (3, 4)


def test_uuas_by_hand() -> None:
    gold = np.array([2, 0, 2, 2])
    counted = np.array([True, True, True, False])
    # The edge he-saw is found from saw's side; the edge saw-her is not found.
    assert edges(np.array([3, 1, 1, 2]), gold, counted) == (1, 2)
    # With the stop counted, its edge to saw counts too.
    assert edges(np.array([3, 1, 1, 2]), gold, np.ones(4, bool)) == (2, 3)
    assert edges(gold, gold, counted) == (2, 2)


def test_words_that_are_not_asked_have_no_edge() -> None:
    assert edges(np.array([2, 0]), np.array([-1, 0]), np.array([False, True])) == (0, 0)


def test_right_branching_is_a_tree() -> None:
    assert [right_branching(words).tolist() for words in (1, 2, 4)] == [[0], [2, 0], [2, 3, 4, 0]]
