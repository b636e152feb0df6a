"""Words taken away in many orders at once: what becomes of the answers."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch

from headscope.explainers.limits import limits
from headscope.explainers.removal import log_likelihood
from headscope.explainers.words import Words
from headscope.measures.faithfulness import (
    SHARES,
    aopc,
    comprehensiveness,
    erased_along,
    orders,
    sufficiency,
    top_sets,
    untied,
    until_flip,
)
from headscope.questions.trust.answering import Answered, generator
from headscope.questions.trust.removing import Without

STEPS = 20
"""Steps in which the words of a text are taken away; of a text of fewer words, one by one."""

SHUFFLES = 5


class Measured(NamedTuple):
    """What taking words away shows of orders, (answer, order) each."""

    comprehensiveness: np.ndarray
    sufficiency: np.ndarray
    aopc: np.ndarray
    until: np.ndarray
    flipped: np.ndarray


class Erasing:
    """Answers, whose words are taken away in one way; words that tie go as chance has it."""

    def __init__(self, answered: Answered, removal: str, seed: int) -> None:
        self.asked, self.words, self.removal = answered.asked, answered.words, removal
        self._without = Without(answered, removal)
        self.counts = self.words.counts.cpu().numpy()
        self._ties = _drawn(answered, seed)[-1]

    @cached_property
    def before(self) -> np.ndarray:
        """Probability of each answer to its whole text, (answer,)."""
        logits = self.asked.answers(self.asked.hearing.logits)
        found: np.ndarray = log_likelihood(logits, self.asked.entries).exp().cpu().numpy()
        return found

    @cached_property
    def leave_one_out(self) -> np.ndarray:
        """By how much the probability falls without each word, (answer, word); NaN beyond a text's words."""
        size = self.words.most
        alone = np.broadcast_to(np.eye(size, dtype=bool), (len(self.counts), size, size))
        after, _ = self._without(alone, np.arange(size) < self.counts[:, None])
        falls: np.ndarray = self.before[:, None] - after
        return falls

    def limits(self, longest: int, beam: int) -> tuple[np.ndarray, np.ndarray]:
        """The model's own best and worst order as importances, (answer, word) each; NaN in longer texts."""
        both = np.full((2, len(self.counts), self.words.most), np.nan)
        short = np.flatnonzero(self.counts <= longest)
        if len(short):
            rows = torch.as_tensor(short, device=self.asked.texts.device)
            some = self.asked.apart().some(rows)
            found = limits(some, Words(self.words.members[rows], self.words.counts[rows]), self.removal, beam)
            for place, order in enumerate((found.best.cpu().numpy(), found.worst.cpu().numpy())):
                answer, rank = np.nonzero(order >= 0)
                both[place, short[answer], order[answer, rank]] = -rank
        return both[0], both[1]

    def measured(self, importance: np.ndarray) -> Measured:
        """All measures of some orders; importance: (answer, order, word), all NaN where there is none."""
        size, many = importance.shape[:2]
        flat, counts = self._flat(importance), np.repeat(self.counts, many)
        steps, sizes = steps_of(flat, counts, STEPS)
        tops = top_sets(flat, counts)
        real = np.arange(flat.shape[1]) < counts[:, None]
        sets = np.concatenate([steps, tops, real[:, None] & ~tops], 1)
        unknown = np.isnan(flat).all(1)
        wanted = np.broadcast_to(~unknown[:, None], sets.shape[:2]).reshape(size, -1)
        after, decision = self._without(sets.reshape(size, -1, sets.shape[2]), wanted)
        after, decision = (each.reshape(size * many, -1) for each in (after, decision))
        before, own = np.repeat(self.before, many), np.repeat(self.asked.entries.cpu().numpy(), many)
        cut = steps.shape[1], steps.shape[1] + len(SHARES)
        flips = until_flip(own, decision[:, : cut[0]], sizes)
        found = [
            comprehensiveness(before, after[:, cut[0] : cut[1]]),
            sufficiency(before, after[:, cut[1] :]),
            aopc(before, after[:, : cut[0]], sizes),
            flips.share,
            flips.flipped.astype(float),
        ]
        return Measured(*(np.where(unknown, np.nan, each).reshape(size, many) for each in found))

    def kept_and_gone(self, importance: np.ndarray) -> np.ndarray:
        """Comprehensiveness and sufficiency of some orders, (answer, order, 2); importance as above."""
        size, many = importance.shape[:2]
        flat, counts = self._flat(importance), np.repeat(self.counts, many)
        tops = top_sets(flat, counts)
        rest = (np.arange(flat.shape[1]) < counts[:, None])[:, None] & ~tops
        sets = np.concatenate([tops, rest], 1)
        after = self._without(sets.reshape(size, -1, sets.shape[2]))[0].reshape(size * many, 2, -1)
        before = np.repeat(self.before, many)
        both = comprehensiveness(before, after[:, 0]), sufficiency(before, after[:, 1])
        return np.stack(both, -1).reshape(size, many, 2)

    def areas(self, importance: np.ndarray) -> np.ndarray:
        """The fall of the probability along some orders alone, (answer, order); importance as above."""
        size, many = importance.shape[:2]
        flat, counts = self._flat(importance), np.repeat(self.counts, many)
        steps, sizes = steps_of(flat, counts, STEPS)
        unknown = np.isnan(flat).all(1)
        wanted = np.broadcast_to(~unknown[:, None], steps.shape[:2]).reshape(size, -1)
        after, _ = self._without(steps.reshape(size, -1, steps.shape[2]), wanted)
        areas = aopc(np.repeat(self.before, many), after.reshape(size * many, -1), sizes)
        return np.where(unknown, np.nan, areas).reshape(size, many)

    def until(self, importance: np.ndarray, steps: int) -> np.ndarray:
        """The share of words that are gone when the answer changes, (answer, order), in few steps.

        An order is followed no further than that.
        """
        size, many = importance.shape[:2]
        flat, counts = self._flat(importance), np.repeat(self.counts, many)
        sets, sizes = steps_of(flat, counts, steps)
        own = np.repeat(self.asked.entries.cpu().numpy(), many)
        decision = np.repeat(own[:, None], sets.shape[1], 1)
        stands = np.ones(size * many, bool)
        for step in range(sets.shape[1]):
            wanted = (stands & (step < sizes)).reshape(size, many)
            _, after = self._without(sets[:, step].reshape(size, many, -1), wanted)
            decision[:, step] = np.where(wanted.reshape(-1), after.reshape(-1), own)
            stands &= decision[:, step] == own
        flips = until_flip(own, decision, sizes)
        return flips.share.reshape(size, many)

    def _flat(self, importance: np.ndarray) -> np.ndarray:
        """(answer, order, word) to (answer and order, word), without ties."""
        return untied(importance, self._ties[:, None]).reshape(-1, importance.shape[2])


