"""Every head by itself: what keywords receive, how well that finds them, and if it is more than frequency.

Heads attend to rare words, and rare words are keywords. So what a keyword receives is held against other
words of the same document that are as frequent, in it and in all texts: only then is it something that the
head knows of keywords.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from headscope.blocks import BLOCKS, FEWEST
from headscope.measures.precision import Precision, average_precision
from headscope.measures.statistics import (
    bootstrap_interval,
    flip_together,
    ratio,
    resampled,
    sign_flip,
)
from headscope.questions.keywords.words import MAX, MEAN, READINGS, Words

CLIP = 1e-7
"""Attention nearer to 0 or 1 than this is taken for so much, where its logarithm is summed."""

_NEWTON = 12
_CLASSES = 3
"""Classes of frequency for each doubling."""


@dataclass(frozen=True)
class Scores:
    """Of each reading and head, (reading, head) but where said.

    relative: what keywords receive on average, less what others do; matched: how many times as much as words
    of the same frequency, with p that it is more, and p_all for all readings and heads at once. precision:
    over all words. cross_entropy: per word, after calibration on the other half of the documents; summed: of
    the attention as it is. chance: (2,) the share of keywords, and the cross entropy of saying that share of
    every word.
    """

    relative: np.ndarray
    relative_low: np.ndarray
    relative_high: np.ndarray
    matched: np.ndarray
    matched_low: np.ndarray
    matched_high: np.ndarray
    p: np.ndarray
    p_all: np.ndarray
    precision: Precision
    cross_entropy: np.ndarray
    summed: np.ndarray
    chance: tuple[float, float]


def scores_of(words: Words, seed: int) -> Scores:
    """Score every head in every reading over all words given."""
    relative, summed = [], []
    values: list[np.ndarray] = []
    entropies: list[np.ndarray] = []
    for reading in READINGS:
        raw, logs = words.reading(reading), words.logs(reading)
        relative.append(_relative(words, raw, seed))
        values.append(raw.T)
        entropies.append(calibrated_entropy(words, logs))
        summed.append(
            summed_entropy(raw, words.key) if reading in (MEAN, MAX) else np.full(raw.shape[1], np.nan)
        )
    parts = [average_precision(own, words.key, words.document) for own in values]
    precision = Precision(*(np.stack(each) for each in zip(*parts, strict=True)))
    share = float(words.key.mean())
    chance = (share, float(-share * np.log(share) - (1 - share) * np.log1p(-share)))
    moved = np.stack(relative, 1)
    entropy = np.stack(entropies), np.stack(summed)
    matched, low, high, p, p_all = matched_scores(words, seed)
    middle = moved[0], moved[1], moved[2]
    return Scores(*middle, matched, low, high, p, p_all, precision, *entropy, chance)


def matched_scores(words: Words, seed: int) -> np.ndarray:
    """How many times as much keywords receive as others of their frequency, its interval, p, and p for all.

    (5, reading, head). What is compared are the different words of a document, each with the mean logarithm
    of what it receives at its places; one is of a keyword if it is so at any of them. (Place by place, what
    comes first in a text would count as known of keywords, which often begin it.)
    """
    kinds = Kinds.of(words)
    top, count = zip(*(_above(kinds, kinds.means(words.logs(name))) for name in READINGS), strict=True)
    above, bottom = np.stack(top, 1), count[0][:, None, None]  # (block, reading, head)
    value = np.exp(ratio(above.sum(0), bottom.sum(0)))
    low, high = bootstrap_interval(above, np.broadcast_to(bottom, above.shape), seed)
    return np.stack([value, np.exp(low), np.exp(high), sign_flip(above, seed), flip_together(above, seed)])


@dataclass(frozen=True)
class Kinds:
    """The different words of each document. owner: (word,) the kind of each word. block, key: (kind,).

    stratum: (kind,), kinds of a document that are as frequent there, and, within a third of a doubling, in
    all texts.
    """

    owner: np.ndarray
    block: np.ndarray
    key: np.ndarray
    stratum: np.ndarray

    @classmethod
    def of(cls, words: Words) -> Kinds:
        _, spelled = np.unique(np.array(words.surface), return_inverse=True)
        _, first, owner = np.unique(
            words.document * (spelled.max() + 1) + spelled, return_index=True, return_inverse=True
        )
        own, every, _ = words.frequencies()
        classes = np.floor(_CLASSES * np.log2(every)).astype(np.int64)
        alike = np.stack([words.document, own, classes], 1)[first]
        _, stratum = np.unique(alike, axis=0, return_inverse=True)
        key = np.bincount(owner, words.key) > 0
        return cls(owner, words.block[words.document[first]], key, stratum.ravel())

    def means(self, values: np.ndarray) -> np.ndarray:
        """Of values (word, head) to (kind, head)."""
        return _grouped(values, self.owner) / np.bincount(self.owner)[:, None]


def _relative(words: Words, values: np.ndarray, seed: int) -> np.ndarray:
    """What keywords receive less what others do, with the ends of its interval, (3, head)."""
    block = words.block[words.document]
    sums = np.stack([_by_block(block[which], values[which]) for which in (words.key, ~words.key)])
    counts = np.stack([np.bincount(block[which], minlength=BLOCKS) for which in (words.key, ~words.key)])
    heads = values.shape[1]
    both = np.concatenate([sums, np.repeat(counts[:, :, None], heads, 2)]).transpose(1, 0, 2)
    value = _difference(both.sum(0))
    drawn = _difference(resampled(both[None], seed).transpose(1, 0, 2))
    low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0) if np.isfinite(drawn).any() else (
        np.full((2, heads), np.nan)
    )  # fmt: skip
    return np.stack([value, low, high])


def _difference(sums: np.ndarray) -> np.ndarray:
    """(4, ...) sums and counts of keywords and of others to the difference of their means."""
    difference: np.ndarray = ratio(sums[0], sums[2]) - ratio(sums[1], sums[3])
    return difference


def _above(kinds: Kinds, logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far keywords are above others of their stratum, by block, (block, head); and how many they are."""
    beside = others_of(logs, kinds.stratum, kinds.key)
    compared = kinds.key & ~np.isnan(beside[:, 0])
    block = kinds.block[compared]
    count = np.bincount(block, minlength=BLOCKS).astype(np.float64)
    return _by_block(block, (logs - beside)[compared]), count


