"""ranks: words are ordered as leaving each of them out orders them (Jain and Wallace 2019)."""

from __future__ import annotations

from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import RANDOM, TAU, Numbers, best_of


def ranks(numbers: Numbers, margin: float, seed: int) -> Judged:
    """Kendall's tau with leave-one-out, between that of random orders and that of the best other explanation.

    That one is chosen on the other half of the documents: the largest of many noisy means is too large.
    """
    value, chance = numbers.on_trial(TAU), numbers.measure(TAU, RANDOM)
    rivals = [name for name in numbers.rivals if name not in numbers.yardsticks]
    return judge(value, chance, best_of(numbers, TAU, rivals), numbers.documents, margin, seed)