def shuffled(answered: Answered, seed: int) -> list[np.ndarray]:
    """Random importances, (answer, word) each, that depend on the seed and the text alone."""
    return list(_drawn(answered, seed)[:SHUFFLES])


def _drawn(answered: Answered, seed: int) -> np.ndarray:
    """Random numbers of each word, (draw, answer, word); the last draw decides ties."""
    counts, asked = answered.words.counts.tolist(), answered.asked
    drawn = np.full((SHUFFLES + 1, len(counts), answered.words.most), np.nan)
    for answer, (text, place) in enumerate(zip(asked.texts.tolist(), asked.places.tolist(), strict=True)):
        random = generator(seed, asked.sides.segments[text], place + 1)
        drawn[:, answer, : counts[answer]] = random.random((SHUFFLES + 1, counts[answer]))
    return drawn


def steps_of(importance: np.ndarray, counts: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """What is gone after each step, bool (order, step, word), and how many steps a text has, (order,).

    A text of more words than steps loses several at once, about as many each time.
    """
    sizes = np.minimum(counts, steps)
    number = np.minimum(np.arange(1, sizes.max() + 1), sizes[:, None])
    taken = np.ceil(number * counts[:, None] / sizes[:, None] - 1e-9).astype(int)
    gone = erased_along(orders(importance, counts))
    return np.take_along_axis(gone, (taken - 1)[..., None], 1), sizes
