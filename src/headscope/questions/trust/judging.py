"""The one rule by which claims are judged: how far from chance to the best that can be had."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headscope.blocks import BLOCKS, FEWEST
from headscope.measures.statistics import bootstrap_interval
from headscope.results.vocabulary import NO, UNDECIDED, YES

LEAST_ROOM = 0.01
"""Where the best does better than chance by less, nothing can be told apart."""

ROUNDING = 1e-9
"""What is nearer to 0 than this is 0."""


@dataclass(frozen=True)
class Judged:
    """What was found of one claim.

    value: over answers, with its interval; baseline, ceiling: what it is held against. share: of the way from
    baseline to ceiling, with its interval. why: what kept it from a verdict.
    """

    verdict: str
    value: float
    value_low: float
    value_high: float
    baseline: float
    ceiling: float
    share: float
    low: float
    high: float
    answers: int
    documents: int
    why: str = ""


def judge(
    value: np.ndarray,
    baseline: np.ndarray,
    ceiling: np.ndarray,
    documents: np.ndarray,
    margin: float,
    seed: int,
) -> Judged:
    """Judge numbers of answers, (answer,) each, of which more is better; NaN where an answer has none.

    gain: value less baseline; room: ceiling less baseline. Yes, where the mean of the gain and of gain less
    margin times room are above 0 with all of their intervals; no, where the interval of the latter is below
    0. Documents are what is drawn again.
    """
    known = ~np.isnan(value + baseline + ceiling)
    value, baseline, ceiling, documents = (each[known] for each in (value, baseline, ceiling, documents))
    gain, room = value - baseline, ceiling - baseline
    sums = by_blocks(np.stack([gain - margin * room, gain, value, room, np.ones_like(gain)], 1), documents)
    low, high = bootstrap_interval(sums[:, :3], sums[:, 4:], seed)
    share_low, share_high = bootstrap_interval(sums[:, 1], sums[:, 3], seed)
    has_room = bool(len(room)) and room.mean() > LEAST_ROOM
    count = len(np.unique(documents))
    means = [float(each.mean()) if len(each) else np.nan for each in (value, baseline, ceiling)]
    ends = float(share_low), float(share_high)
    share, *ends_of_share = (gain.sum() / room.sum(), *ends) if has_room else (np.nan, np.nan, np.nan)
    return Judged(
        verdict=verdict_of(low[:2], high[:2]) if has_room else UNDECIDED,
        value=means[0],
        value_low=float(low[2]),
        value_high=float(high[2]),
        baseline=means[1],
        ceiling=means[2],
        share=float(share),
        low=ends_of_share[0],
        high=ends_of_share[1],
        answers=len(value),
        documents=count,
        why=_why(count, has_room, bool(np.isnan(low[0]))),
    )


def verdict_of(low: np.ndarray, high: np.ndarray) -> str:
    """Of the intervals of gain less what is asked, and of the gain: (2,) each.

    >>> verdict_of(np.array([0.1, 0.2]), np.array([0.3, 0.4]))
    'yes'
    >>> verdict_of(np.array([-2.0, 1.0]), np.array([-1.0, 2.0]))
    'no'
    >>> verdict_of(np.array([0.1, -0.1]), np.array([0.3, 0.4]))
    'undecided'
    """
    if bool((low > ROUNDING).all()):
        return YES
    return NO if high[0] < -ROUNDING else UNDECIDED


def held_to(
    values: np.ndarray, bound: float, documents: np.ndarray, seed: int, *, above: bool, median: bool = False
) -> Judged:
    """Judge whether the mean or median of numbers (answer,) lies above a bound, or below it.

    Yes and no, where the whole interval does or does not.
    """
    known = ~np.isnan(values)
    values, documents = values[known], documents[known]
    low, high = median_interval(values, documents, seed) if median else _interval(values, documents, seed)
    over, under = low > bound, high < bound
    verdict = YES if (over if above else under) else NO if (under if above else over) else UNDECIDED
    count = len(np.unique(documents))
    value = np.nan if not len(values) else float(np.median(values) if median else values.mean())
    nothing = (np.nan,) * 4
    why = _why(count, True, bool(np.isnan(low)))
    return Judged(verdict, value, low, high, bound, *nothing, len(values), count, why)


def _interval(values: np.ndarray, documents: np.ndarray, seed: int) -> tuple[float, float]:
    sums = by_blocks(np.stack([values, np.ones_like(values)], 1), documents)
    low, high = bootstrap_interval(sums[:, 0], sums[:, 1], seed)
    return float(low), float(high)


def median_interval(
    values: np.ndarray, documents: np.ndarray, seed: int, draws: int = 1000
) -> tuple[float, float]:
    """Percentile interval of a median, documents drawn again (Efron 1979); NaN of fewer than `FEWEST`."""
    names, which = np.unique(documents, return_inverse=True)
    if len(names) < FEWEST:
        return np.nan, np.nan
    random, order = np.random.default_rng(seed), np.argsort(values, kind="stable")
    times = random.multinomial(len(names), np.full(len(names), 1 / len(names)), draws)[:, which[order]]
    reached = times.cumsum(1)
    middle = (reached >= reached[:, -1:] / 2).argmax(1)
    low, high = np.quantile(values[order][middle], [0.025, 0.975])
    return float(low), float(high)


def by_blocks(values: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Sums of (answer, ...) over the blocks of their documents, (block, ...)."""
    sums = np.zeros((BLOCKS, *values.shape[1:]))
    np.add.at(sums, (documents % np.uint64(BLOCKS)).astype(np.intp), values)
    return sums


def _why(documents: int, has_room: bool, is_open: bool) -> str:
    """What kept a claim from a verdict; is_open: nothing is known of its interval."""
    if documents < FEWEST or (has_room and is_open):
        return f"{documents} texts are too few to tell from chance"
    return "" if has_room else "the best does hardly better than chance"
