"""ablate: which heads matter for a task, tested over its examples, beside their importance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headscope.engine.stores import ShardStore
from headscope.engine.work import Progress
from headscope.errors import OptionError, choose_from
from headscope.jobs.planning import setting_of
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.scoring import Scoring
from headscope.jobs.task_data import open_task
from headscope.jobs.task_options import TaskOptions
from headscope.jobs.verdicts import Verdicts
from headscope.models import Model, load
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.tasks.task import Task
from headscope.text import Corpus

VERB = "ablate"
REPLACEMENTS = ("zero", "mean")


@dataclass(frozen=True, kw_only=True)
class Options(TaskOptions):
    """What can be chosen, beside what every task has.

    by: what a removed head hands on, "zero" or its "mean". margin: the loss of the metric below which a head
    is called harmless. gradients: measure importance too.
    """

    by: str = "zero"
    margin: float = 0.01
    gradients: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by not in REPLACEMENTS:
            raise OptionError(choose_from("--by", self.by, REPLACEMENTS))
        if not 0 < self.margin < 1:
            raise OptionError(f"--margin must lie between 0 and 1, not {self.margin}: 0.01 is one point")


@dataclass(frozen=True)
class Question:
    """A model, its task, and the data: to report on, to choose on, and of another kind."""

    model: Model
    task: Task
    data: Corpus
    train: Corpus | None
    other: Corpus | None
    options: Options
    words: int

    @classmethod
    def of(cls, model: Any, data: Any, train: Any, other: Any, options: dict[str, Any]) -> Question:
        """Open and check everything; every file is read once."""
        chosen = Options(**options)
        loaded = load(model)
        opening = partial(open_task, loaded, source=chosen, seed=chosen.seed)
        opened = opening(data, limit=chosen.limit)
        training = None if train is None else opening(train, limit=chosen.train_limit)
        second = None if other is None else opening(other, limit=chosen.limit)
        kept = opened.words if training is not None else 0
        words = kept + sum(one.words for one in (opened, training, second) if one is not None)
        return cls(
            loaded,
            opened.task,
            opened.corpus,
            None if training is None else training.corpus,
            None if second is None else second.corpus,
            chosen,
            words,
        )

    def asked(self) -> Asked:
        """What is recorded."""
        return self.options.asked(VERB, self.model, self.task, self.data, train=self.train, other=self.other)


def ablate(
    model: Any = "default",
    data: Any = None,
    *,
    train: Any = None,
    other: Any = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Remove each head alone, all but one of each layer, and whole layers; say what that does to a task.

    model: anything `headscope.load` takes, with a head for the task. data: labelled examples (or text, for
    a language model) to report on. train: others, on which the head that stays alone in its layer, means and
    importance are decided. other: a second data set of the same task, to see whether effects agree.
    options: see `Options`. With `out`, the run folder is written, or continued if it was stopped.
    """
    return answer(Question.of(model, data, train, other, options), out, progress, plots)


def answer(
    question: Question, out: str | Path | None = None, progress: Progress | None = None, plots: bool = True
) -> Result:
    """The result, computed into a run folder or without one."""
    asked = question.asked()

    def compute(store: ShardStore | None) -> Result:
        options = question.options
        setting = setting_of(question.model, options)
        pieces = options.longest(question.model, question.task)
        scoring = Scoring(VERB, setting, question.task, pieces, options.batch_size, store, progress)
        return Verdicts(question, scoring).result(asked)

    if out is None:
        return compute(None)
    return into_folder(Path(out), asked, compute, plots)


def run_path(question: Question, root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    return next_run_path(root, VERB, question.model.name, {"identity": question.asked().identity})
