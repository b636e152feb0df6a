"""decides: without the words that are marked first, the answer soon changes (Serrano and Smith 2019)."""

from __future__ import annotations

from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import RANDOM, UNTIL, Numbers


def decides(numbers: Numbers, margin: float, seed: int) -> Judged:
    """The share of words that stay when the answer changes, between random orders and the best order found.

    An answer that never changes keeps none.
    """
    value, chance = 1 - numbers.on_trial(UNTIL), 1 - numbers.measure(UNTIL, RANDOM)
    best = 1 - numbers.best_order(UNTIL, largest=False)
    return judge(value, chance, best, numbers.documents, margin, seed)
