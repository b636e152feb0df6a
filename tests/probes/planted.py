"""Features made by hand: sentences with random trees, and heads that attend as they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from headscope.probes.features import Features
from headscope.probes.padded import Shelf
from headscope.probes.vectors import Vectors

Attend = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def random_tree(words: int, random: np.random.Generator) -> np.ndarray:
    """Heads (word,) with 0 for ROOT: each word depends on one that was placed before it."""
    order = random.permutation(words)
    heads = np.zeros(words, np.int32)
    for place in range(1, words):
        heads[order[place]] = order[random.integers(place)] + 1
    return heads


def noise(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Attention (word + 2, word + 2) that knows nothing."""
    return random.dirichlet(np.ones(len(heads) + 2), len(heads) + 2)


def to_head(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Attention of each word to its head, the root's to the first special token, that of those to nothing."""
    weights = np.zeros((len(heads) + 2, len(heads) + 2))
    weights[np.arange(1, len(heads) + 1), heads] = 1.0
    return weights


def to_dependents(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """What `to_head` gives, seen from the head."""
    return to_head(heads, random).T


def plant(
    sentences: Sequence[tuple[Sequence[str], Sequence[int]]],
    attend: Sequence[Attend],
    seed: int = 0,
    punct: frozenset[str] = frozenset("."),
    blocks: Sequence[int] | None = None,
) -> Features:
    """Features of sentences (words, heads), one head per function; special tokens stand around the words."""
    random = np.random.default_rng(seed)
    maps, ends = [], []
    for words, heads in sentences:
        whole = np.stack([one(np.array(heads), random) for one in attend], -1).astype(np.float16)
        inner = slice(1, len(words) + 1)
        maps.append(whole[inner, inner].reshape(-1, len(attend)))
        ends.append(np.stack([whole[inner, 0], whole[0, inner], whole[inner, -1], whole[-1, inner]], 1))
    every = [word for words, _ in sentences for word in words]
    return Features.of_words(
        every,
        maps=np.concatenate(maps),
        ends=np.concatenate(ends),
        sizes=np.array([len(words) for words, _ in sentences], np.int32),
        gold=np.concatenate([np.asarray(heads, np.int32) for _, heads in sentences]),
        punct=np.array([word in punct for word in every]),
        blocks=np.array(list(range(len(sentences))) if blocks is None else blocks, np.int32) % 100,
    )


def plant_random(attend: Sequence[Attend], sentences: int = 60, seed: int = 0, longest: int = 9) -> Features:
    """Features of random sentences of 2 to `longest` words."""
    random = np.random.default_rng(seed)
    vocabulary = np.array(["ship", "keeper", "night", "old", "wrote", "a", "the", "lamp"])
    sizes = random.integers(2, longest + 1, sentences)
    drawn = [(random.choice(vocabulary, size).tolist(), random_tree(size, random)) for size in sizes]
    return plant(drawn, attend, seed)


def shelf(features: Features, vectors: Vectors | None = None, seed: int = 0) -> Shelf:
    """A shelf with a single shard."""
    return Shelf(lambda number: features, [0], vectors, seed)


def some_vectors(words: Sequence[str], size: int = 3, seed: int = 0) -> Vectors:
    """Random vectors of some words."""
    table = np.random.default_rng(seed).normal(size=(len(words) + 1, size)).astype(np.float32)
    table[0] = 0
    return Vectors("random", table, {word: row for row, word in enumerate(words, start=1)})


def right_neighbour(sentences: int) -> Features:
    """Sentences in which each word depends on the next one, and heads that know nothing."""
    sizes = np.random.default_rng(sentences).integers(2, 8, sentences)
    chains = [(["ship"] * size, [*range(2, size + 1), 0]) for size in sizes.tolist()]
    return plant(chains, [noise])
