"""Intervals and tests over blocks of documents: what a score of a head is worth.

Documents, not tokens, are the independent draws, and they are kept summed by blocks; so blocks are what
is resampled and what changes sign. All cells (heads, relations, ...) share the same random draws, which
keeps their dependence. Arrays are (block, ...) sums; what follows the block axis are the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
from scipy.special import stdtrit

from headscope.blocks import BLOCKS, FEWEST

_CHUNK = 2**21
"""Numbers held at a time for draws times cells (16 MB)."""

_TIE = 1e-9
"""Sums closer than this part of the sum of magnitudes are equal up to rounding."""


def ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """top / bottom, without a warning where bottom is 0; NaN where both are.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / bottom)


def bootstrap_interval(
    top: np.ndarray, bottom: np.ndarray, seed: int, draws: int = 1000, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Percentile interval of sum(top) / sum(bottom) under resampling of blocks: (block, ...) to twice (...).

    The bootstrap of Efron 1979 over clusters; percentile interval as in Efron and Tibshirani 1993, chapter
    13. Blocks that are empty in every cell are not part of the sample. A cell that fewer than `FEWEST` blocks
    hold has no interval (NaN); draws that miss all blocks of a cell do not count for it.

    >>> low, high = bootstrap_interval(np.array([0.0, 1.0] * 3), np.ones(6), seed=0)
    >>> round(low.item(), 2), round(high.item(), 2)
    (0.17, 0.83)
    """
    top, bottom = np.broadcast_arrays(np.asarray(top, np.float64), np.asarray(bottom, np.float64))
    cells = bottom.shape[1:]
    used = bottom.any(tuple(range(1, bottom.ndim)))
    over, under = (sums[used].reshape(used.sum(), prod(cells)) for sums in (top, bottom))
    bounds = np.full((2, prod(cells)), np.nan)
    blocks = len(under)
    if blocks >= FEWEST:
        weights = np.random.default_rng(seed).multinomial(blocks, np.full(blocks, 1 / blocks), draws)
        weights = weights.astype(np.float64)
        held = np.flatnonzero(np.count_nonzero(under, axis=0) >= FEWEST)
        step = max(1, _CHUNK // draws)
        for some in (held[start : start + step] for start in range(0, len(held), step)):
            bounds[:, some] = _bounds(weights @ over[:, some], weights @ under[:, some], level)
    low, high = bounds.reshape(2, *cells)
    return low, high


def mean_interval(
    values: np.ndarray, blocks: np.ndarray, seed: int, draws: int = 1000, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """The same of means of values (..., example) over examples, each in one of blocks (example,).

    >>> low, high = mean_interval(np.array([[0.0, 1.0] * 3, [1.0] * 6]), np.arange(6), seed=0)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.17, 1.0], [0.83, 1.0])
    """
    values = np.asarray(values, float)
    sums = np.zeros((BLOCKS, *values.shape[:-1]))
    np.add.at(sums, blocks, np.moveaxis(values, -1, 0))
    sizes = np.bincount(blocks, minlength=BLOCKS).astype(float)
    sizes = sizes.reshape(-1, *(1,) * (values.ndim - 1))
    return bootstrap_interval(sums, sizes, seed, draws, level)


def score_interval(
    statistics: np.ndarray,
    value: Callable[[np.ndarray], np.ndarray],
    seed: int,
    draws: int = 1000,
    level: float = 0.95,
) -> tuple[float, float]:
    """Percentile interval of a score that is a function of sums, under resampling of examples (Efron 1979).

    statistics: (example, statistic). value: sums (..., statistic) to scores (...) between 0 and 1. NaN for
    fewer than two examples. Resampling knows only examples that it saw: of n, as many as 1 - tail^(1/n) of
    all may be of a kind that is not among them (Clopper and Pearson 1934), scored 0 or 1, and the interval
    reaches as far as these would move the score.

    >>> share = lambda sums: sums[..., 0] / sums[..., 1]
    >>> low, high = score_interval(np.ones((5, 2)), share, seed=0)  # all are right: 0.025^(1/5) to 1
    >>> round(low, 3), high
    (0.478, 1.0)
    """
    examples = len(statistics)
    if examples < 2:
        return np.nan, np.nan
    random = np.random.default_rng(seed)
    sums = np.empty((draws, statistics.shape[1]))
    for draw in range(draws):
        weights = np.bincount(random.integers(0, examples, examples), minlength=examples)
        sums[draw] = weights @ statistics
    tail = (1 - level) / 2
    low, high = np.quantile(value(sums), [tail, 1 - tail])
    score, unseen = value(statistics.sum(0)), 1 - tail ** (1 / examples)
    return float(min(low, score * (1 - unseen))), float(max(high, score + (1 - score) * unseen))


def resampled(counts: np.ndarray, seed: int, draws: int = 1000) -> np.ndarray:
    """Sums over blocks of counts (run, block, ...), with runs and blocks drawn again: (draw, ...).

    Runs are seeds of a training; a draw averages over as many as there are. For scores that are functions of
    sums, such as F1 and what is made of it. Nothing but NaN where fewer than `FEWEST` blocks hold anything.

    >>> counts = np.ones((1, 8, 2))
    >>> resampled(counts, seed=0, draws=2).tolist()
    [[8.0, 8.0], [8.0, 8.0]]
    """
    runs, cells = len(counts), counts.shape[2:]
    used = counts.any((0, *range(2, counts.ndim)))
    kept = counts[:, used].reshape(runs, int(used.sum()), prod(cells))
    blocks = kept.shape[1]
    if blocks < FEWEST:
        return np.full((draws, *cells), np.nan)
    random = np.random.default_rng(seed)
    drawn = random.multinomial(blocks, np.full(blocks, 1 / blocks), draws).astype(np.float64)
    shares = random.multinomial(runs, np.full(runs, 1 / runs), draws) / runs
    sums = np.stack([drawn @ own for own in kept], 1)  # (draw, run, cell)
    return (shares[:, :, None] * sums).sum(1).reshape(draws, *cells)


def percentiles(values: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the middle part of draws (draw, ...); NaN where a draw is none."""
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    return low, high


