"""The case of an explanation: all that is run and judged, and the tables of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd
import xarray as xr

from headscope.engine.scoring import Scoring
from headscope.errors import InputError, OptionError
from headscope.explainers.attention import READINGS
from headscope.explainers.erasure import ERASURE
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.given_attention import Scope
from headscope.explainers.mixing import is_linear
from headscope.explainers.removal import why_not
from headscope.questions.trust.analysis import Trial
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.beside import Beside
from headscope.questions.trust.card import DECIDES, IDENTIFIES, NEEDED, PEOPLE, RANKS, STABLE, UNIQUE
from headscope.questions.trust.claims.decides import decides
from headscope.questions.trust.claims.identifies import identifies
from headscope.questions.trust.claims.needed import needed
from headscope.questions.trust.claims.ranks import ranks
from headscope.questions.trust.claims.unique import unique
from headscope.questions.trust.closer import Closer
from headscope.questions.trust.examples import examples_table
from headscope.questions.trust.heads import best_head_table, chosen_heads, heads_table
from headscope.questions.trust.numbers import PROBABILITY, RIGHT, WORDS, Numbers
from headscope.questions.trust.retraining import USUAL, Retraining, beginning
from headscope.questions.trust.swapping import Adversary, Swap
from headscope.questions.trust.swaps import swaps_table, uniqueness_table, weights_table
from headscope.questions.trust.tables import (
    CHANCE,
    Said,
    card_table,
    claims_table,
    faithfulness_table,
    removals_table,
    summary_table,
)
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.course import Course
from headscope.text import Corpus

if TYPE_CHECKING:
    from headscope.questions.trust.answer import Question

ATTENTION, _, LAYERS = (one.name for one in READINGS)
"""Explanations that are the weights with which an answer is given, in the last layer and in all."""

YARDSTICKS = tuple(one.name for one in ERASURE)
"""Explanations that leave words out themselves."""

REMOVED = {"mask": "a mask in the place of each piece", "deletion": "deletion", "mean": "the mean embedding"}
OWN = "what the model answers itself"
QUICKLY = "left out by --quick"


class Case:
    """Runs what the claims need, each part through the engine."""

    def __init__(self, question: Question, scoring: Scoring, store: RunFolder | None) -> None:
        self.question, self.scoring, self.store = question, scoring, store
        self.options, self.scope = question.options, scope_of(question.options.scope)
        self.notes = [*question.model.notes, *question.notes]
        self.answering = Answering(question.task, self.options.answers, self.options.seed)

    def result(self) -> Result:
        numbers, seed = self.numbers, self.options.seed
        claims = claims_table(self._said(), REMOVED[self.options.removal], OWN)
        said = {"data": self.question.corpus.name, "task": self.question.task.name}
        tables = {
            "card": card_table(claims, numbers, self.options.margin, seed),
            "claims": claims,
            "faithfulness": faithfulness_table(numbers, seed),
            "answered": summary_table(numbers, (PROBABILITY, WORDS, RIGHT), **said),
            "examples": examples_table(
                numbers, self.scoring.plan(self.trial), self.trial, self.question.corpus
            ),
            **self._heads(),
            **({"removals": removals_table(self.dataset, seed)} if self.trial.removals else {}),
        }
        if self.swapped is not None:
            tables["swaps"] = swaps_table(self.swapped, seed)
            tables["single_weights"] = weights_table(self.swapped)
        if self.adversaries is not None:
            tables["uniqueness"] = uniqueness_table(self.adversaries, seed)
            if self.between_seeds is not None:
                tables["uniqueness"]["between_seeds"] = self.between_seeds
        tables |= self.beside.tables()
        if self.question.train is not None:
            tables["even_attention"] = self._retrained(self.question.train)
        return Result(self.scoring.verb, {}, tables, notes=self.notes)

    @cached_property
    def trial(self) -> Trial:
        options = self.options
        words, heads = (0, False) if options.quick else (options.words, True)
        how = options.removal, words, options.beam, heads, options.seed
        model = self.question.model
        others = [how for how in REMOVED if how != options.removal and why_not(model, how) is None]
        return Trial(self.answering, self.question.names, *how, () if options.quick else tuple(others))

    @cached_property
    def dataset(self) -> xr.Dataset:
        """What taking words away does."""
        (dataset,), notes = self.scoring.run("data", self.question.corpus, self.trial)
        self.notes += notes
        if not dataset.sizes["answer"]:
            raise InputError(
                f"{self.question.corpus.name}: no text has two words that can be taken away, so there is "
                "nothing to rank"
            )
        return dataset

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers.of_dataset(self.dataset, self.options.of, YARDSTICKS)

    @cached_property
    def why_not_swapped(self) -> str | None:
        """Why other attention cannot be put in the place of the model's own, or need not be."""
        of = self.options.of
        if of == LAYERS and self.scope != "all":
            return "it is asked of the weights that are shown: give --scope all"
        if of not in (ATTENTION, LAYERS):
            return f"it is asked of the weights with which an answer is given, and {of} is not these"
        return why_weights_stay(self.question.model)

    @cached_property
    def swapped(self) -> xr.Dataset | None:
        """What even, permuted and no attention do."""
        if self.why_not_swapped:
            return None
        scopes = tuple(dict.fromkeys([self.scope, "all"]))
        swap = Swap(self.answering, scopes, self.options.seed)
        (dataset,), _ = self.scoring.run("swaps", self.question.corpus, swap)
        return dataset

    @cached_property
    def adversaries(self) -> xr.Dataset | None:
        """The furthest attention that answers alike."""
        if self.why_not_swapped or self.options.quick:
            return None
        adversary = Adversary(self.answering, self.scope, self.options.epsilon, self.options.seed)
        corpus = self.question.corpus
        if not is_linear(self.question.model):
            corpus = corpus.limited(self.options.adversaries)
        (dataset,), _ = self.scoring.run("adversaries", corpus, adversary)
        return dataset

    @cached_property
    def beside(self) -> Beside:
        """Other models, edited texts and people."""
        return Beside(self.question, self.scoring, self.answering, self.scope)

    @cached_property
    def between_seeds(self) -> float | None:
        """How far the weights of other models lie away, on the texts that adversaries were sought to."""
        if self.adversaries is None:
            return None
        return self.beside.between_seeds(self.adversaries["document"].values)

    def _said(self) -> dict[str, Said]:
        options, numbers = self.options, self.numbers
        how = numbers, options.margin, options.seed
        best = "the best order found: by a search in short texts, or by any explanation"
        return {
            IDENTIFIES: Said(
                identifies(*how), "fall of the probability, mean over words taken away", CHANCE, best
            ),
            RANKS: Said(
                ranks(*how), "Kendall's tau with leave-one-out", CHANCE,
                "the best other explanation, chosen on the other half", "no other explanation is there",
            ),
            DECIDES: Said(
                decides(*how), "share of words still there when the answer changes", CHANCE, best
            ),
            NEEDED: self._needed(),
            UNIQUE: self._unique(),
            STABLE: self.beside.stable(),
            PEOPLE: self.beside.people(),
        }  # fmt: skip

    def _needed(self) -> Said:
        if self.swapped is None:
            return Said(None, why=self.why_not_swapped or "")
        judged = needed(self.swapped, self.options.epsilon, self.options.seed)
        return Said(judged, "total variation of the answer with even attention", "epsilon")

    def _unique(self) -> Said:
        if self.adversaries is None:
            return Said(None, why=self.why_not_swapped or QUICKLY)
        judged, seeds = unique(self.adversaries, self.options.seed), self.between_seeds
        bound = "half of ln 2" if seeds is None else f"half of ln 2; between seeds it is {seeds:.3f}"
        return Said(judged, "median divergence of the furthest attention that answers alike", bound)

    def _retrained(self, train: Corpus) -> pd.DataFrame:
        """What the model scores where it may learn again with even attention."""
        options, scoring = self.options, self.scoring
        model, usual = self.question.model, USUAL[beginning(self.question.model)]
        course = Course(options.epochs or usual.epochs, options.batch_size, seed=options.seed)
        how = self.question.task, self.scope, scoring.pieces, course, options.rate or usual.rate
        retraining = Retraining(model, *how)
        table, notes = retraining.table(train, self.question.corpus, self.store, scoring.progress)
        self.notes += notes
        return table

    def _heads(self) -> dict[str, pd.DataFrame]:
        """Every head, and the best one, where heads were put to the test."""
        heads, names = self.trial.heads_of(self.scoring.setting), self.dataset["head"].values
        if not heads:
            return {}
        chosen = [[str(names[place]) for place in half] for half in chosen_heads(self.dataset)]
        again = None
        if any(chosen):
            how = self.trial.removal, self.trial.words, self.trial.seed
            closer = Closer(self.answering, (chosen[0], chosen[1]), *how)
            (again,), _ = self.scoring.run("heads", self.question.corpus, closer)
        seed, numbers = self.options.seed, self.numbers
        return {
            "trust_heads": heads_table(self.question.model, heads, self.dataset, numbers, again, seed),
            "best_head": best_head_table(self.dataset, numbers, seed),
        }


def scope_of(said: str) -> Scope:
    """Whose weights are changed."""
    known: dict[str, Scope] = {"last": "last", "all": "all"}
    if said.isdecimal():
        return int(said)
    if said not in known:
        raise OptionError(f"--scope takes last, all or the number of a layer, not '{said}'")
    return known[said]
