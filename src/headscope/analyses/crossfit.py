"""Choosing on one half of the documents and scoring on the other.

The best of many heads is partly luck: on the data that chose it, it looks better than it is. So each half
of the blocks (even and odd ones) chooses for the other, and the two scores are pooled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headscope.measures.statistics import ratio


@dataclass(frozen=True)
class Fit:
    """What was chosen and how it scored.

    Shapes: chosen (half, cell), the candidate that is scored on each half, -1 where the other half has
    nothing to choose by; trained (half, cell), how often it was right where it was chosen; right and count
    (block, cell), what it was right in and out of how many.
    """

    chosen: np.ndarray
    trained: np.ndarray
    right: np.ndarray
    count: np.ndarray

    def accuracy(self) -> np.ndarray:
        """(cell,), over both halves."""
        return ratio(self.right.sum(0), self.count.sum(0))


def cross_fit(right: np.ndarray, count: np.ndarray) -> Fit:
    """Choose the candidate that is right most often, for every cell; of equals, the first.

    right: (block, candidate, cell). count: (block, cell).

    >>> right = np.array([[[3.0], [1.0]], [[0.0], [2.0]]])  # one cell; block 0 likes the first candidate
    >>> fit = cross_fit(right, np.array([[4.0], [4.0]]))
    >>> fit.chosen.T.tolist(), fit.accuracy().tolist()
    ([[1, 0]], [0.125])
    """
    half = halves(len(right))
    train_right, train_count = (
        np.stack([counts[half == other].sum(0) for other in (1, 0)]) for counts in (right, count)
    )
    chosen = train_right.argmax(1)
    known = train_count > 0
    scored = np.take_along_axis(right, chosen[half][:, None], axis=1)[:, 0]
    usable = known[half]
    return Fit(
        np.where(known, chosen, -1),
        np.where(known, train_right.max(1), 0.0),
        np.where(usable, scored, 0.0),
        np.where(usable, count, 0.0),
    )


def cross_fit_scores(
    counts: np.ndarray, value: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Choose the candidate with the highest score, which is a function of sums; of equals, the first.

    counts: (block, candidate, cell, statistic). value: sums (..., statistic) to scores (...), NaN where there
    is none. The answers: chosen (half, cell), the candidate scored on each half, -1 where the other half has
    no score to choose by; and the counts that it has there, (block, cell, statistic), 0 without a choice.

    >>> counts = np.array([[[[3, 4]], [[1, 2]]], [[[0, 4]], [[2, 2]]]])  # block 0 likes the first candidate
    >>> chosen, scored = cross_fit_scores(counts, lambda sums: sums[..., 0] / sums[..., 1])
    >>> chosen.tolist(), scored[:, 0].tolist()
    ([[1], [0]], [[1, 2], [0, 4]])
    """
    half = halves(len(counts))
    trained = np.stack([value(counts[half == other].sum(0)) for other in (1, 0)])  # (half, candidate, cell)
    known = ~np.isnan(trained)
    chosen = np.where(known, trained, -np.inf).argmax(1)
    scored = np.take_along_axis(counts, chosen[half][:, None, :, None], axis=1)[:, 0]
    usable = known.any(1)
    return np.where(usable, chosen, -1), np.where(usable[half][..., None], scored, 0)


def better_of(fits: list[Fit]) -> tuple[Fit, np.ndarray]:
    """Take, for each half and cell, the fit that was right most often where it was chosen.

    The answer's second part says which it was, (half, cell).
    """
    which = np.stack([fit.trained for fit in fits]).argmax(0)
    by_block = which[halves(len(fits[0].right))]

    def pick(name: str, index: np.ndarray) -> np.ndarray:
        values = np.stack([getattr(fit, name) for fit in fits])
        picked: np.ndarray = np.take_along_axis(values, index[None], axis=0)[0]
        return picked

    fit = Fit(pick("chosen", which), pick("trained", which), pick("right", by_block), pick("count", by_block))
    return fit, which


def by_halves(name: str, labels: np.ndarray, chosen: np.ndarray) -> dict[str, np.ndarray]:
    """What the halves chose (half, cell), as two columns over cells: `name` and `other_name`.

    Where one half has nothing to choose by, the choice of the other stands in both; where neither has, "" or
    NaN does.

    >>> by_halves("head", np.array(["L0H0", "L0H1"]), np.array([[0, 0, -1, -1], [0, 1, 1, -1]]))
    {'head': array(['L0H0', 'L0H0', 'L0H1', ''], dtype=object),
     'other_head': array(['L0H0', 'L0H1', 'L0H1', ''], dtype=object)}
    """
    is_number = np.issubdtype(labels.dtype, np.number)
    known = labels.astype(np.float64 if is_number else object)
    both = np.append(known, [np.nan if is_number else ""])  # where nothing was chosen, the last
    first, second = (np.where(own >= 0, own, other) for own, other in (chosen, chosen[::-1]))
    return {name: both[first], f"other_{name}": both[second]}


def of_twins(accuracies: Sequence[np.ndarray]) -> dict[str, np.ndarray | float]:
    """What random twins' own best heads score, (cell,) for each, as two columns: mean and highest.

    >>> of_twins([np.array([0.1]), np.array([0.3])])
    {'twin': array([0.2]), 'twin_high': array([0.3])}
    """
    if not accuracies:
        return {"twin": np.nan, "twin_high": np.nan}
    return {"twin": np.mean(accuracies, axis=0), "twin_high": np.max(accuracies, axis=0)}


def halves(blocks: int) -> np.ndarray:
    """The half of each block, (block,)."""
    return np.arange(blocks) % 2
