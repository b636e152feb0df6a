"""Choosing on one half of the documents and scoring on the other.

The best of many heads is partly luck: on the data that chose it, it looks better than it is. So each half
of the blocks (even and odd ones) chooses for the other, and the two scores are pooled.
"""

from __future__ import annotations

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


def names_of(labels: np.ndarray, chosen: np.ndarray) -> list[str]:
    """What the halves chose (half, cell), in words: one name for each cell, or two where they differ.

    >>> names_of(np.array(["L0H0", "L0H1"]), np.array([[0, 0], [0, 1]]))
    ['L0H0', 'L0H0 / L0H1']
    """
    pairs = [[str(labels[choice]) for choice in pair if choice >= 0] for pair in chosen.T]
    return [" / ".join(dict.fromkeys(names)) for names in pairs]


def halves(blocks: int) -> np.ndarray:
    """The half of each block, (block,)."""
    return np.arange(blocks) % 2
