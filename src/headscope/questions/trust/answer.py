"""trust: whether attention, or another explanation, may be shown for what a model answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import xarray as xr

from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.scoring import Scoring, longest_example
from headscope.errors import ModelError
from headscope.explainers import EXPLAINERS, Explainer, explainers_of
from headscope.explainers.choosing import chosen
from headscope.explainers.erasure import ERASURE
from headscope.explainers.removal import why_not
from headscope.models import load
from headscope.questions.asking import AboutCorpus
from headscope.questions.trust.analysis import Trial
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.card import DECIDES, IDENTIFIES, RANKS
from headscope.questions.trust.claims.decides import decides
from headscope.questions.trust.claims.identifies import identifies
from headscope.questions.trust.claims.ranks import ranks
from headscope.questions.trust.examples import examples_table
from headscope.questions.trust.heads import best_head_table, chosen_heads, heads_table
from headscope.questions.trust.numbers import BESIDE, LEAVE_ONE_OUT, PROBABILITY, RANDOM, RIGHT, WORDS, Numbers
from headscope.questions.trust.options import QUICK, Options
from headscope.questions.trust.tables import Said, card_table, claims_table, faithfulness_table, summary_table
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.data import Source, open_task
from headscope.tasks.task import Task
from headscope.text.batches import Progress

TEXTS_OF_QUICK = 60
SAME_ORDER = ("erasure",)
"""Explanations that order words as another one does."""

YARDSTICKS = tuple(one.name for one in ERASURE)
REMOVED = {"mask": "a mask in the place of each piece", "deletion": "deletion", "mean": "the mean embedding"}


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, its task, texts, and the explanations, that on trial first."""

    options: Options
    task: Task
    names: tuple[str, ...]
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        model = load(options.model, **options.loading())
        limit = min(options.limit or TEXTS_OF_QUICK, TEXTS_OF_QUICK) if options.quick else options.limit
        data = open_task(model, options.data, Source.of(options), limit, seed=options.seed)
        if reason := why_not(model, options.removal):
            raise ModelError(f"--removal {options.removal}: no word can be taken away: {reason}")
        names, notes = _explanations(model, options)
        return cls(options, model, data.corpus, data.words, data.task, names, notes)

    @property
    def pieces(self) -> int:
        """The longest example in pieces."""
        return longest_example(self.model, self.task, self.options.pieces)

    def decisions(self) -> dict[str, Any]:
        """The task, the length of its examples, and the explanations."""
        return {"pieces": self.pieces, "task": self.task.name, "by": list(self.names[1:])}


def _explanations(model: Any, options: Options) -> tuple[tuple[str, ...], list[str]]:
    """The names of all explanations, that on trial first, and what to say of those that are left out."""
    on_trial: list[Explainer] = [] if options.of == LEAVE_ONE_OUT else explainers_of([options.of], options.seed)
    for explainer in on_trial:
        if reason := explainer.refusal(model):
            raise ModelError(f"--of {options.of} is not defined for {model.name}: {reason}")
    usual = QUICK if options.quick else [name for name in EXPLAINERS if name not in (RANDOM, *SAME_ORDER)]
    others, notes = chosen(model, options.by, usual, options.seed)
    names = dict.fromkeys([options.of, *(one.name for one in others)])
    return tuple(name for name in names if name == options.of or name not in BESIDE), notes


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every claim judged, every explanation beside it."""
    options, task = question.options, question.task
    setting = setting_of(question.model, options, ANY_UNIT)
    size, characters = options.batch_size, options.shard_characters
    scoring = Scoring("trust", setting, task, question.pieces, size, store, progress, characters)
    answering = Answering(task, options.answers, options.seed)
    words = 0 if options.quick else options.words
    trial = Trial(
        answering, question.names, options.removal, words, options.beam, not options.quick, options.seed
    )
    (dataset,), notes = scoring.run("data", question.corpus, trial)
    numbers = Numbers.of_dataset(dataset, options.of, YARDSTICKS)
    claims = claims_table(_said(numbers, options), REMOVED[options.removal], "what the model answers itself")
    tables = {
        "card": card_table(claims, numbers, options.seed),
        "claims": claims,
        "faithfulness": faithfulness_table(numbers, options.seed),
        "answered": summary_table(
            numbers, (PROBABILITY, WORDS, RIGHT), data=question.corpus.name, task=task.name
        ),
        "examples": examples_table(numbers, scoring.plan(trial), trial, question.corpus),
        **_heads(question, scoring, trial, dataset, numbers),
    }
    return Result("trust", {}, tables, notes=[*question.model.notes, *question.notes, *notes])


def _heads(
    question: Question, scoring: Scoring, trial: Trial, dataset: xr.Dataset, numbers: Numbers
) -> dict[str, pd.DataFrame]:
    """Every head, and the best one, where heads were put to the test."""
    options, model = question.options, question.model
    heads = trial.heads_of(scoring.setting)
    if not heads:
        return {}
    chosen_once = sorted({int(place) for half in chosen_heads(dataset) for place in half})
    names = [str(dataset["head"].values[place]) for place in chosen_once]
    again = None
    if names:
        closer = replace(trial, names=tuple(names), words=0, heads=False)
        (found,), _ = scoring.run("heads", question.corpus, closer)
        again = Numbers.of_dataset(found, names[0], YARDSTICKS)
    return {
        "trust_heads": heads_table(model, heads, dataset, numbers, again, options.seed),
        "best_head": best_head_table(dataset, numbers, options.seed),
    }


def _said(numbers: Numbers, options: Options) -> dict[str, Said]:
    how = numbers, options.margin, options.seed
    shuffles = "random orders, mean of 5"
    best = f"the model's own best order; in texts of over {options.words} words that of leave-one-out"
    return {
        IDENTIFIES: Said(identifies(*how), "fall of the probability, mean over words taken away", shuffles, best),
        RANKS: Said(
            ranks(*how), "Kendall's tau with leave-one-out", shuffles,
            "the best other explanation, chosen on the other half", "no other explanation to compare with",
        ),
        DECIDES: Said(decides(*how), "share of words still there when the answer changes", shuffles, best),
    }  # fmt: skip
