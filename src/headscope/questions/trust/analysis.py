"""Answers put to the test: words go as each explanation orders them, and the model answers again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.explainers import Explainer, explainers_of
from headscope.explainers.attention import head_explainer
from headscope.heads import Head
from headscope.questions.trust.agreeing import agreements
from headscope.questions.trust.answering import Answered, Answering, AnswersWork, heads_at
from headscope.questions.trust.erasing import Erasing, Measured, shuffled
from headscope.questions.trust.numbers import (
    ASCENDING,
    BESIDE,
    BEST,
    FACTS,
    LEAVE_ONE_OUT,
    MEASURES,
    RANDOM,
    WORST,
)
from headscope.tallies import Rows, Tally

STEPS_OF_HEADS = 5
"""Steps in which words are taken away as single heads order them."""

HEAD_MEASURES = ("tau", "until")
FEW = ("gradient-input", "attention-gradient", "rollout")
"""Explanations, beside that on trial and leave-one-out, that words are also taken away by in other ways."""


@dataclass
class Trial:
    """The analysis.

    names: of the explanations, that on trial first. removal: how words are taken away. words: the longest
    text, in words, of which the model's own best and worst order is searched, with `beam`; 0 for none. heads:
    whether each head is put to the test as well. removals: other ways to take words away, for a few
    explanations.
    """

    answering: Answering
    names: tuple[str, ...]
    removal: str
    words: int
    beam: int
    heads: bool
    seed: int
    removals: tuple[str, ...] = ()
    name: str = "trial"

    @property
    def rows(self) -> list[str]:
        """The orders of words that are scored."""
        return [*self.names, *(name for name in BESIDE if name not in self.names)]

    @property
    def few(self) -> list[str]:
        """The explanations that words are also taken away by in other ways."""
        wanted = [self.names[0], *(name for name in FEW if name in self.names), LEAVE_ONE_OUT]
        return list(dict.fromkeys(wanted))

    def explainers(self) -> list[Explainer]:
        """The explanations that a model is asked for."""
        return explainers_of([name for name in self.names if name != LEAVE_ONE_OUT], self.seed)

    def heads_of(self, setting: Setting) -> list[Head]:
        """The heads that an answer looks through, of those in question."""
        return heads_at(setting) if self.heads else []

    def work(self, setting: Setting) -> TrialWork:
        return TrialWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `value` of each explanation and measure, `fact_value`, `head_value`, `document`."""
        values, facts, heads, ways = (tallies[name] for name in ("values", "facts", "heads", "removals"))
        assert isinstance(values, Rows) and isinstance(facts, Rows)
        assert isinstance(heads, Rows) and isinstance(ways, Rows)
        return xr.Dataset(
            {
                "value": (("answer", "explanation", "measure"), values.result()),
                "fact_value": (("answer", "fact"), facts.result()),
                "head_value": (("answer", "head", "head_measure"), heads.result()),
                "removal_value": (("answer", "removal", "few", "both"), ways.result()),
                "document": ("answer", values.documents()),
            },
            coords={
                "removal": list(self.removals),
                "few": [*self.few, RANDOM],
                "explanation": self.rows,
                "measure": list(MEASURES),
                "fact": list(FACTS),
                "head": [setting.model.label(head) for head in self.heads_of(setting)],
                "head_measure": list(HEAD_MEASURES),
            },
        )


class TrialWork(AnswersWork):
    """Puts the answers to each batch to the test."""

    def __init__(self, setting: Setting, trial: Trial) -> None:
        super().__init__(setting.model, trial.answering)
        self.trial, self.heads = trial, trial.heads_of(setting)
        self.values = Rows((len(trial.rows), len(MEASURES)))
        self.facts = Rows((len(FACTS),))
        self.of_heads = Rows((len(self.heads), len(HEAD_MEASURES)))
        self.ways = Rows((len(trial.removals), len(trial.few) + 1, 2))
        self.tallies: Tallies = {
            "values": self.values, "facts": self.facts, "heads": self.of_heads, "removals": self.ways,
        }  # fmt: skip

    def take(self, answered: Answered) -> None:
        tried, documents = Tried(self.trial, answered), answered.documents
        self.values.update(documents, tried.values)
        self.facts.update(documents, tried.facts)
        self.of_heads.update(documents, tried.of_heads(self.heads))
        self.ways.update(documents, tried.in_other_ways())


