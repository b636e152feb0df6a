"""A text of those to score, with what the regression and the best head say of each word, for a picture."""

from __future__ import annotations

import numpy as np
import xarray as xr
from scipy.special import expit

from headscope.questions.keywords.reading import TEST
from headscope.questions.keywords.vocabulary import BEST_HEAD, BY_BOTH
from headscope.questions.keywords.weighing import Weighing
from headscope.text.keyphrases import marked

LONGEST = 120
"""Words of the text that are kept."""


def example_of(weighing: Weighing) -> xr.Dataset:
    """The first test document of at least 40 words, or the longest: words, scores from 0 to 1, keywords."""
    words = weighing.words
    numbers = np.flatnonzero(words.part == TEST)
    sizes = np.array([len(words.texts[number].words) for number in numbers])
    chosen = int(numbers[np.argmax(sizes >= min(40, sizes.max()))])
    text = words.texts[chosen]
    shown = min(len(text.words), LONGEST)
    rows = np.flatnonzero(words.document == chosen)
    rows = rows[words.position[rows] < shown]
    head = weighing.of(BEST_HEAD).method.scores
    test = np.sort(head[weighing.test])
    ways = {
        "regression": expit(weighing.of(BY_BOTH).method.scores[rows]),
        "head": np.searchsorted(test, head[rows]) / len(test),
    }
    values = np.full((len(ways), shown), np.nan)
    values[:, words.position[rows]] = list(ways.values())
    return xr.Dataset(
        {
            "score": (("way", "word"), values),
            "keyword": ("word", marked(text)[:shown]),
            "surface": ("word", list(text.surfaces()[:shown])),
        },
        coords={"way": list(ways)},
        attrs={"document": text.id},
    )
