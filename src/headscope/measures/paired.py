"""Two versions of a model on the same examples: effects, tests, simultaneous bounds.

Every example is scored before a change (`base`) and after each of many changes (conditions, such as heads
removed one at a time), so examples are pairs. A score is a function of sums of per-example statistics, as
accuracy, F1 and BLEU are. Shapes: `base` (example, statistic), `changed` (example, condition, statistic),
`value` takes sums (..., statistic) to scores (...), higher is better. `clusters` (example,) numbers the
documents: examples of one document are drawn together. All conditions share the random draws, which keeps
their dependence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from headscope.blocks import FEWEST

Value = Callable[[np.ndarray], np.ndarray]

_CHUNK = 2**21
"""Numbers held at a time (16 MB)."""

_TIE = 1e-9
"""Effects closer than this part of the scores are equal up to rounding."""


@dataclass(frozen=True)
class Bounds:
    """Effects with simultaneous bounds, each (condition,); `worst` is the lower bound that tells harmless."""

    effect: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    worst: np.ndarray


def effects(base: np.ndarray, changed: np.ndarray, value: Value) -> np.ndarray:
    """Score after each change minus score before: (condition,)."""
    return value(changed.sum(0)) - value(base.sum(0))


def swap_test(
    base: np.ndarray,
    changed: np.ndarray,
    value: Value,
    seed: int,
    draws: int = 9999,
    clusters: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Two-sided p of each effect, and p adjusted for all conditions: twice (condition,).

    Approximate randomisation (Noreen 1989; Yeh 2000): without an effect, before and after can be exchanged
    in any example. The observed sides count among the drawn ones, so p = (1 + as extreme) / (1 + draws);
    where all ways to exchange are no more than that, all are taken, and p is exact. Adjusted by the largest
    standardised effect of each draw (single-step maxT, Westfall and Young 1993, section 2.6). A condition
    whose draws never vary has p = 1.

    >>> share = lambda sums: sums[..., 0] / 4
    >>> base, changed = np.ones((4, 1)), np.array([[[0.0]], [[0.0]], [[0.0]], [[1.0]]])
    >>> swap_test(base, changed, share, seed=0)
    (array([0.25]), array([0.25]))
    """
    base, changed = _grouped(base, changed, clusters)
    before, after = base.sum(0), changed.sum(0)
    tie = _TIE * (np.abs(value(before)) + np.abs(value(after)))
    reached = np.abs(value(after) - value(before)) - tie
    touched = (base[:, None] != changed).any((1, 2))
    base, changed = base[touched], changed[touched]
    patterns = min(2 ** len(base), 1 + draws)
    p, scale = np.ones(len(after)), np.zeros(len(after))
    highest = np.zeros(patterns)
    for some in _slices(len(after), patterns):
        gaps = base[:, None] - changed[:, some]
        drawn = np.abs(_exchanged(gaps, before, after[some], value, seed, patterns))
        p[some] = (drawn >= reached[some]).mean(0)
        # Exchanging both sides of all examples turns the sign, so that the mean is known to be 0.
        scale[some] = np.sqrt((drawn**2).mean(0))
        varies = scale[some] > tie[some]
        np.maximum(highest, (drawn[:, varies] / scale[some][varies]).max(1, initial=0.0), out=highest)
    adjusted = np.ones(len(after))
    varies = scale > tie
    below = np.searchsorted(np.sort(highest), reached[varies] / scale[varies] * (1 - _TIE))
    adjusted[varies] = (patterns - below) / patterns
    return p, adjusted


def resampled_effects(
    base: np.ndarray,
    changed: np.ndarray,
    value: Value,
    seed: int,
    draws: int = 1000,
    clusters: np.ndarray | None = None,
) -> np.ndarray:
    """Effects in samples of the examples drawn with replacement (Efron 1979): (draw, condition).

    Of fewer than `FEWEST` nothing is told: NaN.
    """
    base, changed = _grouped(base, changed, clusters)
    if len(base) < FEWEST:
        return np.full((draws, changed.shape[1]), np.nan)
    return _resampled(base, changed, value, seed, draws)


def simultaneous(
    base: np.ndarray,
    changed: np.ndarray,
    value: Value,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
    clusters: np.ndarray | None = None,
) -> Bounds:
    """Effects with bounds that hold for all conditions at once, by the paired bootstrap (Efron 1979).

    `low` and `high` are c standard errors away, c being the `level` quantile of the largest standardised
    deviation of each draw; `worst` is the lower bound alone, c that of the deviations downwards. The
    bootstrap knows only what it saw: if no example changed, changes in up to ln(1 / alpha) of them are not
    excluded (the rule of three, Hanley and Lippman-Hand 1983), for H bounds ln(H / alpha). So this number
    times the most that one example changes the score is added in quadrature: for `low` and `high`, what one
    did in that condition; for `worst`, which is to exclude losses, what one did in any condition. With fewer
    than two examples nothing is excluded.
    """
    base, changed = _grouped(base, changed, clusters)
    effect = effects(base, changed, value)
    if len(base) < 2:
        unknown = np.full(len(effect), np.nan)
        return Bounds(effect, unknown, unknown, unknown, np.full(len(effect), -np.inf))
    error = np.zeros(len(effect))
    beyond = np.zeros((2, draws))  # the largest standardised deviation of each draw: to any side, downwards
    for some in _slices(len(effect), draws):
        off = _resampled(base, changed[:, some], value, seed, draws) - effect[some]
        error[some] = off.std(0, ddof=1)
        varies = error[some] > _TIE * np.abs(value(base.sum(0)))
        error[some] *= varies
        off = off[:, varies] / error[some][varies]
        for row, deviation in enumerate((np.abs(off), -off)):
            np.maximum(beyond[row], deviation.max(1, initial=0.0), out=beyond[row])
    either, down = np.quantile(beyond, level, axis=1, method="higher")
    own, most = _influence(base, changed, value)
    unseen = np.log(max(len(effect), 1) / (1 - level))
    aside = np.hypot(either * error, own * (unseen + np.log(2)))
    worst = effect - np.hypot(down * error, most * unseen)
    return Bounds(effect, error, effect - aside, effect + aside, worst)


