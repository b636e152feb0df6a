"""Targets and how close attention comes to them, by hand."""

from __future__ import annotations

import math

import numpy as np
import torch

from headscope.measures.closeness import DIVERGENCE, MOST, ON_WORDS, RANK, WEIGHT, Seen, measure, see
from headscope.measures.targets import arcs, tree_distances
from headscope.measures.words import Pieces

# she -> fed <- cat <- the: words she, fed, the, cat
HEADS = np.array([[[1, -1, 3, 1]]])
THERE, KNOWN = np.ones((1, 1), bool), np.ones((1, 4), bool)
PARENT, CHILDREN, DISTANCE = range(3)
ROWS = np.array([[0.1, 0.4, 0.3, 0.2], [0.5, 0.1, 0.1, 0.3], [0.25, 0.25, 0.25, 0.25], [0.0, 0.6, 0.2, 0.2]])


def close(weights: np.ndarray, visible: np.ndarray) -> tuple[np.ndarray, np.ndarray, Seen]:
    """Of one head (word, word) and of even attention: sums, what words receive, and what is seen."""
    seen = see(arcs(HEADS, THERE, KNOWN), tree_distances(HEADS, THERE, KNOWN), THERE, visible[None])
    pieces = Pieces.of(np.arange(4)[None], 4)
    tensor = torch.tensor(weights, dtype=torch.float32)[None, None]
    sums, reception = measure(tensor, pieces, np.array([4]), seen, THERE, np.zeros((1, 2, 4)))
    return sums[0], reception[0], seen


def test_parents_by_hand() -> None:
    sums, reception, seen = close(ROWS, np.ones((4, 4), bool))
    assert seen.asked[0].tolist() == [3, 2, 4]
    own = sums[0, PARENT]
    assert math.isclose(own[DIVERGENCE], -math.log(0.4 * 0.25 * 0.6), rel_tol=1e-6)
    assert math.isclose(own[WEIGHT], 0.4 + 0.25 + 0.6, rel_tol=1e-6)
    assert own[RANK] == 1 + 2.5 + 1  # four equal weights share the ranks 1 to 4
    assert math.isclose(reception[0, ON_WORDS], 4, rel_tol=1e-6)
    assert math.isclose(reception[0, MOST], (0.4 + 0.1 + 0.25 + 0.6) / 4, rel_tol=1e-6)


def test_children_by_hand() -> None:
    """'fed' has two, 'cat' one: 1/2 log(1/2 / .5) + 1/2 log(1/2 / .3) and log(1 / .2)."""
    sums, _, _ = close(ROWS, np.ones((4, 4), bool))
    wanted = 0.5 * math.log(0.5 / 0.5) + 0.5 * math.log(0.5 / 0.3) + math.log(1 / 0.2)
    assert math.isclose(sums[0, CHILDREN, DIVERGENCE], wanted, rel_tol=1e-6)
    assert math.isclose(sums[0, CHILDREN, WEIGHT], 0.5 * (0.5 + 0.3) + 0.2, rel_tol=1e-6)
    assert sums[0, CHILDREN, RANK] == 0.5 * (1 + 2) + 2.5


def test_distances_by_hand() -> None:
    far = np.array([[0, 1, 3, 2], [1, 0, 2, 1], [3, 2, 0, 1], [2, 1, 1, 0]])
    mass = np.exp(-far) * (1 - np.eye(4))
    target = mass / mass.sum(1, keepdims=True)
    sums, _, _ = close(np.full((4, 4), 0.25), np.ones((4, 4), bool))
    wanted = sum(p * math.log(p / 0.25) for p in target.ravel() if p)
    for item in (0, 1):  # the head is even, and so is the reference
        assert math.isclose(sums[item, DISTANCE, DIVERGENCE], wanted, rel_tol=1e-5)


def test_words_see_earlier_words_alone() -> None:
    """Parents behind their words are hidden: they add nothing, and coverage tells of it."""
    sums, _, seen = close(np.tril(ROWS, -1), np.tril(np.ones((4, 4), bool), -1))
    assert seen.asked[0, PARENT] == 3
    assert seen.reached[0, PARENT] == 1  # 'cat' alone has its parent before it
    assert math.isclose(sums[0, PARENT, DIVERGENCE], -math.log(0.6 / 0.8), rel_tol=1e-6)
    assert math.isclose(sums[1, PARENT, DIVERGENCE], math.log(3), rel_tol=1e-6)
    assert sums[0, PARENT, RANK] == 1
    # 'fed' sees one of its two children, as half of its target; 'cat' sees 'the'.
    assert seen.reached[0, CHILDREN] == 1.5
    wanted = 0.5 * -math.log(0.5 / 0.5) + -math.log(0.2 / 0.8)
    assert math.isclose(sums[0, CHILDREN, DIVERGENCE], wanted, rel_tol=1e-6)


def test_attention_on_parents_has_no_divergence_and_rank_one() -> None:
    gold = np.eye(4)[[1, 1, 3, 1]]
    sums, _, _ = close(gold, np.ones((4, 4), bool))
    assert abs(sums[0, PARENT, DIVERGENCE]) < 1e-6
    assert sums[0, PARENT, RANK] == 3  # of three words
    assert sums[0, PARENT, WEIGHT] == 3


def test_a_word_that_sees_nothing_is_left_out() -> None:
    visible = np.ones((4, 4), bool)
    visible[0] = False
    weights = np.where(visible, ROWS, 0.0)
    sums, _, seen = close(weights, visible)
    assert (seen.asked[0, PARENT], seen.reached[0, PARENT]) == (3, 2)
    assert math.isclose(sums[0, PARENT, DIVERGENCE], -math.log(0.25 * 0.6), rel_tol=1e-6)


def test_words_without_a_piece_are_nobody_s_target() -> None:
    known = np.array([[True, False, True, True]])
    entries = arcs(HEADS, THERE, known)
    assert entries.ends[0].tolist() == [1, 2]  # the -> cat, cat -> the
    assert (tree_distances(HEADS, THERE, known)[0, 0, 1] == 255).all()
