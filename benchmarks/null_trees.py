"""syntax over trees that are drawn at random: how often it finds what is not there.

What every word of some sentences looks at most is taken from the model once; then trees are drawn anew, as
often as is wanted, and counted and tested as those of a treebank are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.analyses.labels import counted
from headscope.analyses.trees import Trees, padded_words, tree_of
from headscope.attention import Heard
from headscope.attention.listen import Need
from headscope.measures.words import strongest_others, word_maps
from headscope.models import Model, sides_of
from headscope.questions.syntax.analysis import Syntax
from headscope.questions.syntax.relations import relations_table, with_all
from headscope.results.finding import LEVEL
from headscope.results.vocabulary import READINGS
from headscope.text import Dependencies, Segment, batches

BATCH = 32
TRIES = 64
"""Distances that are drawn for a word, of which the first that stays in the sentence is taken."""


@dataclass(frozen=True)
class Looks:
    """The other word that each word looks at most, and the one that looks most at it.

    Both are (sentence, head, word), of the heads of a setting.
    """

    setting: Setting
    segments: Sequence[Segment]
    to: np.ndarray
    by: np.ndarray


@dataclass(frozen=True)
class Rejections:
    """How many relations were tested, how many of those at 5 % without correction; corpora with a finding."""

    tests: int
    rejected: int
    discoveries: int


class _Favourites:
    """Keeps the favourites of each layer that it hears."""

    needs: Need = "map"

    def __init__(self, segments: Sequence[Segment], size: int) -> None:
        self.numbers, self.size = np.maximum(padded_words(segments), -1), size
        self.layers: list[tuple[np.ndarray, np.ndarray]] = []

    def hear(self, heard: Heard) -> None:
        to, by = strongest_others(word_maps(heard.weights, self.numbers, self.size))
        self.layers.append((to.astype(np.int16), by.astype(np.int16)))


def looks_of(model: Model, segments: Sequence[Segment]) -> Looks:
    """Run the model over sentences once."""
    size = max(len(segment.words) for segment in segments)
    ordered: list[Segment] = []
    heard = []
    for batch in batches(iter(segments), model.tokenizer, BATCH):
        listener = _Favourites(batch.segments, size)
        with torch.no_grad(), model.attached([listener]) as module:
            module(**sides_of(model, batch).inputs)
        ordered += batch.segments
        heard.append([np.concatenate(layers, axis=1) for layers in zip(*listener.layers, strict=True)])
    to, by = (np.concatenate(parts) for parts in zip(*heard, strict=True))
    return Looks(Setting(model), ordered, to, by)


def with_random_trees(
    segments: Sequence[Segment], random: np.random.Generator, distances: np.ndarray | None = None
) -> Iterator[Segment]:
    """Labels are dealt to all words anew; heads are drawn evenly among other words, or at distances."""
    trees = [tree_of(segment) for segment in segments]
    labels = random.permutation(np.concatenate([tree.relations for tree in trees]))
    ends = np.cumsum([len(tree) for tree in trees])
    for segment, tree, end in zip(segments, trees, ends, strict=True):
        heads = _heads(len(tree), random, distances)
        drawn = Dependencies(
            heads, tuple(labels[end - len(tree) : end]), tree.sentences, tree.tags, tree.upos
        )
        assert segment.part is not None
        yield replace(segment, part=replace(segment.part, dependencies=drawn))


def real_distances(segments: Sequence[Segment]) -> np.ndarray:
    """How far, to which side, the heads of all words are."""
    trees = [tree_of(segment) for segment in segments]
    return np.concatenate([(tree.heads - np.arange(len(tree)))[tree.heads >= 0] for tree in trees])


def counts(looks: Looks, segments: Sequence[Segment]) -> xr.Dataset:
    """What syntax counts where the model looks as it does and the trees are those of these segments."""
    labels = {label for segment in looks.segments for label in tree_of(segment).relations if counted(label)}
    analysis = Syntax({label: label for label in labels})
    work = analysis.work(looks.setting)
    work.begin(cast(Any, SimpleNamespace(segments=segments)))
    trees = Trees.of(segments, analysis.numbers, causal=False, possessive=False)
    right = trees.right(looks.to, looks.by)
    kept = work.right.total.shape[-1]
    values = np.zeros((*right.shape[:2], kept), np.float32)
    values[..., : len(READINGS)] = right
    work.right.update(trees.block, trees.relation, values)
    work.end([segment.document for segment in segments])
    return with_all(analysis.arrays(work.tallies, looks.setting))


def rejections(looks: Looks, corpora: int, least: int, distances: np.ndarray | None = None) -> Rejections:
    """What is found in so many corpora of random trees."""
    tests = rejected = discoveries = 0
    for seed in range(corpora):
        drawn = list(with_random_trees(looks.segments, np.random.default_rng(seed), distances))
        table = relations_table(counts(looks, drawn), [], least, seed=0)
        tests += int(table["p"].notna().sum())
        rejected += int((table["p"] <= LEVEL).sum())
        discoveries += bool((table["p_holm"] < LEVEL).any())
    return Rejections(tests, rejected, discoveries)


def _heads(words: int, random: np.random.Generator, distances: np.ndarray | None) -> np.ndarray:
    """The head of each word, (word,); -1 for a word that is alone, or that no drawn distance fits."""
    places = np.arange(words)
    if words == 1:
        return np.array([-1])
    if distances is None:
        heads = random.integers(0, words - 1, words)
        return heads + (heads >= places)
    tried = places[:, None] + random.choice(distances, (words, TRIES))
    inside = (tried >= 0) & (tried < words)
    return np.where(inside.any(1), tried[places, inside.argmax(1)], -1)
