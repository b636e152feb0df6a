"""ranks: words are ordered as leaving each of them out orders them (Jain and Wallace 2019)."""

from __future__ import annotations

from dataclasses import replace

from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import RANDOM, TAU, Numbers, best_of
from headscope.results.vocabulary import NO, UNDECIDED, YES

LEAST = 0.2
"""A tau below this is no order to speak of, however little others agree."""


def ranks(numbers: Numbers, margin: float, seed: int) -> Judged:
    """Kendall's tau with leave-one-out, between that of random orders and that of the best other explanation.

    That one is chosen on the other half of the documents: the largest of many noisy means is too large. Where
    others agree little, too, being as good as they are is not enough: tau must also be above `LEAST`.
    """
    value, chance = numbers.on_trial(TAU), numbers.measure(TAU, RANDOM)
    rivals = [name for name in numbers.rivals if name not in numbers.yardsticks]
    judged = judge(value, chance, best_of(numbers, TAU, rivals), numbers.documents, margin, seed)
    if judged.verdict != YES or judged.value_low > LEAST:
        return judged
    verdict = NO if judged.value_high < LEAST else UNDECIDED
    return replace(judged, verdict=verdict, why=f"tau is not above {LEAST}, nor are others much")
