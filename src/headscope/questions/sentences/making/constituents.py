"""TreeDepth and TopConst: how deep a tree of phrases is, and what stands directly below its top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from headscope.questions.sentences.making.examples import Example, Parts
from headscope.questions.sentences.making.surface import BINS
from headscope.text import Document
from headscope.text.layers import Phrases

DEPTHS = range(5, 13)
FILLED = 0.25
"""Of the depths of a bin of lengths, so many may stay rarer than the normal distribution wants them."""

CLASSES, OTHER, STOP = 20, "OTHER", "."
TOPS = ("TOP", "ROOT", "S1", "")
"""Labels of a node that only holds the tree."""

_INSIDE = frozenset((",", ":", ".", "``", "''", '"', "-LRB-", "-RRB-", "HYPH", "NFP"))
"""Punctuation that may not stand within a sequence of top constituents."""


def tree_depths(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """How many nodes lie above the deepest word, its tag among them; drawn so that length tells little of it.

    The paper draws from two normal distributions of length and depth that do not depend on each other.
    """
    known = [(sentence, depth_of(_phrases(sentence))) for sentence in sentences]
    known = [(sentence, depth) for sentence, depth in known if depth in DEPTHS]
    lengths = np.array([len(sentence.words) for sentence, _ in known], float)
    depths = np.array([depth for _, depth in known], float)
    kept = unrelated(lengths, depths, draw)
    return [
        Example(sentence.surfaces(), str(depth), sentence.id, parts.of(sentence.id))
        for (sentence, depth), is_kept in zip(known, kept, strict=True)
        if is_kept
    ]


def top_constituents(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Which sequence of constituents stands below the top: one of the 19 most frequent, or another one.

    What does not end with a full stop, a question or exclamation mark, or has punctuation within, is left
    out.
    """
    found = [(sentence, top_of(_phrases(sentence))) for sentence in sentences]
    known = [(sentence, top) for sentence, top in found if top[-1:] == (STOP,) and not _INSIDE & {*top[:-1]}]
    frequent = Counter(top for _, top in known)
    ranked = sorted(frequent, key=lambda top: (-frequent[top], top))[: CLASSES - 1]
    return [
        Example(
            sentence.surfaces(), "_".join(top) if top in ranked else OTHER, sentence.id, parts.of(sentence.id)
        )
        for sentence, top in known
        if len(top) > 1
    ]


def depth_of(phrases: Phrases) -> int:
    """Nodes from the top of the tree to its deepest word, both the top and the word's tag counted."""
    depths: list[int] = []
    for label, around in zip(phrases.labels, phrases.above().tolist(), strict=True):
        depths.append((depths[around] if around >= 0 else 0) + (label not in TOPS))
    return max(depths, default=0) + 1


def top_of(phrases: Phrases) -> tuple[str, ...]:
    """The labels of the phrases, and the tags of the words, directly below the topmost phrase.

    A node that only holds the tree does not count as the topmost one.
    """
    above = phrases.above()
    tops = [place for place, label in enumerate(phrases.labels) if label not in TOPS]
    if not tops:
        return ()
    top = tops[0]
    start, end = phrases.spans[top].tolist()
    below = {int(phrases.spans[place, 0]): place for place in np.flatnonzero(above == top)}
    labels, word = list[str](), start
    while word < end:
        if word in below and phrases.spans[below[word], 1] > word:
            labels.append(bare(phrases.labels[below[word]]))
            word = int(phrases.spans[below[word], 1])
        else:
            labels.append(phrases.tags[word])
            word += 1
    return tuple(labels)


def bare(label: str) -> str:
    """A label without its function: NP-SBJ and NP=2 are NP, and -NONE- is itself."""
    return label if label.startswith("-") else label.partition("-")[0].partition("=")[0]


def unrelated(lengths: np.ndarray, depths: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Which sentences to keep so that depth hangs less on length, (sentence,) bool.

    The depths of each bin of lengths are drawn down to one and the same normal distribution, that of all
    depths; of each bin as many as the `FILLED` quantile of its depths can fill.
    """
    values, kept = np.unique(depths), np.zeros(len(depths), bool)
    if not len(depths):
        return kept
    wanted = np.exp(-0.5 * ((values - depths.mean()) / max(depths.std(), 1e-9)) ** 2)
    bins = np.digitize(lengths, [low for low, _ in BINS[1:]])
    for number in np.unique(bins):
        places = [np.flatnonzero((bins == number) & (depths == value)) for value in values]
        most = np.quantile([len(own) / share for own, share in zip(places, wanted, strict=True)], FILLED)
        for own, share in zip(places, wanted, strict=True):
            kept[draw.permutation(own)[: max(1, round(most * share))]] = True
    return kept


def _phrases(sentence: Document) -> Phrases:
    assert sentence.phrases is not None
    return sentence.phrases
