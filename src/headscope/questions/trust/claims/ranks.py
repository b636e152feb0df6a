"""ranks: words are ordered as leaving each of them out orders them (Jain and Wallace 2019)."""

from __future__ import annotations

import numpy as np

from headscope.blocks import BLOCKS
from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import RANDOM, TAU, Numbers


def ranks(numbers: Numbers, margin: float, seed: int) -> Judged:
    """Kendall's tau with leave-one-out, between that of random orders and that of the best other explanation.

    That one is chosen on the other half of the documents: the largest of many noisy means is too large.
    """
    value, chance = numbers.on_trial(TAU), numbers.measure(TAU, RANDOM)
    return judge(value, chance, best_rival(numbers), numbers.documents, margin, seed)


def best_rival(numbers: Numbers) -> np.ndarray:
    """Tau of the other explanation that does best on the other half, (answer,); NaN where there is none."""
    rivals = [name for name in numbers.rivals if name not in numbers.yardsticks]
    if not rivals:
        return np.full(len(numbers.documents), np.nan)
    taus = np.stack([numbers.measure(TAU, name) for name in rivals], 1)  # (answer, rival)
    half = numbers.documents % np.uint64(BLOCKS) % np.uint64(2)
    best = np.empty(len(taus))
    for own in (0, 1):
        others = taus[half != own]
        chosen = _best(others if len(others) else taus)
        best[half == own] = taus[half == own, chosen]
    return best


def _best(taus: np.ndarray) -> int:
    """The rival with the largest mean over the answers that it ranks."""
    known = ~np.isnan(taus)
    counts = known.sum(0)
    means = np.where(counts > 0, np.where(known, taus, 0.0).sum(0) / np.maximum(counts, 1), -np.inf)
    return int(means.argmax())
