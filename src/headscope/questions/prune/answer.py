"""prune: how many heads a task can spare, in which order, and a model that is really without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from headscope.analyses.ablation import Ablation
from headscope.analyses.analysis import Setting
from headscope.engine.effort import TRAINING, Step, Steps
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.scoring import Scoring, longest_example
from headscope.errors import OptionError
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.prune.curves import (
    Order,
    areas_table,
    counts_of,
    curve_conditions,
    curves_table,
    random_orders,
    side_by_side,
)
from headscope.questions.prune.deciding import Deciding
from headscope.questions.prune.gates import Lessons
from headscope.questions.prune.options import RANDOM, REVERSED, Options
from headscope.questions.prune.removal import removal_of
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.results.run import Run
from headscope.results.run import open as open_run
from headscope.tasks.data import Opened, Source, open_task
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress

MODEL = "model"
"""The folder inside the run folder that the smaller model is saved in."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, its task, data for the curves, training data for the orders, and earlier curves."""

    options: Options
    task: Task
    train: Corpus
    beside: tuple[Run, ...]
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; every file is read once."""
        beside = tuple(open_run(path) for path in options.beside)
        for run in beside:
            run.table("pruning")  # refused at once where it has none
        model, source = load(options.model, **options.loading()), Source.of(options)
        data = open_task(model, options.data, source, options.scored, seed=options.seed)
        source = replace(source, task=data.task.name)  # which the data have decided
        train = open_task(model, options.train, source, options.decided_on, seed=options.seed)
        known = data.task, train.corpus, beside
        question = cls(options, model, data.corpus, (), *known, ())
        heads = len(question.setting().chosen())
        quick = () if options.quick else steps_of(heads, replace(options, quick=True), data, train)
        return replace(question, steps=steps_of(heads, options, data, train), quick=quick)

    def earlier(self) -> dict[str, pd.DataFrame]:
        """The curves of earlier runs, by the names of their folders, where these differ."""
        short = len({run.path.name for run in self.beside}) == len(self.beside)
        return {run.path.name if short else str(run.path): run.table("pruning") for run in self.beside}

    def setting(self) -> Setting:
        setting, stack = setting_of(self.model, self.options, ANY_UNIT), self.options.stack
        setting = setting if stack is None else replace(setting, only=(stack,))
        if not setting.chosen():
            raise OptionError(f"the model has no chosen head in its {stack}")
        return setting

    @property
    def pieces(self) -> int:
        """The longest example in pieces."""
        return longest_example(self.model, self.task, self.options.pieces)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return (self.corpus, self.train)

    def decisions(self) -> dict[str, Any]:
        """The task and the length of its examples, and what else was read."""
        beside = [run.asked("prune")["identity"] for run in self.beside]
        others = {"train": self.train.identity, "beside": beside}
        return {"pieces": self.pieces, "task": self.task.name, **others}


def steps_of(heads: int, options: Options, data: Opened, train: Opened) -> Steps:
    """Orders are decided on training data, then curves are scored; both at most on what is asked for."""
    scored, decided = data.at_most(options.scored), train.at_most(options.decided_on)
    points = len(counts_of(heads, options.steps)) - 1
    orders = 5 if options.lessons else 4
    removed = f"{orders} orders x {points} steps + {options.at_random} random orders"
    drawn = options.lessons * Lessons.batch_size * decided.words // decided.documents
    gates = [Step(f"gates in {options.lessons} batches", drawn, TRAINING)] if options.lessons else []
    return [
        # A head that is removed changes nothing below its layer, which is not run again.
        Step(f"{heads} heads on {decided.documents:,} examples", decided.words, TRAINING + heads / 2),
        Step(f"importance {points - 1} times again", (points - 1) * decided.words, TRAINING),
        *gates,
        Step(
            f"{removed} on {scored.documents:,} examples",
            scored.words,
            points * (orders + options.at_random),
        ),
    ]


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """More and more heads removed in several orders; then a share taken out for real, saved and timed."""
    options, task, setting = question.options, question.task, question.setting()
    size, characters = options.batch_size, options.shard_characters
    scoring = Scoring("prune", setting, task, question.pieces, size, store, progress, characters)
    heads = setting.chosen()
    counts = counts_of(len(heads), options.steps)
    lessons = Lessons(steps=options.lessons, penalty=options.penalty)
    deciding = Deciding(scoring, question.train, options.score, options.normalised, lessons)
    orders, skipped = deciding.orders(counts)
    orders += random_orders(heads, options.at_random, options.seed)
    conditions = list(curve_conditions(orders, counts).values())
    (scores,), more = scoring.run("curves", question.corpus, Ablation(task, conditions))
    name = f"{task.name}: {question.corpus.name}"
    own = curves_table(scores, task.metric, orders, counts, name)
    curves = side_by_side(own, question.earlier())
    tables = {
        "pruning": curves,
        "pruning_areas": areas_table(curves),
        "pruning_orders": _orders(orders, question.model),
    }
    notes = [*question.model.notes, *skipped, *more, *about(question)]
    if options.remove:
        order = next(order for order in orders if order.name == options.order)
        folder = None if store is None else store.path / MODEL
        removal = removal_of(scoring, order, options.remove, question.corpus, folder, options.speed)
        tables |= removal.tables
        notes += removal.notes
    return Result("prune", {}, tables, notes=notes)


def _orders(orders: Sequence[Order], model: Model) -> pd.DataFrame:
    """One row per order and head: at which place it goes."""
    rows = [
        {"order": order.name, "place": place, "head": model.label(head), "stack": head.stack,
         "layer": head.layer, "index": head.index}
        for order in orders if order.name != RANDOM
        for place, head in enumerate(order.heads)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options = question.options
    by = "normalised by layer" if options.normalised else "not normalised"
    same = question.train.checksum == question.corpus.checksum
    return [
        *(["--quick: few random orders and examples; without it, more is decided"] if options.quick else []),
        *(["orders are decided on the data they are judged on: their curves are too high"] if same else []),
        f"orders are decided on {question.train.name} (at most {options.decided_on:,} examples), curves are "
        f"scored on {question.corpus.name}",
        f"importance: {options.score}, {by}; recomputed: again at each step, with the heads of the steps "
        f"before removed; {REVERSED}: the most important first; single-head effect: on the loss",
        "gates: hard-concrete, learned on the frozen model; the one most closed goes first",
        f"area: mean score over the share removed; beats: share of {options.at_random} random orders below "
        "it",
    ]
