"""ablate: which heads matter for a task, tested over its examples, beside their importance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from headscope.engine.effort import Step
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.scoring import Scoring, longest_example
from headscope.models import load
from headscope.questions.ablate.options import Options
from headscope.questions.ablate.verdicts import Verdicts
from headscope.questions.asking import AboutCorpus
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.data import Opened, Source, open_task
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, its task, and the data: to report on, to choose on, and of another kind."""

    options: Options
    task: Task
    train: Corpus | None
    other: Corpus | None

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; every file is read once."""
        model = load(options.model, **options.loading())
        source = Source.of(options)
        data = open_task(model, options.data, source, options.limit, seed=options.seed)
        # Other data of the same task, which the first has decided.
        opening = partial(open_task, model, source=replace(source, task=data.task.name), seed=options.seed)
        train = None if options.train is None else opening(options.train, limit=options.train_limit)
        other = None if options.other is None else opening(options.other, limit=options.limit)
        heads = len(setting_of(model, options, ANY_UNIT).chosen())
        steps = [Step("mean outputs", (train or data).words)] if options.by == "mean" else []
        # A head that is removed changes nothing below its layer, which is not run again.
        steps.append(_removing(heads, data, heads / 2))
        if train is not None:
            steps += [_removing(heads, train, heads / 2), Step("layers of one head", data.words)]
        if other is not None:
            steps.append(_removing(heads, other, heads / 2))
        others = train and train.corpus, other and other.corpus
        return cls(options, model, data.corpus, steps, data.task, *others)

    @property
    def pieces(self) -> int:
        """The longest example in pieces."""
        return longest_example(self.model, self.task, self.options.pieces)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return [corpus for corpus in (self.corpus, self.train, self.other) if corpus is not None]

    def decisions(self) -> dict[str, Any]:
        """The task and the length of its examples, and the other data."""
        others = {"train": self.train and self.train.identity, "other": self.other and self.other.identity}
        return {"pieces": self.pieces, "task": self.task.name, **others}


def _removing(heads: int, opened: Opened, passes: float) -> Step:
    return Step(f"{heads} heads removed on {opened.documents:,} examples", opened.words, passes)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Each head removed alone, all but one of each layer, and whole layers: what that does to a task."""
    setting, options = setting_of(question.model, question.options, ANY_UNIT), question.options
    size, characters = options.batch_size, options.shard_characters
    scoring = Scoring("ablate", setting, question.task, question.pieces, size, store, progress, characters)
    return Verdicts(question, scoring).result()
