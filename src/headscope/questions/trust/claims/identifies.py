"""identifies: the words that are marked are those that the answer rests on.

Words are taken away one by one, the most important first; by how much the probability of the answer falls,
mean over all steps (area over the perturbation curve, Samek et al. 2017), tells how well they were chosen.
"""

from __future__ import annotations

from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.numbers import AOPC, RANDOM, Numbers


def identifies(numbers: Numbers, margin: float, seed: int) -> Judged:
    """The fall of the probability, between that of random orders and that of the best order found."""
    value, chance = numbers.on_trial(AOPC), numbers.measure(AOPC, RANDOM)
    return judge(value, chance, numbers.best_order(AOPC), numbers.documents, margin, seed)
