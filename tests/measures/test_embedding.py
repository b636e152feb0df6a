"""Placing, grouping and testing items by their distances."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.embedding import embed, group, layer_closeness, silhouette


def distances_of(points: np.ndarray) -> np.ndarray:
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))


def test_a_square_is_recovered() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    found = embed(distances_of(square))
    assert np.allclose(distances_of(found.positions), distances_of(square), atol=1e-4)
    assert found.stress < 1e-4
    assert np.allclose(found.positions.mean(0), 0)


def test_what_does_not_fit_the_plane_has_stress() -> None:
    # Four points all at distance 1 are a tetrahedron; a flat picture must err.
    found = embed(1.0 - np.eye(4))
    assert found.stress > 0.1
    shown = distances_of(found.positions)
    by_hand = np.sqrt(((1.0 - np.eye(4) - shown) ** 2).sum() / (shown**2).sum())
    assert found.stress == pytest.approx(by_hand, rel=1e-3)


def test_where_distances_are_not_known_nothing_is_told() -> None:
    unknown = np.full((4, 4), np.nan)
    found, test = embed(unknown), layer_closeness(unknown, np.array([0, 0, 1, 1]))
    assert np.isnan(found.positions).all() and np.isnan(found.stress)
    assert group(unknown).tolist() == [0, 0, 0, 0]
    assert np.isnan(test.p) and np.isnan(test.within)


def test_few_items_lie_on_a_line() -> None:
    assert embed(np.zeros((1, 1))).positions.tolist() == [[0, 0]]
    two = embed(np.array([[0.0, 3.0], [3.0, 0.0]]))
    assert two.positions.tolist() == [[0, 0], [3, 0]] and two.stress == 0


def test_equal_items_fall_together() -> None:
    found = embed(np.zeros((5, 5)))
    assert np.allclose(found.positions, 0) and found.stress == 0


def test_the_picture_is_seeded() -> None:
    points = np.random.default_rng(0).normal(size=(12, 5))
    first, second = (embed(distances_of(points), seed=3).positions for _ in range(2))
    assert np.array_equal(first, second)


def blobs(sizes: list[int], spread: float = 0.1) -> np.ndarray:
    generator = np.random.default_rng(1)
    centres = np.repeat(np.arange(len(sizes)) * 10.0, sizes)[:, None]
    return distances_of(centres + generator.normal(size=(sum(sizes), 2)) * spread)


@pytest.mark.parametrize("sizes", [[4, 6], [3, 3, 5]])
def test_blobs_are_groups(sizes: list[int]) -> None:
    labels = group(blobs(sizes))
    expected = np.repeat(np.arange(len(sizes)), sizes)
    assert len(set(zip(labels, expected, strict=True))) == len(sizes) == len(set(labels))
    assert labels.min() == 0


def test_nothing_to_group() -> None:
    assert group(np.zeros((4, 4))).tolist() == [0, 0, 0, 0]
    assert group(np.array([[0.0, 1.0], [1.0, 0.0]])).tolist() == [0, 0]


def test_silhouette_by_hand() -> None:
    # Points 0, 1 and 10: inside the pair 1 apart, 10 and 9 from the single one.
    distances = distances_of(np.array([[0.0], [1.0], [10.0]]))
    expected = ((10 - 1) / 10 + (9 - 1) / 9 + 0) / 3
    assert silhouette(distances, np.array([0, 0, 1])) == pytest.approx(expected)
    assert silhouette(distances, np.array([0, 0, 0])) == 0


def test_silhouette_of_a_wrong_grouping_is_negative() -> None:
    distances = distances_of(np.array([[0.0], [0.1], [10.0], [10.1]]))
    # The outer two: 10 from their own, (0.1 + 10.1) / 2 from the others; the inner two: 10, (0.1 + 9.9) / 2.
    expected = ((5.1 - 10) / 10 + (5.0 - 10) / 10) / 2
    assert silhouette(distances, np.array([0, 1, 0, 1])) == pytest.approx(expected)


def test_planted_layers_are_found() -> None:
    test = layer_closeness(blobs([4, 4, 4], spread=1.0), np.repeat(np.arange(3), 4), draws=999)
    assert test.p == pytest.approx(0.001)
    assert test.within < 4 < test.between


def test_within_and_between_by_hand() -> None:
    distances = np.array([[0, 1, 5, 6], [1, 0, 7, 8], [5, 7, 0, 3], [6, 8, 3, 0]], dtype=float)
    test = layer_closeness(distances, np.array([0, 0, 1, 1]), draws=99)
    assert test.within == pytest.approx((1 + 3) / 2)
    assert test.between == pytest.approx((5 + 6 + 7 + 8) / 4)
    # Of the three ways to pair four items, this is the closest: a third of all permutations reach it.
    assert 0.15 < test.p < 0.55


def test_random_layers_are_not_found() -> None:
    generator = np.random.default_rng(5)
    layers = np.repeat(np.arange(4), 4)
    values = [
        layer_closeness(distances_of(generator.normal(size=(16, 3))), layers, seed=n, draws=199).p
        for n in range(60)
    ]
    assert 0.38 < np.mean(values) < 0.62
    assert np.mean(np.array(values) <= 0.05) < 0.15


def test_one_layer_cannot_be_tested() -> None:
    test = layer_closeness(blobs([4]), np.zeros(4, int))
    assert np.isnan(test.p) and np.isnan(test.within)
    assert np.isnan(layer_closeness(blobs([4]), np.arange(4)).p)
