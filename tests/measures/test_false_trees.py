"""False trees are trees, and each sampler draws what it says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from headscope.measures.false_trees import arc_standard_trees, uniform_trees
from headscope.measures.matched_trees import BINS, Matched, arc_counts, class_of, expected, fit

FOUR = 64 * 150


def keys(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)


def depths(heads: np.ndarray) -> np.ndarray:
    """Arcs from the root to each word, (tree, word); fails for what is no tree."""
    depth, above = np.zeros(heads.shape, int), heads.copy()
    for _ in range(heads.shape[1]):
        depth += above >= 0
        above = np.where(above >= 0, np.take_along_axis(heads, above.clip(0), 1), -1)
    assert (above < 0).all(), "a cycle"
    assert ((heads < 0).sum(1) == 1).all(), "one root"
    return depth


@pytest.mark.parametrize("draw", [arc_standard_trees, uniform_trees])
def test_of_four_words_all_64_trees_occur(draw) -> None:
    trees = draw(keys(FOUR), np.full(FOUR, 4))
    depths(trees)
    assert len(Counter(map(tuple, trees.tolist()))) == 64


def test_uniform_trees_pass_a_chi_square_test_that_arc_standard_trees_fail() -> None:
    def statistic(trees: np.ndarray) -> float:
        counts = np.array(list(Counter(map(tuple, trees.tolist())).values()))
        return float(((counts - FOUR / 64) ** 2 / (FOUR / 64)).sum())

    limit = chi2.ppf(0.999, 63)
    assert statistic(uniform_trees(keys(FOUR), np.full(FOUR, 4))) < limit
    assert statistic(arc_standard_trees(keys(FOUR), np.full(FOUR, 4))) > limit


@pytest.mark.parametrize(
    ("draw", "depth", "degree"), [(arc_standard_trees, 2.82, 3.96), (uniform_trees, 3.39, 2.84)]
)
def test_shapes_of_trees_of_fourteen_words(draw, depth: float, degree: float) -> None:
    trees = draw(keys(4000), np.full(4000, 14))
    means = depths(trees).mean(1)
    widest = np.array([np.bincount(tree[tree >= 0], minlength=14).max() for tree in trees])
    for values, known in ((means, depth), (widest, degree)):
        assert abs(values.mean() - known) < 4 * values.std() / np.sqrt(len(values)) + 0.005


def test_a_tree_follows_from_its_key_alone() -> None:
    many = arc_standard_trees(keys(5), np.array([3, 7, 2, 7, 1]))
    (alone,) = arc_standard_trees(keys(5)[3:4], np.array([7]))
    assert many[3].tolist() == alone.tolist()
    assert many[4].tolist() == [-1] * 7  # one word is the root; beyond it there is none


def test_chances_of_arcs_by_hand() -> None:
    """Three words, all arcs weigh 1: of 9 trees, each arc is in 3 and each word is the root of 3."""
    chances, roots = expected(np.ones((3, 3)) - np.eye(3))
    np.testing.assert_allclose(roots, 1 / 3)
    np.testing.assert_allclose(chances, (np.ones((3, 3)) - np.eye(3)) / 3)


def test_fitted_weights_give_the_arcs_they_were_fitted_to() -> None:
    counts = np.zeros(BINS)
    counts[[0, 1, 6, 7, 8]] = 30, 10, 40, 15, 5  # 100 arcs: 20 sentences of 6 words
    weights = fit({6: (20, counts)})
    trees = Matched({6: (20, counts)})
    assert trees.weights[class_of(6)].tolist() == weights.tolist()
    drawn = sum(arc_counts(tree) for key in keys(4000) if (tree := trees.tree(int(key), 6)) is not None)
    assert np.abs(drawn / drawn.sum() - counts / 100).sum() / 2 < 0.02


def test_short_sentences_are_not_matched() -> None:
    counts = {5: (1, np.eye(BINS)[0] * 4), 6: (1, np.eye(BINS)[0] * 5)}
    trees = Matched(counts)
    assert trees.tree(1, 5) is None
    assert trees.tree(1, 100) is None  # no true tree is similar
    assert trees.tree(1, 6) is not None
