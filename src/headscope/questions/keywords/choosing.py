"""The best head and reading, chosen on one half of the documents and scored on the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headscope.measures.precision import Precision, average_precision
from headscope.questions.keywords.baselines import baselines_of
from headscope.questions.keywords.scores import enough, halves_of
from headscope.questions.keywords.vocabulary import TFIDF
from headscope.questions.keywords.words import READINGS, Words


@dataclass(frozen=True)
class Best:
    """What the halves chose, and how it scored where it was not chosen.

    chosen: (half, 2) reading and head that are scored on each half, -1 where the other half has nothing to
    choose by. value, error: average precision over both halves. beside, gain, gain_error: of TF-IDF over the
    same documents, and how far it is behind.
    """

    chosen: np.ndarray
    value: float
    error: float
    beside: float
    gain: float
    gain_error: float


def best_head(words: Words) -> Best:
    """Each half of the blocks chooses the head and reading of the highest average precision for the other."""
    tfidf = baselines_of(words)[TFIDF]
    halves = halves_of(words)
    if any(not words.key[half].any() for half in halves):
        nothing = np.full((2, 2), -1)
        return Best(nothing, *(float("nan"),) * 5)
    own = [_precisions(words, half) for half in halves]
    beside = [average_precision(tfidf[None, half], words.key[half], words.document[half]) for half in halves]
    chosen = np.array([np.unravel_index(int(np.argmax(other.value)), (len(READINGS), words.heads))
                       for other in own[::-1]])  # fmt: skip
    weights = np.array([len(np.unique(words.document[half])) for half in halves]) / len(
        np.unique(words.document)
    )
    value = error = base = gap = 0.0
    for weight, found, other, (reading, head) in zip(weights, own, beside, chosen, strict=True):
        place = reading * words.heads + head
        value += weight * found.value[place]
        base += weight * other.value[0]
        error += float((weight * found.influence[place]) @ (weight * found.influence[place]))
        apart = weight * (found.influence[place] - other.influence[0])
        gap += float(apart @ apart)
    known = 1.0 if enough(words.document) else np.nan
    return Best(chosen, value, known * np.sqrt(error), base, value - base, known * np.sqrt(gap))


def _precisions(words: Words, rows: np.ndarray) -> Precision:
    """Of all readings and heads over some words, (reading * head,) each."""
    values = np.concatenate([words.reading(reading, rows).T for reading in READINGS])
    return average_precision(values, words.key[rows], words.document[rows])


def trained_precision(words: Words, rows: np.ndarray) -> np.ndarray:
    """Average precision over the words to train on, by which heads are ranked, (reading, head)."""
    return _precisions(words, rows).value.reshape(len(READINGS), words.heads)
