"""trust: whether attention, or another explanation, may be shown for what a model answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headscope.engine.effort import Step, Steps
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.scoring import Scoring, longest_example
from headscope.errors import ModelError, OptionError
from headscope.explainers import EXPLAINERS, explainers_of
from headscope.explainers.choosing import chosen
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.given_attention import sites_in
from headscope.explainers.removal import why_not
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.naming import distinct_names
from headscope.questions.trust.case import Case, scope_of
from headscope.questions.trust.numbers import BESIDE, LEAVE_ONE_OUT, RANDOM
from headscope.questions.trust.options import QUICK, Options
from headscope.questions.trust.others import marked_words, other_models, texts_beside
from headscope.questions.trust.retraining import USUAL, beginning
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.data import Opened, Source, open_task
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress

TEXTS_OF_QUICK = 60
LEARNED = ("classification", "pairs", "tagging")
"""Tasks that a model is trained on with even attention."""

COLUMNS = ("edited", "reworded", "marked")
"""Options that name a column beside the text."""

SAME_ORDER = ("erasure",)
"""Explanations that order words as another one does."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, its task, texts, and the explanations, that on trial first."""

    options: Options
    task: Task
    names: tuple[str, ...]
    notes: list[str]
    against: dict[str, Model]
    edited: Corpus | None
    reworded: Corpus | None
    marked: dict[str, list[str]] | None
    train: Corpus | None
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        scope, model = scope_of(options.scope), load(options.model, **options.loading())
        limit = min(options.limit or TEXTS_OF_QUICK, TEXTS_OF_QUICK) if options.quick else options.limit
        data = open_task(model, options.data, Source.of(options), limit, seed=options.seed)
        if reason := why_not(model, options.removal):
            raise ModelError(f"--removal {options.removal}: no word can be taken away: {reason}")
        sites_in(model, scope)  # refused where there is no such layer
        names, notes = _explanations(model, options)
        _check_columns(options, data.task.name)
        others = other_models(model, options.against, options.loading())
        edited, reworded = (
            column and texts_beside(options.data, column, data.corpus, options.split)
            for column in (options.edited, options.reworded)
        )
        marked = options.marked and marked_words(options.data, options.marked, data.corpus, options.split)
        train = _training_data(model, data.task.name, options)
        told = f"{data.documents:,} texts by {len(names)} explanations"
        steps = [Step(told, round(data.words * _passes(options)))]
        known = data.corpus, steps, data.task, names, notes
        beside = _named(others, options.against), edited or None, reworded or None, marked or None
        return cls(options, model, *known, *beside, train, _quick(data, options))

    @property
    def pieces(self) -> int:
        """The longest example in pieces."""
        return longest_example(self.model, self.task, self.options.pieces)

    def decisions(self) -> dict[str, Any]:
        """The task, the length of its examples, and the explanations."""
        others = {name: other.fingerprints._asdict() for name, other in self.against.items()}
        decided = {"pieces": self.pieces, "task": self.task.name, "by": list(self.names[1:])}
        return {**decided, "against": others, "train": self.train and self.train.identity}

    @property
    def corpora(self) -> Sequence[Corpus]:
        return [corpus for corpus in (self.corpus, self.train) if corpus is not None]


def _training_data(model: Model, task: str, options: Options) -> Corpus | None:
    if options.train is None:
        return None
    if task not in LEARNED:
        raise OptionError(f"--train: classifiers and taggers are trained here, and this task is {task}")
    if reason := why_weights_stay(model):
        raise ModelError(f"--train: attention of {model.name} cannot be made even: {reason}")
    source = replace(Source.of(options), task=task)
    limit = options.train_limit or USUAL[beginning(model)].examples
    return open_task(model, options.train, source, limit, seed=options.seed).corpus


def _passes(options: Options) -> float:
    """How often the texts are gone through, about."""
    passes = (
        2.0 if options.quick else 3 + min(1.0, options.adversaries / (options.limit or options.adversaries))
    )
    beside = len(options.against) + 1 if options.against else 0
    columns = sum(column is not None for column in (options.edited, options.reworded))
    return passes + beside + bool(options.against or options.marked or columns) + columns


def _quick(data: Opened, options: Options) -> Steps:
    """What would be done with --quick."""
    if options.quick:
        return ()
    words = data.at_most(TEXTS_OF_QUICK).words
    return [Step("a few explanations", round(words * _passes(replace(options, quick=True))))]


def _check_columns(options: Options, task: str) -> None:
    for name in COLUMNS:
        if getattr(options, name) is not None and task != "classification":
            raise OptionError(
                f"--{name} names a column beside the text of a classifier, and this task is {task}"
            )
    if options.of == LEAVE_ONE_OUT and any(getattr(options, name) for name in COLUMNS):
        raise OptionError(
            f"--edited, --reworded and --marked are asked of an explanation, not of {LEAVE_ONE_OUT}"
        )


def _named(others: Sequence[Model], given: Sequence[Any]) -> dict[str, Model]:
    """Other models by names that tell them apart."""
    places = [
        Path(each) if isinstance(each, str | Path) else Path(other.name)
        for each, other in zip(given, others, strict=True)
    ]
    names = distinct_names(places)
    if len({*names}) < len(names):
        raise OptionError(f"--against names {names[0]} twice; give each model once")
    return dict(zip(names, others, strict=True))


def _explanations(model: Model, options: Options) -> tuple[tuple[str, ...], list[str]]:
    """The names of all explanations, that on trial first, and what to say of those that are left out."""
    if options.of == RANDOM:
        raise OptionError("--of random: chance is what the explanation on trial is held against")
    for explainer in explainers_of([] if options.of == LEAVE_ONE_OUT else [options.of], options.seed):
        if reason := explainer.refusal(model):
            raise ModelError(f"--of {options.of} is not defined for {model.name}: {reason}")
    usual = QUICK if options.quick else [name for name in EXPLAINERS if name not in (RANDOM, *SAME_ORDER)]
    wished = [name.strip() for part in options.by for name in part.split(",")]
    # It is always there, so who asks for it alone asks for nothing more.
    by = [name for name in wished if name != LEAVE_ONE_OUT]
    others, notes = chosen(model, by, [] if wished else usual, options.seed)
    names = dict.fromkeys([options.of, *(one.name for one in others)])
    return tuple(name for name in names if name == options.of or name not in BESIDE), notes


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every claim judged, every explanation beside it."""
    options = question.options
    setting = setting_of(question.model, options, ANY_UNIT)
    size, characters = options.batch_size, options.shard_characters
    scoring = Scoring("trust", setting, question.task, question.pieces, size, store, progress, characters)
    return Case(question, scoring, store).result()
