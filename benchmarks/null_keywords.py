"""keywords where nothing is to be found, and where a head that knows keywords was planted.

What words receive is the embedded model's. Which words are of keywords is drawn anew: in every document, the
words that are as frequent as each other, in it and in all texts, exchange that they are. So keywords stay as
frequent as they were, and no head knows them. Then, in some corpora, one head gives those words more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from headscope.questions.keywords.scores import Scores, scores_of, strata_of
from headscope.questions.keywords.words import READINGS, Words
from headscope.results.finding import LEVEL

GAIN = 1.3
"""How many times as much the planted head gives to keywords."""

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
    """Kinds of words of one stratum exchange whether they are keywords: all tokens of a kind, or none."""
    strata, key = strata_of(words), words.key.copy()
    for stratum in np.unique(strata[words.key]):
        rows = np.flatnonzero(strata == stratum)
        kinds: dict[str, list[int]] = {}
        for row in rows.tolist():
            kinds.setdefault(words.surface[row], []).append(row)
        groups = list(kinds.values())
        before = [words.key[group] for group in groups]
        for group, place in zip(groups, draw.permutation(len(groups)).tolist(), strict=True):
            key[group] = before[place]
    return key


def planted(words: Words, draw: np.random.Generator) -> tuple[Words, int]:
    """A corpus in which one head gives keywords more than it did, and that head."""
    head = int(draw.integers(words.heads))
    received = words.received.copy()
    received[words.key, :, head] = (received[words.key, :, head].astype(np.float32) * GAIN).astype(np.float16)
    return replace(words, received=received), head


def discoveries(words: Words, count: int) -> int:
    """Corpora of shuffled keywords in which any head is found to give them more, corrected for all."""
    return sum(bool((_scores(own).p_holm < LEVEL).any()) for own in null_corpora(words, count, 1))


def found_planted(words: Words, count: int) -> int:
    """Corpora in which the planted head is found, and is the one that gives keywords most."""
    found = 0
    for number, own in enumerate(null_corpora(words, count, 2)):
        with_head, head = planted(own, np.random.default_rng([3, number]))
        scores = _scores(with_head)
        place = READINGS.index("mean")
        is_found = scores.p_holm[place, head] < LEVEL
        found += int(is_found and int(scores.matched[place].argmax()) == head)
    return found


def _scores(words: Words) -> Scores:
    return scores_of(words, 0)