def others_of(values: np.ndarray, strata: np.ndarray, key: np.ndarray) -> np.ndarray:
    """The mean over what is of each one's stratum and not of keywords, (kind, head); NaN for none.

    Were keywords drawn at random within their strata, they would not be above it or below it on average.
    """
    sums = _grouped(np.where(key[:, None], 0.0, values), strata)
    means: np.ndarray = ratio(sums, np.bincount(strata, ~key)[:, None])[strata]
    return means


def _grouped(values: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Sums of values (row, head) for each owner, which are all numbers from 0, (owner, head)."""
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    sums: np.ndarray = np.add.reduceat(values[order], starts, axis=0, dtype=np.float64)
    return sums


def _by_block(blocks: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sums of values (word, head) in each block, (block, head)."""
    sums = np.zeros((BLOCKS, values.shape[1]))
    order = np.argsort(blocks, kind="stable")
    if len(order):
        starts = np.flatnonzero(np.diff(blocks[order], prepend=-1))
        sums[blocks[order][starts]] = np.add.reduceat(values[order].astype(np.float64), starts, axis=0)
    return sums


def halves_of(words: Words) -> list[np.ndarray]:
    """The words of documents of even and of odd blocks, two arrays (word,) bool."""
    half = words.block[words.document] % 2
    return [half == 0, half == 1]


def calibrated_entropy(words: Words, logs: np.ndarray) -> np.ndarray:
    """Cross entropy per word of a logistic curve over the score, fitted to the other half, in nats, (head,).

    NaN where a half has no keyword, or nothing else.
    """
    total, halves = np.zeros(logs.shape[1]), halves_of(words)
    if any(len(np.unique(words.key[half])) < 2 for half in halves):
        return np.full(logs.shape[1], np.nan)
    for own, other in (halves, halves[::-1]):
        slope, level = platt(logs[other], words.key[other])
        total += _entropy(logs[own] * slope + level, words.key[own])
    result: np.ndarray = total / len(words.key)
    return result


def platt(scores: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slope and level of a logistic curve for each column of scores (word, head) (Platt 1999), by Newton."""
    mean, spread = scores.mean(0), np.maximum(scores.std(0), 1e-6)
    given, wished = (scores - mean) / spread, wanted[:, None].astype(np.float32)
    slope, level = (
        np.zeros(given.shape[1]),
        np.full(given.shape[1], np.log(wanted.mean() / (1 - wanted.mean()))),
    )
    for _ in range(_NEWTON):
        chance = expit(given * slope.astype(np.float32) + level.astype(np.float32))
        off, bend = chance - wished, np.maximum(chance * (1 - chance), 1e-6)
        moments = [
            np.einsum("ij,ij->j", bend, power, dtype=np.float64)
            for power in (np.ones_like(given), given, given**2)
        ]
        down = np.einsum("ij,ij->j", off, given, dtype=np.float64)
        bias = off.sum(0, dtype=np.float64)
        root = moments[0] * moments[2] - moments[1] ** 2
        steps = (moments[0] * down - moments[1] * bias) / root, (moments[2] * bias - moments[1] * down) / root
        slope, level = slope - steps[0], level - steps[1]
        if max(np.abs(steps[0]).max(), np.abs(steps[1]).max()) < 1e-4:
            break
    return slope / spread, level - slope * mean / spread


def _entropy(logits: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Summed cross entropy in nats, (head,)."""
    summed: np.ndarray = np.logaddexp(0, np.where(wanted[:, None], -logits, logits)).sum(0)
    return summed


def summed_entropy(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Cross entropy of attention itself and keywords, summed over all words, in nats, (head,).

    The summed form of the slides "Utilizing attention for weighting text": not calibrated and not divided, so
    it grows with the text, and most of it is the logarithm of how little a keyword receives.
    """
    chance = np.clip(values.astype(np.float64), CLIP, 1 - CLIP)
    summed: np.ndarray = -np.log(np.where(wanted[:, None], chance, 1 - chance)).sum(0)
    return summed


def enough(documents: np.ndarray) -> bool:
    """Whether there are documents enough for an interval."""
    return len(np.unique(documents)) >= FEWEST
