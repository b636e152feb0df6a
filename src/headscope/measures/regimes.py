"""Two regimes or one: whether runs fall into two groups, and where a number steps."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

DRAWS = 9999


class Groups(NamedTuple):
    """The best parting of numbers into low and high ones.

    share: of their sum of squares that lies between both groups. p: how often numbers of one normal
    distribution part as well. low, high: means of the groups. below: how many are low.
    """

    share: float
    p: float
    low: float
    high: float
    below: int


def two_groups(values: np.ndarray, seed: int = 0, draws: int = DRAWS, least: int = 1) -> Groups:
    """Whether numbers (run,) part into two groups better than draws from one normal distribution.

    The share does not change with place and scale, so that its distribution under one normal distribution
    can be drawn (a Monte Carlo test, p = (1 + as large) / (1 + draws)). It is the likelihood ratio of two
    normal groups of one variance, each run in one of them, against one group. least: runs of a group at
    least, in the draws too, so that one that lies apart is no group. Of fewer than four numbers, of too few
    for two groups, or of equal ones, nothing can be said: p is 1. A long tail parts too: a small p says no
    more than that one normal distribution does not hold.

    >>> groups = two_groups(np.array([0.7, 0.7, 0.9, 0.9]))
    >>> round(groups.share, 3), groups.below, round(groups.low, 2), round(groups.high, 2)
    (1.0, 2, 0.7, 0.9)
    """
    ordered = np.sort(np.asarray(values, float))
    size = len(ordered)
    if size < 2 * least or np.ptp(ordered) == 0:
        middle = float(ordered.mean()) if size else np.nan
        return Groups(0.0, 1.0, middle, middle, size)
    share, below = (one[0] for one in _parted(ordered[None], least))
    drawn = _by_chance(size, least, seed, draws)
    p = (1 + np.count_nonzero(drawn >= share - 1e-12)) / (1 + draws) if size > 3 else 1.0
    low, high = float(ordered[:below].mean()), float(ordered[below:].mean())
    return Groups(float(share), float(p), low, high, int(below))


@lru_cache(maxsize=32)
def _by_chance(size: int, least: int, seed: int, draws: int) -> np.ndarray:
    """Shares of so many numbers of one normal distribution, (draw,); they depend on nothing else."""
    drawn = np.random.default_rng(seed).standard_normal((draws, size))
    return _parted(np.sort(drawn, axis=1), least)[0]


def _parted(ordered: np.ndarray, least: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest share between groups and how many are in the lower: (draw, run) to twice (draw,)."""
    size = ordered.shape[1]
    centred = ordered - ordered.mean(1, keepdims=True)
    below = np.arange(least, size - least + 1)
    sums = np.cumsum(centred, axis=1)[:, below - 1]
    between = sums**2 * (1 / below + 1 / (size - below))
    best = between.argmax(1)
    share = between[np.arange(len(ordered)), best] / (centred**2).sum(1)
    return share, below[best]


class Step(NamedTuple):
    """Where a number steps from one level to another.

    place: between the last before and the first behind it; low, high: its 95 % interval. before, behind: the
    levels. gain: by how much the BIC of a step is below that of a straight line; above 0 speaks for a step.
    """

    place: float
    low: float
    high: float
    before: float
    behind: float
    gain: float


def step(x: np.ndarray, y: np.ndarray, groups: np.ndarray, seed: int = 0, draws: int = 1000) -> Step:
    """The best single step of y over x, each (run,); NaN where x has fewer than three values.

    The interval is of runs drawn again within their groups (run,), such as the models of one penalty. Three
    numbers are fitted for a step, two for a line: BIC = n ln(RSS / n) + k ln n (Schwarz 1978).

    >>> x, y = np.array([0.0, 1, 2, 3]), np.array([0.9, 0.9, 0.7, 0.7])
    >>> found = step(x, y, np.arange(4))
    >>> found.place, round(found.before, 3), round(found.behind, 3), found.gain > 0
    (1.5, 0.9, 0.7, True)
    """
    order = np.argsort(x, kind="stable")
    x, y, groups = np.asarray(x, float)[order], np.asarray(y, float)[order], np.asarray(groups)[order]
    cuts = np.flatnonzero(np.diff(x) > 0) + 1
    if len(cuts) < 2:
        return Step(*[np.nan] * 6)
    middles = (x[cuts - 1] + x[cuts]) / 2
    (best,), (left,) = _best_cuts(y, np.ones((1, len(y))), cuts)
    random, weights = np.random.default_rng(seed), np.zeros((draws, len(y)))
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        weights[:, own] = random.multinomial(len(own), np.full(len(own), 1 / len(own)), draws)
    low, high = np.quantile(middles[_best_cuts(y, weights, cuts)[0]], [0.025, 0.975])
    line = float(((y - np.polyval(np.polyfit(x, y, 1), x)) ** 2).sum())
    gain = _bic(line, len(y), 2) - _bic(float(left), len(y), 3)
    before, behind = float(y[: cuts[best]].mean()), float(y[cuts[best] :].mean())
    return Step(float(middles[best]), float(low), float(high), before, behind, gain)


def _best_cuts(y: np.ndarray, weights: np.ndarray, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which cut leaves the least sum of squares, and what it leaves: (draw, run) weights to twice (draw,)."""
    counts, sums = (np.cumsum(each, axis=1) for each in (weights, weights * y))
    below, above = counts[:, cuts - 1], counts[:, -1:] - counts[:, cuts - 1]
    first, rest = sums[:, cuts - 1], sums[:, -1:] - sums[:, cuts - 1]
    between = first**2 / np.maximum(below, 1) + rest**2 / np.maximum(above, 1)
    left = np.where((below > 0) & (above > 0), (weights @ y**2)[:, None] - between, np.inf)
    best = left.argmin(1)
    return best, np.maximum(left[np.arange(len(best)), best], 0.0)


def _bic(left: float, size: int, fitted: int) -> float:
    return float(size * np.log(max(left, 1e-12) / size) + fitted * np.log(size))


def difference_of_means(
    first: np.ndarray, second: np.ndarray, level: float = 0.95
) -> tuple[float, float, float]:
    """Mean of the first runs less that of the second, with its interval.

    Student's t with the degrees of freedom of Welch 1947, for variances that differ. The interval is NaN for
    fewer than two runs of a kind, and where no run differs from its kind: such runs tell nothing of others.

    >>> difference, low, high = difference_of_means(np.array([2.0, 4.0]), np.array([0.0, 2.0]))
    >>> round(difference, 2), round(low, 1), round(high, 1)  # 2 -+ 4.303 * sqrt(1 + 1)
    (2.0, -4.1, 8.1)
    """
    one, other = (np.asarray(runs, float) for runs in (first, second))
    if not (len(one) and len(other)):
        return np.nan, np.nan, np.nan
    difference = float(one.mean() - other.mean())
    if min(len(one), len(other)) < 2:
        return difference, np.nan, np.nan
    errors = [float(runs.var(ddof=1) / len(runs)) for runs in (one, other)]
    total = sum(errors)
    if total == 0:
        return difference, np.nan, np.nan
    freedom = total**2 / sum(
        error**2 / (len(runs) - 1) for error, runs in zip(errors, (one, other), strict=True)
    )
    reach = float(stdtrit(freedom, (1 + level) / 2)) * total**0.5
    return difference, difference - reach, difference + reach
