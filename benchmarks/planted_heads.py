"""syntax with a head that knows a relation: how often it is found, by the number of words.

The trees, and with them what offsets are right in, are real. All heads but one look at random; that one is
right more often than the best offset, word by word, in one relation after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.labels import counted
from headscope.analyses.trees import Trees, tree_of
from headscope.blocks import BLOCKS
from headscope.questions.syntax.options import Options
from headscope.questions.syntax.relations import EITHER, compare
from headscope.results.finding import LEVEL
from headscope.results.vocabulary import READINGS
from headscope.text import Segment

HEADS = 72
GAIN = 0.10
"""How much more often the planted head is right than the best offset."""

_TOGETHER = 500
"""Sentences that are taken at a time."""


@dataclass(frozen=True)
class Words:
    """Words that bear a relation, one row each.

    relation, document and block are numbers. chance: how often a look at random is right. offsets: (row,
    offset) bool, whether each is right when kept inside the sentence.
    """

    relation: np.ndarray
    document: np.ndarray
    block: np.ndarray
    chance: np.ndarray
    offsets: np.ndarray

    def frequent(self, least: int) -> list[np.ndarray]:
        """The rows of each relation that has at least so many."""
        numbers, sizes = np.unique(self.relation, return_counts=True)
        return [np.flatnonzero(self.relation == number) for number in numbers[sizes >= least]]


def words_of(segments: Sequence[Segment]) -> Words:
    """The words of sentences that count for syntax."""
    labels = sorted({label for one in segments for label in tree_of(one).relations if counted(label)})
    numbers = {label: number for number, label in enumerate(labels)}
    names = {one: number for number, one in enumerate(dict.fromkeys(part.document for part in segments))}
    reach = Options.__dataclass_fields__["reach"].default
    offsets = np.array([offset for offset in range(-reach, reach + 1) if offset])
    parts = []
    for start in range(0, len(segments), _TOGETHER):
        some = segments[start : start + _TOGETHER]
        trees = Trees.of(some, numbers, causal=False, possessive=False)
        near = trees.neighbours_inside(offsets)
        documents = np.array([names[segment.document] for segment in some])[trees.text]
        chance = 1 / (trees.words[trees.text] - 1)
        right = trees.right(near, near)[..., 0]
        parts.append((trees.relation, documents, trees.block, chance, right))
    return Words(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def power(words: Words, least: int, size: int | None, trials: int) -> float:
    """The share of planted heads that are found, in relations of at least so many words.

    size: words of the relation, in whole documents drawn at random; by default all. A head counts as found
    where its p, times the number of relations, is below the level: as Holm has it when no other is found.
    """
    relations = words.frequent(least)
    found = 0.0
    for trial in range(trials):
        random = np.random.default_rng(trial)
        rows = [_sample(words, every, size, random) for every in relations]
        p = compare(_planted(words, rows, random))[EITHER].p(seed=trial)
        found += float((p * len(relations) < LEVEL).mean()) / trials
    return found


def _sample(words: Words, rows: np.ndarray, size: int | None, random: np.random.Generator) -> np.ndarray:
    """The rows of documents drawn at random, until they are so many."""
    if size is None:
        return rows
    order = random.permutation(int(words.document.max()) + 1)[words.document[rows]]
    last = np.sort(order)[min(size, len(rows)) - 1]
    return rows[order <= last]


def _planted(words: Words, relations: Sequence[np.ndarray], random: np.random.Generator) -> xr.Dataset:
    """Counts of heads that look at random, and of one that knows each relation; by its rows."""
    shape = (BLOCKS, len(relations))
    right = np.zeros((*shape, HEADS, len(READINGS)))
    inside = np.zeros((*shape, words.offsets.shape[1], len(READINGS)))
    count = np.zeros((*shape, len(READINGS)))
    for number, rows in enumerate(relations):
        near = words.offsets[rows]
        looks = random.random((len(rows), HEADS, len(READINGS))) < words.chance[rows, None, None]
        looks[:, 0, 0] = random.random(len(rows)) < near.mean(0).max() + GAIN
        blocks = (np.arange(BLOCKS)[:, None] == words.block[rows]).astype(np.float32)
        right[:, number] = (blocks @ looks.reshape(len(rows), -1)).reshape(BLOCKS, HEADS, -1)
        inside[:, number] = (blocks @ near)[..., None]
        count[:, number] = blocks.sum(1, keepdims=True)
    data = {
        "right": (("block", "relation", "head", "reading"), right),
        "inside_right": (("block", "relation", "offset", "reading"), inside),
        "count": (("block", "relation", "reading"), count),
    }
    return xr.Dataset(data, coords={"reading": list(READINGS)})
