"""Trees as distributions that attention can be held against: for each word, where it should look.

- parent: each word puts all on the word that it depends on; the root asks nothing.
- children: each word spreads evenly over the words that depend on it; one without any asks nothing.
- own: what the source itself says of each word.
- distance: each word spreads over all other words, by the softmax of minus the number of arcs between them.

Shapes: heads (batch, tree, word), -1 for roots and -2 for heads that are not there; there (batch, tree) bool:
whether a text has that tree; known (batch, word) bool: words that have a piece. A word that is not known is
nobody's target and asks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import njit

PARENT, CHILDREN, DISTANCE, OWN = "parent", "children", "distance", "own"
OF_TREES = (PARENT, CHILDREN, DISTANCE)
"""The targets that every tree gives, in the order of all arrays."""

FARTHEST = 255
"""Words that are farther apart count as so far: softmax gives them nothing."""


class Layer(Protocol):
    """Distributions of words over words, (entry,) each."""

    @property
    def query(self) -> np.ndarray: ...

    @property
    def key(self) -> np.ndarray: ...

    @property
    def share(self) -> np.ndarray: ...


class Entries(NamedTuple):
    """Where words should look, by text and column; column = target, then tree.

    query, key, share: (entry,), a word, another, and how much of the first one's target is on it; those of
    column c of text b are from starts[b, c] to ends[b, c].
    """

    query: np.ndarray
    key: np.ndarray
    share: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def arcs(heads: np.ndarray, there: np.ndarray, known: np.ndarray) -> Entries:
    """The entries of `PARENT`, then those of `CHILDREN`, for every tree."""
    batch, trees, longest = heads.shape
    room = 2 * batch * trees * longest
    entries = Entries(
        np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room),
        np.zeros((batch, 2 * trees), np.int64), np.zeros((batch, 2 * trees), np.int64),
    )  # fmt: skip
    _fill_arcs(heads, there, known, *entries)
    return entries


def with_own(entries: Entries, own: Sequence[Sequence[Layer | None]], known: np.ndarray) -> Entries:
    """The same with a column more for each tree: distributions that come from the source.

    own: (batch, tree) of layers with query, key and share, or None. A word is left out where it, or a word
    that it should look at, is not known.
    """
    parts = [[_listed(layer, known[text]) for layer in layers] for text, layers in enumerate(own)]
    flat = [part for row in parts for part in row]
    sizes = np.array([[len(part[0]) for part in row] for row in parts])
    ends = len(entries.query) + np.cumsum(sizes).reshape(sizes.shape)
    lists = zip(entries[:3], zip(*flat, strict=True), strict=True)
    query, key, share = (np.concatenate([first, *more]).astype(first.dtype) for first, more in lists)
    return Entries(
        query, key, share, np.hstack([entries.starts, ends - sizes]), np.hstack([entries.ends, ends])
    )


def _listed(layer: Layer | None, known: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if layer is None:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, np.zeros(0)
    lost = np.bincount(layer.query[~known[layer.key]], minlength=len(known)) > 0
    kept = known[layer.query] & ~lost[layer.query]
    return layer.query[kept], layer.key[kept], layer.share[kept]


def tree_distances(heads: np.ndarray, there: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Arcs between any two words of each tree, (batch, tree, word, word) uint8.

    Words that are not known and those of different trees are `FARTHEST` apart, and so is a word from itself:
    no tree says how much a word should look at itself.

    >>> known = np.ones((1, 3), bool)
    >>> tree_distances(np.array([[[1, -1, 1]]]), np.ones((1, 1), bool), known)[0, 0].tolist()
    [[255, 1, 2], [1, 255, 1], [2, 1, 255]]
    """
    batch, trees, longest = heads.shape
    distances = np.full((batch, trees, longest, longest), FARTHEST, np.uint8)
    _fill_distances(heads, there, distances)
    distances[np.broadcast_to(~(known[:, None, :, None] & known[:, None, None, :]), distances.shape)] = (
        FARTHEST
    )
    place = np.arange(longest)
    distances[..., place, place] = FARTHEST
    return distances


@njit(cache=True)
def _fill_arcs(
    heads: Any, there: Any, known: Any, query: Any, key: Any, share: Any, starts: Any, ends: Any
) -> None:
    batch, trees, longest = heads.shape
    place = 0
    children = np.zeros(longest, np.int64)
    for text in range(batch):
        for tree in range(trees):
            above = heads[text, tree]
            children[:] = 0
            starts[text, tree] = place
            if there[text, tree]:
                for word in range(longest):
                    head = above[word]
                    if head >= 0 and known[text, word] and known[text, head]:
                        query[place], key[place], share[place] = word, head, 1
                        children[head] += 1
                        place += 1
            first, last = starts[text, tree], place
            ends[text, tree], starts[text, trees + tree] = last, last
            for entry in range(first, last):
                query[place], key[place] = key[entry], query[entry]
                share[place] = 1 / children[key[entry]]
                place += 1
            ends[text, trees + tree] = place


@njit(cache=True)
def _fill_distances(heads: Any, there: Any, distances: Any) -> None:
    batch, trees, longest = heads.shape
    depth = np.empty(longest, np.int64)
    for text in range(batch):
        for tree in range(trees):
            if not there[text, tree]:
                continue
            above, far = heads[text, tree], distances[text, tree]
            for word in range(longest):
                steps, node = 0, word
                while above[node] >= 0:
                    node, steps = above[node], steps + 1
                depth[word] = steps
            order = np.argsort(depth)
            for place in range(longest):  # a word is as far from those before it as its head is, and one more
                word = order[place]
                far[word, word] = 0
                head = above[word]
                if head < 0:
                    continue
                for before in range(place):
                    other = order[before]
                    steps = min(far[head, other] + 1, FARTHEST)
                    far[word, other] = steps
                    far[other, word] = steps
