"""TreeDepth and TopConst: how deep a tree of phrases is, and what stands directly below its top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headscope.questions.sentences.making.examples import Example, Parts
from headscope.questions.sentences.making.surface import BINS
from headscope.text import Document
from headscope.text.readers.propbank import CONSTITUENTS

DEPTHS = range(5, 13)
FILLED = 0.25
"""Of the depths of a bin of lengths, so many may stay rarer than the normal distribution wants them."""

CLASSES, OTHER, STOP = 20, "OTHER", "."
_INSIDE = frozenset((",", ":", ".", "``", "''", '"', "-LRB-", "-RRB-", "HYPH", "NFP"))
"""Punctuation that may not stand within a sequence of top constituents."""


class Phrase(NamedTuple):
    """The words from start to end (exclusive); the labels of all phrases over just these, topmost first."""

    start: int
    end: int
    labels: tuple[str, ...]


def tree_depths(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """How many nodes lie above the deepest word, its tag among them; drawn so that length tells little of it.

    The paper draws from two normal distributions of length and depth that do not depend on each other.
    """
    known = [(sentence, depth_of(phrases_of(sentence))) for sentence in sentences]
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
    found = [(sentence, top_of(phrases_of(sentence), sentence.tags or ())) for sentence in sentences]
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


def depth_of(phrases: Sequence[Phrase]) -> int:
    """Nodes from the topmost phrase to the deepest word, its tag counted too."""
    depths: list[int] = []
    for phrase, around in zip(phrases, _around(phrases), strict=True):
        depths.append((depths[around] if around >= 0 else 0) + len(phrase.labels))
    return max(depths, default=0) + 1


def top_of(phrases: Sequence[Phrase], tags: Sequence[str]) -> tuple[str, ...]:
    """The labels of the phrases, and the tags of the words, directly below the topmost phrase."""
    if not phrases:
        return ()
    lower = phrases[0].labels[1:]
    if lower:
        return (bare(lower[0]),)
    around = _around(phrases)
    below = {one.start: one for one, place in zip(phrases, around, strict=True) if place == 0}
    labels, word = list[str](), phrases[0].start
    while word < phrases[0].end:
        labels.append(bare(below[word].labels[0]) if word in below else tags[word])
        word = below[word].end if word in below else word + 1
    return tuple(labels)


def phrases_of(sentence: Document) -> list[Phrase]:
    """The phrases of a sentence, each before those within it."""
    assert sentence.edges is not None
    found = [edge for edge in sentence.edges.edges if edge.kind == CONSTITUENTS]
    phrases = [Phrase(edge.start, edge.end, tuple(edge.label.split("+"))) for edge in found]
    return sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end))


def _around(phrases: Sequence[Phrase]) -> list[int]:
    """The place of the phrase around each phrase, -1 for one that stands in no other."""
    around: list[int] = []
    opened: list[int] = []
    for place, phrase in enumerate(phrases):
        while opened and phrases[opened[-1]].end < phrase.end:
            opened.pop()
        around.append(opened[-1] if opened else -1)
        opened.append(place)
    return around


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
