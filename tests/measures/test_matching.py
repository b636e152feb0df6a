"""Heads matched before they are compared."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from headscope.measures.matching import matched, matched_distances


def test_the_nearest_is_not_always_the_match() -> None:
    """Both are nearest to head 0; 0-1 and 1-0 cost .3 together, 0-0 and 1-1 cost 1."""
    distances = np.array([[0.1, 0.2], [0.1, 0.9]])
    assert matched(distances).tolist() == [1, 0]
    assert matched_distances(distances[None]).tolist() == [[0.2, 0.1]]


def test_no_other_matching_is_nearer() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        distances = random.random((2, 4, 4))
        least = [min(sum(layer[range(4), order]) for order in permutations(range(4))) for layer in distances]
        assert np.allclose(matched_distances(distances).sum(1), least)


def test_heads_in_another_order_are_found_again() -> None:
    order = np.random.default_rng(1).permutation(6)
    own = np.arange(6.0)
    assert (matched(np.abs(own[:, None] - own[order])) == np.argsort(order)).all()
