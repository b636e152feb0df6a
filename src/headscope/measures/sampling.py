"""How far the mean of sampled rows may be from that of all rows, told by how much groups of them differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, stdtrit

from headscope.measures.statistics import ratio

FAR = 3.0
"""So many errors are held to be far: normal deviations are beyond them in 0.27 % of all cases."""


def variance_of_mean(sums: np.ndarray, sizes: Sequence[int], population: int) -> np.ndarray:
    """The variance of the mean of rows that were drawn without putting back: (group, ...) to (...).

    sums: over the rows of each random group, of these sizes. The mean square between groups, of one degree of
    freedom less than groups, is that between rows (random groups, Wolter 2007, section 2.4); what was drawn
    of a finite population is no longer uncertain (Cochran 1977, section 2.6).

    >>> variance_of_mean(np.array([2.0, 4.0]), [2, 2], population=8).item()  # means 1 and 2: 1 / 4 / 2
    0.125
    """
    size, rows = np.reshape(sizes, (-1, *[1] * (sums.ndim - 1))), sum(sizes)
    between = (size * (sums / size - sums.sum(0) / rows) ** 2).sum(0) / (len(sizes) - 1)
    variance: np.ndarray = (1 - rows / population) / rows * between
    return variance


def doubt(variance: np.ndarray, freedom: int) -> np.ndarray:
    """How little a variance of so many degrees of freedom tells, for `cautious_error`: (...) to (...).

    Its square over freedom + 2, which is expected to be the square of the true variance over freedom.
    """
    return variance**2 / (freedom + 2)


def cautious_error(variance: np.ndarray, doubts: np.ndarray) -> np.ndarray:
    """Standard errors from sums of variances and of their doubts, wider where these rest on little.

    The degrees of freedom of a sum are those of Welch 1947, by what doubts are expected to be. The error is
    so wide that three of it leave out what three would of a normal deviation.

    >>> one = np.array([4.0])
    >>> cautious_error(one, doubt(one, 7)).round(2)  # 2 times 4.53 / 3, from Student's t of 7 degrees
    array([3.02])
    """
    freedom = np.maximum(np.nan_to_num(ratio(variance**2, doubts), nan=np.inf) - 2, 1)
    error: np.ndarray = np.sqrt(variance) * stdtrit(freedom, ndtr(FAR)) / FAR
    return error
