"""prune: how many heads a task can spare, in which order, and a model that is really without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

import pandas as pd

from headscope.analyses.ablation import Ablation
from headscope.analyses.analysis import Setting
from headscope.analyses.gates import Lessons
from headscope.analyses.pruning import (
    GATES,
    IMPORTANCE,
    ORDERS,
    RANDOM,
    REVERSED,
    Order,
    areas_table,
    counts_of,
    curve_conditions,
    curves_table,
    random_orders,
    side_by_side,
)
from headscope.engine.work import Progress
from headscope.errors import OptionError, choose_from
from headscope.heads import STACKS
from headscope.jobs.orders import Deciding
from headscope.jobs.planning import at_least_one, setting_of
from headscope.jobs.removal import Removal, removal_of
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.scoring import Scoring
from headscope.jobs.task_data import open_task
from headscope.jobs.task_options import TaskOptions
from headscope.models import Model, load
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.results.run import Run
from headscope.results.run import open as open_run
from headscope.tasks.task import Task
from headscope.text import Corpus

VERB = "prune"
SCORES = ("example", "token", "confidence")
_CURVES = 0


@dataclass(frozen=True, kw_only=True)
class Options(TaskOptions):
    """What can be chosen, beside what every task has.

    score: which importance orders the heads; normalised: by layer. steps: points of a curve. random: orders
    drawn at random. gate_steps, penalty: how gates are learned; 0 steps leave them out. remove: the share of
    heads to take out for real, 0 for none, in the order `order`. speed: time the smaller model. stack: only
    the heads of one stack.
    """

    score: str = "example"
    normalised: bool = True
    steps: int = 10
    random: int = 50
    gate_steps: int = 300
    penalty: float = 0.1
    remove: float = 0.5
    order: str = IMPORTANCE
    speed: bool = True
    stack: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least_one(self, "steps")
        for name in ("random", "gate_steps"):
            if getattr(self, name) < 0:
                given = getattr(self, name)
                raise OptionError(f"--{name.replace('_', '-')} must be 0 or more, not {given}")
        if not 0 <= self.penalty < inf:
            raise OptionError(f"--penalty must be 0 or more, not {self.penalty}")
        if self.order == GATES and not self.gate_steps:
            raise OptionError("--order gates needs learned gates; let --gate-steps be above 0")
        if not 0 <= self.remove < 1:
            raise OptionError(f"--remove is a share of the heads from 0 to below 1, not {self.remove}")
        choices = {"score": SCORES, "order": ORDERS, "stack": (None, *STACKS)}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                known = [one for one in allowed if one is not None]
                raise OptionError(choose_from(f"--{name}", getattr(self, name), known))


@dataclass(frozen=True)
class Question:
    """A model, its task, data for the curves, training data for the orders, and earlier curves."""

    model: Model
    task: Task
    data: Corpus
    train: Corpus
    beside: tuple[Run, ...]
    options: Options
    words: int

    @classmethod
    def of(
        cls,
        model: Any,
        data: Any,
        train: Any,
        beside: str | Path | Sequence[str | Path],
        options: dict[str, Any],
    ) -> Question:
        """Open and check everything; every file is read once."""
        chosen = Options(**options)
        if train is None:
            raise OptionError("orders are decided on other data than they are judged on: give --train DATA")
        paths = [beside] if isinstance(beside, str | Path) else beside
        earlier = tuple(open_run(path) for path in paths)
        for run in earlier:
            run.table("pruning")  # refused at once where it has none
        loaded = load(model)
        held_out = open_task(loaded, data, chosen, chosen.limit, seed=chosen.seed)
        training = open_task(loaded, train, chosen, chosen.train_limit, seed=chosen.seed)
        drawn = chosen.gate_steps * Lessons.batch_size * training.words // training.documents
        words = held_out.words + training.words * chosen.steps + drawn
        return cls(loaded, held_out.task, held_out.corpus, training.corpus, earlier, chosen, words)

    def earlier(self) -> dict[str, pd.DataFrame]:
        """The curves of earlier runs, by the names of their folders, where these differ."""
        short = len({run.path.name for run in self.beside}) == len(self.beside)
        return {run.path.name if short else str(run.path): run.table("pruning") for run in self.beside}

    def setting(self) -> Setting:
        setting = setting_of(self.model, self.options)
        stack = self.options.stack
        setting = setting if stack is None else replace(setting, only=(stack,))  # type: ignore[arg-type]
        if not setting.chosen():
            raise OptionError(f"the model has no chosen head in its {stack}")
        return setting

    def asked(self) -> Asked:
        """What is recorded."""
        beside = [run.asked(VERB)["identity"] for run in self.beside]
        return self.options.asked(VERB, self.model, self.task, self.data, train=self.train, beside=beside)


def prune(
    model: Any = "default",
    data: Any = None,
    *,
    train: Any = None,
    beside: str | Path | Sequence[str | Path] = (),
    out: str | Path | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Remove more and more heads in several orders; then take a share of them out for real, and time that.

    model: anything `headscope.load` takes, with a head for the task. data: examples on which the curves are
    scored. train: others, on which the orders are decided. beside: folders of earlier runs whose curves
    are to be shown too. options: see `Options`. With `out`, the run folder is written, or continued if it was
    stopped, and the smaller model is saved in it as `model`.
    """
    return answer(Question.of(model, data, train, beside, options), out, progress, plots)