def _grouped(
    base: np.ndarray, changed: np.ndarray, clusters: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Sum the examples of each cluster: scores are of sums, so nothing is lost."""
    base, changed = np.asarray(base, np.float64), np.asarray(changed, np.float64)
    if clusters is None:
        return base, changed
    names, place = np.unique(clusters, return_inverse=True)
    before, after = (np.zeros((len(names), *rows.shape[1:])) for rows in (base, changed))
    np.add.at(before, place, base)
    np.add.at(after, place, changed)
    return before, after


def _slices(count: int, width: int) -> Iterator[slice]:
    """Some of `count` items at a time, so that so many numbers for each fit into a chunk."""
    step = max(1, _CHUNK // max(1, width))
    return (slice(start, start + step) for start in range(0, count, step))


def _exchanged(
    gaps: np.ndarray, before: np.ndarray, after: np.ndarray, value: Value, seed: int, patterns: int
) -> np.ndarray:
    """Effects where sides are exchanged: `gaps` (cluster, condition, statistic) to (pattern, condition)."""
    size, *cells = gaps.shape
    flat = gaps.reshape(size, prod(cells))
    step = max(1, _CHUNK // max(1, *flat.shape))
    shifts = ((bits @ flat).reshape(len(bits), *cells) for bits in _exchanges(patterns, size, seed, step))
    return np.concatenate([value(after + shift) - value(before - shift) for shift in shifts])


def _exchanges(patterns: int, clusters: int, seed: int, step: int) -> Iterator[np.ndarray]:
    """Blocks of patterns (pattern, cluster) of 1 where sides are exchanged, the observed one first."""
    generator = np.random.default_rng(seed)
    for start in range(0, patterns, step):
        rows = np.arange(start, min(start + step, patterns))
        if patterns == 2**clusters:
            bits = (rows[:, None] >> np.arange(clusters) & 1).astype(np.uint8)
        else:
            # Whole numbers of 64 bits, so that the size of the blocks does not change what is drawn.
            drawn = generator.integers(0, 2**64, (len(rows), -(-clusters // 64)), np.uint64)
            bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=clusters)
            bits[rows == 0] = 0
        yield bits.astype(np.float64)


def _resampled(base: np.ndarray, changed: np.ndarray, value: Value, seed: int, draws: int) -> np.ndarray:
    """Effects in samples drawn with replacement: (draw, condition)."""
    size, *cells = changed.shape
    flat = changed.reshape(size, prod(cells))
    step = max(1, _CHUNK // max(1, *flat.shape))
    drawn = []
    for weights in _samples(draws, size, seed, step):
        after, before = value((weights @ flat).reshape(len(weights), *cells)), value(weights @ base)
        drawn.append(after - before[:, None])
    return np.concatenate(drawn)


def _samples(draws: int, clusters: int, seed: int, step: int) -> Iterator[np.ndarray]:
    """Blocks of how often each cluster is drawn: (draw, cluster)."""
    generator = np.random.default_rng(seed)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        chosen = generator.integers(0, clusters, (rows, clusters)) + clusters * np.arange(rows)[:, None]
        counts = np.bincount(chosen.ravel(), minlength=rows * clusters)
        yield counts.reshape(rows, clusters).astype(np.float64)


def _influence(base: np.ndarray, changed: np.ndarray, value: Value) -> tuple[np.ndarray, float]:
    """The most that the change of one cluster alone moves the base score: in each condition, and in any.

    A condition that touches no cluster takes the largest of the others. Where no condition touches any, what
    one could do is taken: the most that the score moves when a statistic of one cluster is put to 0.
    """
    before = base.sum(0)
    score, own = value(before), np.zeros(changed.shape[1])
    for some in _slices(len(base), changed[0].size):
        alone = value(before + changed[some] - base[some, None]) - score
        np.maximum(own, np.abs(alone).max(0), out=own)
    own[own <= _TIE * abs(float(score))] = 0.0
    most = float(own.max(initial=0.0))
    if most == 0.0:
        without = before - base[:, :, None] * np.eye(base.shape[1])
        most = float(np.abs(value(without) - score).max())
    return np.where(own > 0, own, most), most
