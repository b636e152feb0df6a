"""What finds keywords without a model: how frequent a word is, where it stands first, how long it is."""

from __future__ import annotations

import numpy as np

from headscope.questions.keywords.vocabulary import FREQUENCY, IDF, POSITION, TFIDF
from headscope.questions.keywords.words import Words


def baselines_of(words: Words) -> dict[str, np.ndarray]:
    """The score of each word by each baseline, (word,). Documents are counted over all texts, whatever part.

    Frequency is that in the document; IDF is the logarithm of how many documents there are for each that has
    the word, in lower case; TF-IDF is their product. What stands early scores high.
    """
    own, _, spread = words.frequencies()
    idf = np.log(len(words.texts) / spread)
    return {FREQUENCY: own.astype(np.float64), POSITION: -first_places(words), IDF: idf, TFIDF: own * idf}


def surface_features(words: Words) -> np.ndarray:
    """All baselines for a regression, (word, 6) float32."""
    scores = baselines_of(words)
    length = np.array([len(word) for word in words.surface])
    columns = [
        np.log(scores[FREQUENCY]),
        np.log1p(-scores[POSITION]),
        scores[IDF],
        scores[TFIDF],
        np.log1p(words.position),
        np.log(length),
    ]
    return np.stack(columns, 1).astype(np.float32)


def first_places(words: Words) -> np.ndarray:
    """Where each word stands first in its document, in lower case, (word,)."""
    first: dict[tuple[int, str], int] = {}
    keys = list(zip(words.document.tolist(), words.surface, strict=True))
    for key, position in zip(keys, words.position.tolist(), strict=True):
        first.setdefault(key, position)
    return np.array([first[key] for key in keys], np.float64)
