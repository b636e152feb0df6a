"""Is the difference of two means more than chance? Tested by exchanging blocks between the two sides.

Each side has sums and counts by block of documents, (block, cell); its mean is the sum of the sums over that
of the counts. Runs over the same text are paired: a block exchanges what it has on one side for what it has
on the other. Otherwise the blocks are dealt to the sides anew, as many to each as before. Without a
difference any such exchange could have been observed, so the test is right for any number of blocks; of very
few, even the most extreme exchange happens too often by chance, and nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count
from math import comb, floor

import numpy as np

from headscope.measures.statistics import ratio

_CHUNK = 2**17
"""Numbers held at a time in each of some twenty arrays (1 MB)."""

_TIE = 1e-9
"""Differences below this part of the values are rounding."""

_ALIKE, _MANY = 1.25, 5.0
"""Blocks are alike up to this ratio of documents to a block, and from so many documents on."""


@dataclass(frozen=True)
class Side:
    """Sums and counts, (block, cell), and how many documents they are of."""

    totals: np.ndarray
    counts: np.ndarray
    documents: int


@dataclass(frozen=True)
class Exchanged:
    """Differences (cell,), half of the width of the interval of each, and of the intervals for all at once.

    blocks: how many there were to exchange on each side. least: the smallest p that so many can give; where
    it is above what an interval may miss, there is none (NaN).
    """

    value: np.ndarray
    own: np.ndarray
    joint: np.ndarray
    blocks: tuple[int, int]
    least: float

    @property
    def significant(self) -> np.ndarray:
        """Whether the interval for all at once leaves out 0, (cell,)."""
        return np.abs(self.value) > self.joint * (1 + 1e-12)  # a tie is none, however it was rounded


def exchange(
    first: Side,
    other: Side,
    paired: bool,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
    families: int = 1,
) -> Exchanged:
    """The difference of means, other less first, with intervals from exchanged blocks.

    The statistic is the difference over its standard error (that of a ratio of sums, linearised), both anew
    for every exchange: so the test also holds in large samples where the sides spread differently (Janssen
    1997; Chung and Romano 2013). An interval reaches as many standard errors to either side as the statistic
    does in all but 5 % of the exchanges; for all cells at once, as the largest statistic of the cells does
    (single-step maxT, Westfall and Young 1993, section 2.6). Of many exchanges, `draws` are drawn. families:
    so many such tests are made, of other cells; what holds for all at once has an equal part of the 5 % in
    each (Bonferroni).

    >>> one = np.ones((6, 1))
    >>> found = exchange(Side(one, one, 6), Side(one * 2, one, 6), paired=True, seed=0)
    >>> found.value.item(), found.least, found.significant.item()
    (1.0, 0.03125, True)
    """
    sides, blocks = _over_same_blocks(first, other) if paired else _over_own_blocks(first, other)
    random = np.random.default_rng(seed)
    patterns = _swaps(blocks[0], random, draws) if paired else _deals(*blocks, random, draws)
    corrections = np.array([size / max(size - 1, 1) for size in blocks])
    value, error, own = np.full((3, sides.shape[-1]), np.nan)
    highest = np.zeros(len(patterns))
    # So many exchanges may reach further than an interval does.
    beyond, all_beyond = (floor(risk * len(patterns) + _TIE) for risk in (1 - level, (1 - level) / families))
    for some in _slices(sides.shape[-1], len(patterns)):
        difference, errors = _differences(patterns, sides[..., some], corrections)
        reached = np.nan_to_num(ratio(np.abs(difference), errors), nan=0.0, posinf=np.inf)
        np.maximum(highest, reached.max(1, initial=0.0), out=highest)
        value[some], error[some] = difference[0], errors[0]
        own[some] = np.sort(reached, axis=0)[-1 - beyond]
    least = _least(blocks, paired)
    nothing = np.full_like(error, np.nan)
    own *= error if least <= 1 - level else nothing
    joint = np.sort(highest)[-1 - all_beyond] * (error if least <= (1 - level) / families else nothing)
    return Exchanged(value, own, joint, blocks, least)


def fewest_blocks(paired: bool, risk: float) -> int:
    """How many blocks on each side can give a p of no more than a risk.

    >>> fewest_blocks(True, 0.05), fewest_blocks(False, 0.05), fewest_blocks(True, 0.025)
    (6, 4, 7)
    """
    return next(blocks for blocks in count(1) if _least((blocks, blocks), paired) <= risk)


def _over_same_blocks(first: Side, other: Side) -> tuple[np.ndarray, tuple[int, int]]:
    """Both sides, (side, sums and counts, block, cell), in the blocks that either uses, and their number."""
    used = first.counts.any(1) | other.counts.any(1)
    sides = np.stack([(side.totals[used], side.counts[used]) for side in (first, other)])
    return sides, (int(used.sum()), int(used.sum()))


def _over_own_blocks(first: Side, other: Side) -> tuple[np.ndarray, tuple[int, int]]:
    """The same where each block is empty on one side.

    A block of one document is no block of ten: their sums spread in another way, and no such exchange could
    have been observed. So the side whose blocks hold fewer documents has some of them joined.
    """
    held = [side.documents / max(1, int(side.counts.any(1).sum())) for side in (first, other)]
    parts = [_joined(side, min(max(held), _MANY)) for side in (first, other)]
    here, there = (part.shape[1] for part in parts)
    sides = np.zeros((2, 2, here + there, parts[0].shape[-1]))
    sides[0, :, :here], sides[1, :, here:] = parts
    return sides, (here, there)


def _joined(side: Side, documents: float) -> np.ndarray:
    """Sums and counts, (2, block, cell), of the blocks in use, joined where they hold fewer documents."""
    used = side.counts.any(1)
    sums = np.stack([side.totals[used], side.counts[used]])
    size = sums.shape[1]
    if documents * size <= _ALIKE * side.documents:
        return sums
    groups = max(1, round(side.documents / documents))
    starts = np.linspace(0, size, groups, endpoint=False).astype(np.intp)
    joined: np.ndarray = np.add.reduceat(sums, starts, axis=1)
    return joined


def _swaps(blocks: int, random: np.random.Generator, draws: int) -> np.ndarray:
    """Which blocks change sides, (pattern, block) of 0 and 1, the observed pattern first: all, or drawn."""
    if 2**blocks <= draws:
        return np.arange(2**blocks)[:, None] >> np.arange(blocks) & 1
    bits = random.integers(0, 2, (draws, blocks))
    bits[0] = 0
    return bits


def _deals(here: int, there: int, random: np.random.Generator, draws: int) -> np.ndarray:
    """The same where each side keeps its number of blocks."""
    places = np.arange(here + there)
    if comb(here + there, here) <= draws:
        dealt = np.array(list(combinations(places, here)))
    else:
        dealt = random.permuted(np.tile(places, (draws, 1)), axis=1)[:, :here]
        dealt[0] = places[:here]
    is_here = np.zeros((len(dealt), len(places)), bool)
    np.put_along_axis(is_here, dealt, True, axis=1)
    return (is_here != (places < here)).astype(np.int64)


def _least(blocks: tuple[int, int], paired: bool) -> float:
    """The smallest p of an exchange, if both sides had as many blocks as that with fewer.

    To exchange everything is as extreme as to exchange nothing.
    """
    fewer = min(blocks)
    return min(1.0, 2 / (2**fewer if paired else comb(2 * fewer, fewer)))


def _differences(
    patterns: np.ndarray, sides: np.ndarray, corrections: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Difference of means and its standard error after each exchange, both (pattern, cell)."""
    counts, other_counts = sides[:, 1]
    every = sides.sum((0, 2))
    tie = _TIE * ratio(np.abs(sides[:, 0]).sum((0, 1)), every[1])
    # Sums are taken from the mean of all, which changes no difference and keeps digits.
    totals, other_totals = sides[:, 0] - np.nan_to_num(ratio(*every)) * sides[:, 1]
    bits = patterns.astype(np.float64)

    def sums(first: np.ndarray, other: np.ndarray) -> np.ndarray:
        """What both sides have after the exchange, (side, pattern, cell)."""
        moved = bits @ (other - first)
        return np.stack([first.sum(0) + moved, other.sum(0) - moved])

    size = sums(counts, other_counts)
    mean = ratio(sums(totals, other_totals), size)
    # Residuals of blocks are total - mean * count: their squares, and their products between the sides.
    squares = (
        sums(totals**2, other_totals**2)
        - 2 * mean * sums(totals * counts, other_totals * other_counts)
        + mean**2 * sums(counts**2, other_counts**2)
    )
    products = (
        (totals * other_totals).sum(0)
        - (mean[::-1] * sums(totals * other_counts, other_totals * counts)).sum(0)
        + mean.prod(0) * (counts * other_counts).sum(0)
    )
    within = np.tensordot(corrections, ratio(squares, size**2), 1)
    variance = within - 2 * corrections[0] * ratio(products, size.prod(0))
    difference = mean[1] - mean[0]
    difference[np.abs(difference) <= tie] = 0.0
    return difference, np.sqrt(np.maximum(variance, 0.0))


def _slices(cells: int, patterns: int) -> Iterator[slice]:
    """Some cells at a time, so that they fit into a chunk."""
    step = max(1, _CHUNK // patterns)
    return (slice(start, start + step) for start in range(0, cells, step))
