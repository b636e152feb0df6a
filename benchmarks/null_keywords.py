"""keywords where nothing is to be found, and where a head that knows keywords was planted.

What words receive is the embedded model's. Which words are of keywords is drawn anew: in every document, the
words that are as frequent as each other, in it and in all texts, exchange that they are. So keywords stay as
frequent as they were, and no head knows them. Then, in some corpora, one head gives those words more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from headscope.questions.keywords.scores import Kinds, matched_scores
from headscope.questions.keywords.words import READINGS, Words
from headscope.results.finding import LEVEL

GAIN, LESS = 1.5, 1.3
"""How many times as much a planted head gives to keywords: as the best heads of the embedded model do, and
less."""

DOCUMENTS = 80
"""Of each corpus, drawn from all."""


def null_corpora(words: Words, count: int, seed: int) -> Iterator[Words]:
    """Corpora of documents drawn at random, with keywords shuffled among words of equal frequency."""
    for number in range(count):
        draw = np.random.default_rng([seed, number])
        chosen = draw.permutation(len(words.texts))[:DOCUMENTS]
        own = words.kept(np.isin(words.document, chosen))
        yield replace(own, key=_shuffled(own, draw))


def _shuffled(words: Words, draw: np.random.Generator) -> np.ndarray:
    """The different words of one stratum exchange whether they are of keywords, at all of their places."""
    kinds = Kinds.of(words)
    order = np.lexsort((draw.random(len(kinds.key)), kinds.stratum))
    before = np.argsort(kinds.stratum, kind="stable")
    key = np.empty_like(kinds.key)
    key[order] = kinds.key[before]
    shuffled: np.ndarray = key[kinds.owner]
    return shuffled


def planted(words: Words, draw: np.random.Generator, gain: float) -> tuple[Words, int]:
    """A corpus in which one head gives keywords more than it did, and that head."""
    head = int(draw.integers(words.heads))
    received = words.received.copy()
    received[words.key, :, head] = (received[words.key, :, head].astype(np.float32) * gain).astype(np.float16)
    return replace(words, received=received), head


def discoveries(words: Words, count: int) -> int:
    """Corpora of shuffled keywords in which any head is found to give them more, corrected for all."""
    return sum(bool((_tested(own)[1] < LEVEL).any()) for own in null_corpora(words, count, 1))


def found_planted(words: Words, count: int, gain: float = GAIN) -> int:
    """Corpora in which the planted head is found, and is the one that gives keywords most."""
    found, place = 0, READINGS.index("mean")
    for number, own in enumerate(null_corpora(words, count, 2)):
        with_head, head = planted(own, np.random.default_rng([3, number]), gain)
        matched, p = _tested(with_head)
        found += int(p[place, head] < LEVEL and int(matched[place].argmax()) == head)
    return found


def _tested(words: Words) -> tuple[np.ndarray, np.ndarray]:
    """What keywords receive beside words of their frequency, and p for all, (reading, head) each."""
    matched, _, _, _, p_all = matched_scores(words, 0)
    return matched, p_all
