"""Random trees whose arcs have the directions and lengths of true ones.

A tree is as likely as the product of its arcs' weights, and the weight of an arc depends on its direction and
length alone. Among all distributions over trees with the same expected arcs, this is the one that assumes
least (maximum entropy). Expected arcs are exact, by the matrix-tree theorem with one child of ROOT (Koo et
al. 2007, section 3.2); the weights are fitted to those of true trees of similar length by iterative scaling.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from headscope.measures.false_trees import weighted_tree

SHORTEST = 6
"""Shorter sentences are not matched: they have too few trees to have other arcs than the true one's."""

_LENGTHS = np.array([1, 2, 3, 4, 5, 8])
"""Arcs are told apart by length: 1, 2, 3, 4, 5 to 7, 8 and more."""

BINS = 2 * len(_LENGTHS)
"""Kinds of arcs: heads before their words, then heads behind them, by length."""

_EDGES = np.array([6, 8, 10, 13, 17, 22, 29, 38, 50, 66, 88])
"""Sentences of similar length begin at one of these and end below the next."""

_CLOSE, _ROUNDS, _UNSEEN = 1e-3, 200, 0.1


def class_of(words: int) -> int:
    """The number of the class of similar lengths; -1 below the shortest."""
    return int(np.searchsorted(_EDGES, words, side="right")) - 1


def bins_of(offsets: np.ndarray) -> np.ndarray:
    """The kind of each arc; offsets: head minus word, of any shape.

    >>> bins_of(np.array([-1, -6, 1, 9]))
    array([ 0,  4,  6, 11])
    """
    length = np.searchsorted(_LENGTHS, np.abs(offsets), side="right") - 1
    return np.where(offsets < 0, length, len(_LENGTHS) + length)


def arc_counts(heads: np.ndarray) -> np.ndarray:
    """How many arcs of each kind a tree (word,) has, (bin,); the root has none.

    >>> arc_counts(np.array([1, -1, 1, 1]))[[0, 1, 6]]
    array([1, 1, 1])
    """
    words = np.flatnonzero(heads >= 0)
    return np.bincount(bins_of(heads[words] - words), minlength=BINS)


class Matched:
    """Draws trees as true ones of similar length have arcs.

    counts: of each length of sentences, how many there are and how many arcs of each kind they have (bin,).
    """

    def __init__(self, counts: Mapping[int, tuple[int, np.ndarray]]) -> None:
        classes: dict[int, dict[int, tuple[int, np.ndarray]]] = {}
        for words, own in counts.items():
            if words >= SHORTEST:
                classes.setdefault(class_of(words), {})[words] = own
        self.weights = {number: fit(own) for number, own in classes.items()}

    def tree(self, key: int, words: int) -> np.ndarray | None:
        """A tree (word,) of so many words; None for sentences that are too short or like no true one."""
        weights = self.weights.get(class_of(words))
        return None if weights is None else weighted_tree(key, *_chances(weights.tobytes(), words))


@lru_cache(maxsize=256)
def _chances(weights: bytes, words: int) -> tuple[np.ndarray, np.ndarray]:
    """Running sums of chances: of the heads of each word, (word, word), and of roots, (word,)."""
    arcs = _arcs(np.frombuffer(weights), words)
    up = np.cumsum(arcs.T, axis=1)
    _, roots = expected(arcs)
    return up / up[:, -1:], np.cumsum(roots) / roots.sum()


def fit(counts: Mapping[int, tuple[int, np.ndarray]]) -> np.ndarray:
    """Weights (bin,) under which trees of these lengths have these arcs, in expectation."""
    observed = np.sum([arcs for _, arcs in counts.values()], axis=0) + _UNSEEN
    weights = np.ones(BINS)
    for _ in range(_ROUNDS):
        reached = np.zeros(BINS)
        for words, (sentences, _) in counts.items():
            chances, _ = expected(_arcs(weights, words))
            reached += sentences * np.bincount(_kinds(words).ravel(), chances.ravel(), BINS + 1)[:BINS]
        possible = reached > 0  # no arc is longer than its sentence
        wanted = observed[possible] / observed[possible].sum()
        shares = reached[possible] / reached[possible].sum()
        if np.abs(wanted - shares).sum() / 2 < _CLOSE:
            break
        weights[possible] *= wanted / shares
        weights /= weights[possible].max()
    return weights


def expected(arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The chance of each arc (head, word) and of each root (word,) in trees with one root.

    arcs: (head, word) weights, 0 on the diagonal; every word is as good a root as any other.

    >>> chances, roots = expected(np.array([[0.0, 3.0], [1.0, 0.0]]))
    >>> chances[0, 1].round(6).item(), roots.round(6).tolist()
    (0.75, [0.75, 0.25])
    """
    laplacian = np.diag(arcs.sum(0)) - arcs
    laplacian[0] = 1.0
    inverse = np.linalg.inv(laplacian)
    own, other = np.diag(inverse).copy(), inverse.T.copy()
    own[0] = 0.0  # the first row of the Laplacian belongs to the root
    other[0] = 0.0
    chances = np.maximum(arcs * (own[None, :] - other), 0.0)
    return chances, np.maximum(inverse[:, 0], 0.0)


@lru_cache(maxsize=256)
def _kinds(words: int) -> np.ndarray:
    """The kind of each arc (head, word); a word is no head of itself: one more kind."""
    place = np.arange(words)
    offsets = place[:, None] - place
    return np.where(offsets == 0, BINS, bins_of(offsets))


def _arcs(weights: np.ndarray, words: int) -> np.ndarray:
    """The weight of each arc (head, word)."""
    arcs: np.ndarray = np.append(weights, 0.0)[_kinds(words)]
    return arcs
