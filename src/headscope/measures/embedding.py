"""Placing heads in the plane by their distances, grouping them, and testing whether layers hang together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist, squareform


@dataclass(frozen=True)
class Embedding:
    """positions: (item, 2). stress: Kruskal's stress-1, 0 for a perfect picture. NaN if unknown."""

    positions: np.ndarray
    stress: float


MOST_STEPS = 3e8
"""So many cells of distances are gone through for one start: beyond 500 items, in fewer rounds than asked."""


def embed(distances: np.ndarray, seed: int = 0, starts: int = 4, rounds: int = 1000) -> Embedding:
    """Metric multidimensional scaling by majorisation (SMACOF); Clark et al. 2019 figure 6.

    distances: (item, item), symmetric. Tries classical scaling and seeded random starts, keeps the best.
    Where one is not known, no item has a place.
    """
    count = len(distances)
    if np.isnan(distances).any():
        return Embedding(np.full((count, 2), np.nan), float("nan"))
    rounds = min(rounds, max(50, int(MOST_STEPS / max(1, count) ** 2)))
    if count < 3:
        line = np.zeros((count, 2))
        line[1:, 0] = distances[0, 1:]
        return Embedding(line, 0.0)
    generator = np.random.default_rng(seed)
    spread = distances.max() or 1.0
    guesses = [_classical(distances)] + [generator.normal(size=(count, 2)) * spread for _ in range(starts)]
    return min((_majorise(distances, guess, rounds) for guess in guesses), key=lambda picture: picture.stress)


def _classical(distances: np.ndarray) -> np.ndarray:
    centred = distances**2
    centred = centred - centred.mean(0) - centred.mean(1)[:, None] + centred.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    top: np.ndarray = vectors[:, -1:-3:-1] * np.sqrt(np.maximum(values[-1:-3:-1], 0))
    return top


def _majorise(distances: np.ndarray, positions: np.ndarray, rounds: int) -> Embedding:
    stress, shown = np.inf, cdist(positions, positions)
    for _ in range(rounds):
        ratio = np.divide(distances, shown, out=np.zeros_like(shown), where=shown > 0)
        pull = -ratio
        np.fill_diagonal(pull, ratio.sum(1))
        positions = pull @ positions / len(positions)
        shown = cdist(positions, positions)
        before, stress = stress, _stress(distances, shown)
        if before - stress < 1e-9:
            break
    return Embedding(positions - positions.mean(0), stress)


def _stress(distances: np.ndarray, shown: np.ndarray) -> float:
    size = (shown**2).sum()
    return float(np.sqrt(((distances - shown) ** 2).sum() / size)) if size else 0.0


def group(distances: np.ndarray, most: int = 12) -> np.ndarray:
    """Cluster number of each item, from 0: Ward's linkage, as many groups as give the best silhouette.

    The root of a mean Jensen-Shannon divergence is a Euclidean distance, as Ward's linkage wants it.
    """
    count = len(distances)
    if count < 3 or not distances.any() or np.isnan(distances).any():
        return np.zeros(count, dtype=np.int64)
    tree = linkage(squareform(np.sqrt(distances), checks=False), "ward")
    cuts = [fcluster(tree, size, "maxclust") - 1 for size in range(2, min(most, count - 1) + 1)]
    best: np.ndarray = max(cuts, key=lambda labels: silhouette(distances, labels))
    return best.astype(np.int64)


def silhouette(distances: np.ndarray, labels: np.ndarray) -> float:
    """Mean silhouette, from -1 to 1; items alone in their group count 0."""
    member = labels[:, None] == np.arange(labels.max() + 1)
    sizes = member.sum(0)
    if len(sizes) < 2:
        return 0.0
    sums = distances @ member
    own_size = sizes[labels]
    inside = sums[np.arange(len(labels)), labels] / np.maximum(own_size - 1, 1)
    outside = np.where(member, np.inf, sums / np.maximum(sizes, 1)).min(1)
    largest = np.maximum(inside, outside)
    scores = np.divide(outside - inside, largest, out=np.zeros_like(inside), where=largest > 0)
    return float(np.where(own_size > 1, scores, 0.0).mean())


@dataclass(frozen=True)
class LayerTest:
    """within, between: mean distance inside a layer and across layers; p: chance of so small a `within`."""

    within: float
    between: float
    p: float


def layer_closeness(distances: np.ndarray, layers: np.ndarray, seed: int = 0, draws: int = 9999) -> LayerTest:
    """Are heads of one layer closer than chance? The layer labels are permuted (Clark et al. 2019, 6)."""
    _, number = np.unique(layers, return_inverse=True)
    pairs = np.triu_indices(len(layers), 1)
    same = number[pairs[0]] == number[pairs[1]]
    flat = distances[pairs]
    if not same.any() or same.all() or np.isnan(flat).any():
        return LayerTest(float("nan"), float("nan"), float("nan"))
    within, between = float(flat[same].mean()), float(flat[~same].mean())
    generator = np.random.default_rng(seed)
    # A permutation keeps the sizes of layers: other items stand in the places of pairs within them.
    first, second = (side[same] for side in pairs)
    hits, order = 0, np.empty_like(number)
    for _ in range(draws):
        order[generator.permutation(len(number))] = np.arange(len(number))
        hits += distances[order[first], order[second]].mean() <= within + 1e-12
    return LayerTest(within, between, (hits + 1) / (draws + 1))
