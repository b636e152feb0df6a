"""How concentrated heads are on few words: the paper suspects that heads close to trees look at keywords."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.closeness import COUNT
from headscope.measures.closeness import FREQUENCY, MOST, ON_WORDS, RECEIVED, SQUARES, TF_IDF
from headscope.measures.statistics import ratio
from headscope.questions.structure.scores import HEAD

_WORDS, _MEANS, _SQUARES = 0, slice(1, 3), slice(3, 5)


def reception_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head: what goes to words, to the word that receives most, and to frequent or rare ones."""
    heads, even = (
        dataset[name].sum("block").transpose("head", "received").values
        for name in ("reception", "even_reception")
    )
    moments = dataset["rarity"].sum("block").values
    sentences = dataset["arcs"].sum("block").transpose("tree", "arc").values[0, COUNT]
    frequency, tf_idf = (
        correlation(heads[:, (RECEIVED, SQUARES, place)], moments, which)
        for which, place in enumerate((FREQUENCY, TF_IDF))
    )
    names = pd.DataFrame({name: dataset[name].values for name in HEAD})
    return names.assign(
        on_words=ratio(heads[:, ON_WORDS], even[:, ON_WORDS]),  # of words that see any
        most=ratio(heads[:, MOST], sentences),
        even_most=ratio(even[:, MOST], sentences),
        frequency=frequency,
        tf_idf=tf_idf,
    )


def correlation(received: np.ndarray, moments: np.ndarray, which: int) -> np.ndarray:
    """Pearson's correlation over words, (head,).

    received: (head, 3), sums of what words receive, of its square, and of its product with the rarity.
    moments: words, then sums and then sums of squares of both rarities.

    >>> moments = np.array([2.0, 3.0, 0.0, 5.0, 0.0])  # two words of rarity 1 and 2 receive 1 and 2
    >>> correlation(np.array([[3.0, 5.0, 5.0]]), moments, 0).tolist()
    [1.0]
    """
    words, mean, square = moments[_WORDS], moments[_MEANS][which], moments[_SQUARES][which]
    covariance = received[:, 2] - received[:, 0] * mean / words
    spread = (received[:, 1] - received[:, 0] ** 2 / words) * (square - mean**2 / words)
    return ratio(covariance, np.sqrt(np.maximum(spread, 0.0)))