def _bounds(over: np.ndarray, under: np.ndarray, level: float) -> np.ndarray:
    """Low and high percentile of the defined ratios of each cell: twice (draw, cell) to (2, cell)."""
    ratios = np.full((over.shape[1], len(over)), np.nan)
    np.divide(over.T, under.T, out=ratios, where=under.T != 0)
    ratios.sort(axis=1)  # undefined ratios go last
    last = np.count_nonzero(~np.isnan(ratios), axis=1) - 1
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    place = tails[:, None] * np.maximum(last, 0)
    before = np.floor(place).astype(np.intp)
    after = np.minimum(before + 1, np.maximum(last, 0))
    cell = np.arange(len(ratios))
    share = place - before
    result: np.ndarray = ratios[cell, before] * (1 - share) + ratios[cell, after] * share
    return result


def sign_flip(differences: np.ndarray, seed: int, flips: int = 9999) -> np.ndarray:
    """One-sided p: is the sum over blocks larger than with random signs? (block, ...) to (...).

    The randomisation test of paired differences, Fisher 1935, section 21: without an effect, each block's
    difference is as likely to have the other sign. The observed signs count among the drawn ones, so
    p = (1 + as large) / (1 + flips) is valid at any number of flips (Phipson and Smyth 2010). Where all
    patterns of signs are no more than that, all are taken, and p is exact. NaN is a block without a
    difference; a cell without any has p = 1.

    >>> sign_flip(np.array([2.0, 2.0, 2.0]), seed=0).item()
    0.125
    """
    flat, cells = _differences(differences)
    reached = flat.sum(0) - _TIE * np.abs(flat).sum(0)
    larger = np.zeros(flat.shape[1], np.int64)
    drawn = 0
    for sums in _flipped(flat, seed, flips):
        larger += np.count_nonzero(sums >= reached, axis=0)
        drawn += len(sums)
    return (larger / drawn).reshape(cells)