class Tried:
    """Answers of a batch, put to the test."""

    def __init__(self, trial: Trial, answered: Answered) -> None:
        self.trial, self.answered = trial, answered
        self.asked, self.words = answered.asked, answered.words
        self.counts = self.words.counts.cpu().numpy()
        self.erasing = Erasing(answered, trial.removal, trial.seed)

    @cached_property
    def explained(self) -> dict[str, np.ndarray]:
        """Importance of each word by each explanation, (answer, word), NaN beyond the words of a text."""
        made = {one.name: self.summed(one) for one in self.trial.explainers()}
        return {**made, LEAVE_ONE_OUT: self.erasing.leave_one_out}

    def summed(self, explainer: Explainer) -> np.ndarray:
        """Importance summed to words, (answer, word)."""
        summed: np.ndarray = self.words.summed(explainer(self.asked)).cpu().numpy()
        return summed

    @cached_property
    def values(self) -> np.ndarray:
        """(answer, explanation, measure)"""
        own, names = self.explained, self.trial.rows
        found = np.full((len(self.counts), len(names), len(MEASURES)), np.nan)
        shuffles = shuffled(self.answered, self.trial.seed)
        best, worst = self.erasing.limits(self.trial.words, self.trial.beam)
        orders = [*own.values(), -own[self.trial.names[0]], best, worst, *shuffles]
        measured = self.erasing.measured(np.stack(orders, 1))  # (answer, order)
        taus = agreements(np.stack([*own.values(), *shuffles], 1), list(own), self.counts)
        for place, name in enumerate([*own, ASCENDING, BEST, WORST]):
            _fill(found[:, names.index(name)], measured, place)
        for place, name in enumerate(own):
            _fill_agreement(found[:, names.index(name)], taus, place)
        chance = found[:, names.index(RANDOM)]
        _fill(chance, measured, slice(len(own) + 3, None))
        _fill_agreement(chance, taus, slice(len(own), None))
        self._fill_costs(found)
        return found

    @cached_property
    def facts(self) -> np.ndarray:
        """(answer, fact)"""
        truth = self.answered.truth
        right = np.where(truth < 0, np.nan, self.asked.entries.cpu().numpy() == truth)
        texts, places = self.asked.texts.tolist(), self.asked.places.cpu().numpy()
        segments = [self.asked.sides.segments[text].index for text in texts]
        return np.stack([self.erasing.before, self.counts, right, segments, places], 1)

    def of_heads(self, heads: Sequence[Head]) -> np.ndarray:
        """(answer, head, measure)"""
        if not heads:
            return np.empty((len(self.counts), 0, len(HEAD_MEASURES)))
        importance = np.stack([self.summed(head_explainer(head)) for head in heads], 1)
        names = [LEAVE_ONE_OUT, *map(str, heads)]
        both = np.concatenate([self.erasing.leave_one_out[:, None], importance], 1)
        taus = agreements(both, names, self.counts)["tau"][:, 1:]
        return np.stack([taus, self.erasing.until(importance, STEPS_OF_HEADS)], -1)

    def in_other_ways(self) -> np.ndarray:
        """Comprehensiveness and sufficiency, (answer, removal, few explanations and chance, 2)."""
        few = [self.explained[name] for name in self.trial.few]
        orders = np.stack([*few, *shuffled(self.answered, self.trial.seed)], 1)
        found = np.empty((len(self.counts), len(self.trial.removals), len(few) + 1, 2))
        for place, removal in enumerate(self.trial.removals):
            both = Erasing(self.answered, removal, self.trial.seed).kept_and_gone(orders)
            found[:, place, :-1], found[:, place, -1] = both[:, : len(few)], both[:, len(few) :].mean(1)
        return found

    def _fill_costs(self, found: np.ndarray) -> None:
        """Passes of a text for one answer."""
        passes = {one.name: one.cost(self.asked) for one in self.trial.explainers()}
        for name, cost in passes.items():
            found[:, self.trial.rows.index(name), -2:] = cost
        found[:, self.trial.rows.index(LEAVE_ONE_OUT), -2] = 1 + self.counts
        found[:, self.trial.rows.index(LEAVE_ONE_OUT), -1] = 0


def _fill(rows: np.ndarray, measured: Measured, place: int | slice) -> None:
    """Measures of one order, or means over several, into (answer, measure)."""
    for name in measured._fields:
        column = getattr(measured, name)[:, place]
        rows[:, MEASURES.index(name)] = column if column.ndim == 1 else column.mean(1)


def _fill_agreement(rows: np.ndarray, taus: Mapping[str, np.ndarray], place: int | slice) -> None:
    for name, column in taus.items():
        values = column[:, place]
        rows[:, MEASURES.index(name)] = values if values.ndim == 1 else values.mean(1)