def answer(
    question: Question, out: str | Path | None = None, progress: Progress | None = None, plots: bool = True
) -> Result:
    """The result, computed into a run folder or without one."""
    asked = question.asked()

    def compute(store: Any) -> Result:
        setting, size = question.setting(), question.options.batch_size
        pieces = question.options.longest(question.model, question.task)
        scoring = Scoring(VERB, setting, question.task, pieces, size, store, progress)
        return _compute(question, scoring, asked, None if out is None else Path(out) / "model")

    if out is None:
        return compute(None)
    return into_folder(Path(out), asked, compute, plots)


def run_path(question: Question, root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    return next_run_path(root, VERB, question.model.name, {"identity": question.asked().identity})


def _compute(question: Question, scoring: Scoring, asked: Asked, folder: Path | None) -> Result:
    options, task = question.options, question.task
    heads = scoring.setting.chosen()
    counts = counts_of(len(heads), options.steps)
    lessons = Lessons(steps=options.gate_steps, penalty=options.penalty)
    deciding = Deciding(scoring, question.train, options.score, options.normalised, lessons)
    orders, told = deciding.orders(counts)
    orders += random_orders(heads, options.random, options.seed)
    conditions = list(curve_conditions(orders, counts).values())
    (scores,), more = scoring.run(_CURVES, question.data, Ablation(task, conditions))
    name = f"{task.name}: {question.data.name}"
    own = curves_table(scores, task.metric, orders, counts, name)
    curves = side_by_side(own, question.earlier())
    tables = {"pruning": curves, "pruning_areas": areas_table(curves), "pruning_orders": _orders(orders)}
    notes = [*question.model.notes, *told, *more, *about(question, curves)]
    if options.remove:
        chosen = next(order for order in orders if order.name == options.order)
        removal: Removal = removal_of(scoring, chosen, options.remove, question.data, folder, options.speed)
        tables |= removal.tables
        notes += removal.notes
    return Result(VERB, {}, tables, asked.finished(), notes)


def _orders(orders: Sequence[Order]) -> pd.DataFrame:
    """One row per order and head: at which place it goes."""
    rows = [
        {"order": order.name, "place": place, "head": str(head), "stack": head.stack, "layer": head.layer,
         "index": head.index}
        for order in orders if order.name != RANDOM
        for place, head in enumerate(order.heads)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def about(question: Question, curves: pd.DataFrame) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options = question.options
    by = "normalised by layer" if options.normalised else "not normalised"
    same = question.train.checksum == question.data.checksum
    return [
        *(["orders are decided on the data they are judged on: their curves are too high"] if same else []),
        f"orders are decided on {question.train.name} (at most {options.train_limit:,} examples), curves are "
        f"scored on {question.data.name}",
        f"importance: {options.score}, {by}; recomputed: again at each step, with the heads of the steps "
        f"before removed; {REVERSED}: the most important first; single-head effect: on the loss",
        "gates: hard-concrete, learned on the frozen model; the one most closed goes first",
        f"area: mean score over the share removed; beats: share of {options.random} random orders below it",
    ]
