"""SentLen and WC: what stands on the surface of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from headscope.questions.sentences.making.examples import TRAIN, Example, Parts
from headscope.text import Document

BINS = ((5, 8), (9, 12), (13, 16), (17, 20), (21, 25), (26, 28))
"""Words of a sentence, both ends included."""

WORDS, LETTERS, SKIPPED, SENTENCES = 1000, 4, 200, 20
"""Target words at most; letters of a target at least; frequent words that are none; sentences of a target at
least. The paper takes the words of rank 2,001 to 3,000, which are too rare in a treebank."""


def sentence_lengths(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Which bin the number of words falls into."""
    return [
        Example(sentence.surfaces(), f"{low}-{high}", sentence.id, parts.of(sentence.id))
        for sentence in sentences
        for low, high in BINS
        if low <= len(sentence.words) <= high
    ]


def word_contents(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Which of the target words the sentence holds: one of them, once.

    A target is of at least `LETTERS` letters, none of the `SKIPPED` most frequent of such words, and has at
    least `SENTENCES` sentences that hold it alone, one of them to train on.
    """
    lowered = [[word.lower() for word in sentence.surfaces()] for sentence in sentences]
    counts = Counter(word for words in lowered for word in words if _may_be_target(word))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    targets = {word for word in ranked[SKIPPED : SKIPPED + WORDS] if counts[word] >= SENTENCES}
    is_trained = [parts.of(sentence.id) == TRAIN for sentence in sentences]
    while True:
        found = [_alone(words, targets) for words in lowered]
        sizes = Counter(word for word in found if word)
        trained = {word for word, own in zip(found, is_trained, strict=True) if own}
        rare = [word for word in targets if sizes[word] < SENTENCES or word not in trained]
        if not rare:
            break
        # A few at a time: without them, more sentences hold a single one of the others.
        targets -= set(sorted(rare, key=lambda word: (sizes[word], word))[: max(1, len(rare) // 4)])
    return [
        Example(sentence.surfaces(), word, sentence.id, parts.of(sentence.id))
        for word, sentence in zip(found, sentences, strict=True)
        if word
    ]


def _may_be_target(word: str) -> bool:
    return len(word) >= LETTERS and word.isalpha()


def _alone(words: Sequence[str], targets: set[str]) -> str:
    """The target word that stands in a sentence by itself and once, "" if there is none."""
    there = [word for word in words if word in targets]
    return there[0] if len(there) == 1 else ""
