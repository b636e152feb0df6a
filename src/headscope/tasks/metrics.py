"""Scores of a set of examples, each a function of sums over the examples.

Because sums are all that a score needs, one table of statistics per example serves scores, bootstraps and
exchanges alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Metric:
    """A score between 0 and 1 of sums of per-example statistics; higher is better, `MEAN_LOSS` apart.

    statistics: what is summed over examples. value: sums (..., statistic) to scores (...); 0/0 is 0.

    >>> ACCURACY.value(np.array([[3, 4], [0, 0]]))
    array([0.75, 0.  ])
    """

    name: str
    statistics: tuple[str, ...]
    value: Callable[[np.ndarray], np.ndarray]


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Quotients, 0 where nothing was counted."""
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    quotients: np.ndarray = np.divide(above, below, out=np.zeros_like(above), where=below != 0)
    return quotients


def _share(sums: np.ndarray) -> np.ndarray:
    return _ratio(sums[..., 0], sums[..., 1])


def _f1(sums: np.ndarray) -> np.ndarray:
    return _ratio(2 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _bleu(sums: np.ndarray) -> np.ndarray:
    """Equation of section 2.3, with N = 4 and equal weights; 0 where some order has no match."""
    precisions = _ratio(sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS])
    found = (precisions > 0).all(-1)
    mean = np.log(np.where(precisions > 0, precisions, 1)).mean(-1)
    longer = np.divide(
        sums[..., -1], sums[..., -2], out=np.ones(sums.shape[:-1]), where=sums[..., -2] > 0
    )  # length of the references over that of what was written
    return np.where(found, np.exp(mean + np.minimum(0, 1 - longer)), 0.0)


ORDERS = 4
"""BLEU looks at runs of one word to this many."""

ACCURACY = Metric("accuracy", ("right", "count"), _share)
WORD_ACCURACY = Metric("word accuracy", ("right", "count"), _share)
PIECE_ACCURACY = Metric("piece accuracy", ("right", "count"), _share)
F1 = Metric("F1", ("correct", "predicted", "gold"), _f1)
"""Of chunks: the harmonic mean of precision and recall."""

_BOTH = ("words correct", "words predicted", "words gold", *F1.statistics)
TOKEN_F1 = Metric("token F1", _BOTH, _f1)
"""Of words inside chunks, wherever these begin and end; the chunks are counted beside them."""

CHUNK_F1 = Metric("F1", _BOTH, lambda sums: _f1(sums[..., 3:]))
"""F1 of chunks, of the statistics that token F1 has."""

BLEU = Metric(
    "BLEU",
    (
        *(f"matches {order + 1}" for order in range(ORDERS)),
        *(f"possible {order + 1}" for order in range(ORDERS)),
        "length",
        "reference length",
    ),
    _bleu,
)
"""Corpus BLEU-4 of Papineni et al. 2002, one reference, no smoothing."""

MEAN_LOSS = Metric("loss", ("loss", "count"), _share)
"""In nats; lower is better, unlike every other."""