def flip_together(differences: np.ndarray, seed: int, flips: int = 9999) -> np.ndarray:
    """The p of `sign_flip`, adjusted for all cells at once: (block, ...) to (...).

    A sum counts in units of the root of its summed squares, which no flip changes; p is the share of flips
    whose largest such sum of all cells is as large (single-step maxT, Westfall and Young 1993, section 2.6).
    Cells that tell the same cost nothing, where Holm's correction counts each of them.

    >>> flip_together(np.array([[2.0, 1.0, 0.0]] * 3), seed=0)
    array([0.125, 0.125, 1.   ])
    """
    flat, cells = _differences(differences)
    scale = np.sqrt((flat**2).sum(0))
    varies = scale > 0
    flat = flat[:, varies] / scale[varies]
    highest = [sums.max(1, initial=-np.inf) for sums in _flipped(flat, seed, flips)]
    largest = np.sort(np.concatenate(highest))
    below = np.searchsorted(largest, flat.sum(0) - _TIE * np.abs(flat).sum(0))
    adjusted = np.ones(len(scale))
    adjusted[varies] = (len(largest) - below) / len(largest)
    return adjusted.reshape(cells)


def _differences(given: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    """Blocks that have any difference, (block, cell) with 0 for none, and the shape of the cells."""
    given = np.asarray(given, np.float64)
    flat = np.where(np.isnan(given), 0.0, given).reshape(len(given), prod(given.shape[1:]))
    return flat[flat.any(1)], given.shape[1:]


def _flipped(flat: np.ndarray, seed: int, flips: int) -> Iterator[np.ndarray]:
    """Sums over blocks with random signs, (flip, cell), some at a time; the observed one comes first."""
    signs = _signs(len(flat), seed, flips)
    step = max(1, _CHUNK // max(1, flat.shape[1]))
    for start in range(0, len(signs), step):
        yield signs[start : start + step].astype(np.float64) @ flat


def _signs(blocks: int, seed: int, flips: int) -> np.ndarray:
    """Patterns of signs, the observed one (all 1) among them: (1 + flips, block), or all 2^block."""
    if 2**blocks <= 1 + flips:
        bits = np.arange(2**blocks)[:, None] >> np.arange(blocks) & 1
    else:
        bits = np.random.default_rng(seed).integers(0, 2, (1 + flips, blocks), dtype=np.int8)
        bits[0] = 0
    return (1 - 2 * bits).astype(np.int8)


def drawn_apart(own: np.ndarray, others: np.ndarray, level: float = 0.95) -> np.ndarray:
    """Whether the mean of own runs is above what another draw of the others would reach: (run, ...) to (...).

    One-sided prediction limit of Student's t (Hahn and Meeker 1991, chapter 4), where the own mean has an
    error of its own; the degrees of freedom are those of the smaller sample. Of single runs nothing can be
    said: False.

    >>> drawn_apart(np.array([5.0, 5.0]), np.array([1.0, 2.0])).item()  # 1.5 + 6.31 * sqrt(0.5 * 1.5) = 6.97
    False
    >>> drawn_apart(np.array([7.0, 7.0]), np.array([1.0, 2.0])).item()
    True
    """
    size, draws = len(own), len(others)
    if min(size, draws) < 2:
        return np.zeros(own.shape[1:], bool)
    error = np.sqrt(own.var(0, ddof=1) / size + others.var(0, ddof=1) * (1 + 1 / draws))
    limit = others.mean(0) + stdtrit(min(size, draws) - 1, level) * error
    apart: np.ndarray = own.mean(0) > limit
    return apart


def holm(p: np.ndarray) -> np.ndarray:
    """Adjusted p of the step-down procedure of Holm 1979, which bounds the family-wise error: (n,) to (n,).

    NaN is a comparison that was not made: it stays NaN and does not count.

    >>> holm(np.array([0.01, 0.04, np.nan])).tolist()
    [0.02, 0.04, nan]
    """
    p = np.asarray(p, np.float64)
    adjusted = np.full(p.shape, np.nan)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    steps = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * p[order]), 1)
    return adjusted
