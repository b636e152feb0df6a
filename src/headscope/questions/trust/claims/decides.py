"""decides: without the words that are marked first, the answer soon changes (Serrano and Smith 2019)."""

from __future__ import annotations

import numpy as np

from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import BEST, LEAVE_ONE_OUT, RANDOM, UNTIL, Numbers


def decides(numbers: Numbers, margin: float, seed: int) -> Judged:
    """The share of words that stay when the answer changes, between random orders and the best order.

    An answer that never changes keeps none.
    """
    value, chance = 1 - numbers.on_trial(UNTIL), 1 - numbers.measure(UNTIL, RANDOM)
    best = 1 - np.fmin(numbers.measure(UNTIL, BEST), numbers.measure(UNTIL, LEAVE_ONE_OUT))
    return judge(value, chance, best, numbers.documents, margin, seed)
