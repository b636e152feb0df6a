"""finetune: a task head put on a model and trained with it, the best weights chosen on other examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from headscope.engine.effort import TRAINING, Step, Steps
from headscope.engine.planning import longest_segment
from headscope.models import Model, load
from headscope.models.task_heads import Answers, Headed, save_model, with_head
from headscope.questions.asking import identity_of
from headscope.questions.finetune.labelled import Contents, open_files
from headscope.questions.finetune.options import Options
from headscope.questions.finetune.tuning import tune
from headscope.results.files import replace_folder
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.checkpoints import Memory
from headscope.tasks.choice import task_for
from headscope.tasks.course import Course
from headscope.tasks.purposes import remember_training
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress

PIECES = 128
MODEL = "model"
"""The folder inside the run folder that the model is saved in."""


class Finetuned(NamedTuple):
    """What fine-tuning gives in Python: the result, and the model with its best weights."""

    result: Result
    model: Model


@dataclass(frozen=True)
class Question:
    """A model with its new head, the data, and how to train.

    data: train, dev and perhaps test. contents: of each file that was given.
    """

    options: Options
    headed: Headed
    task: Task
    data: dict[str, Corpus]
    contents: dict[str, Contents]
    pieces: int

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; each file is read once."""
        kind, data, contents = open_files(options)
        labels = list(contents["train"].labels)
        answers: Answers = "pieces" if kind == "tagging" else "texts"
        headed = with_head(options.model, answers, labels, seed=options.seed, **options.loading())
        remember_training(headed.model, kind)
        pieces = longest_segment(headed.model, options.pieces, PIECES, pair=kind == "pairs")
        return cls(options, headed, task_for(headed.model, kind), data, contents, pieces)

    @property
    def name(self) -> str:
        return self.headed.model.name

    @property
    def corpora(self) -> Sequence[Corpus]:
        return list(self.data.values())

    @property
    def course(self) -> Course:
        options = self.options
        return Course(options.epochs, options.batch_size, options.evaluations, options.patience, options.seed)

    @property
    def steps(self) -> Steps:
        """If training does not stop early."""
        words = {name: contents.words for name, contents in self.contents.items()}
        if "dev" not in words:
            words["dev"] = round(self.options.held_out * words["train"])
            words["train"] -= words["dev"]
        epochs = self.options.epochs
        looks = epochs * self.options.evaluations + 1
        return [
            Step(
                f"{epochs} epoch{'s' * (epochs > 1)} over {words['train']:,} words",
                epochs * words["train"],
                TRAINING,
            ),
            Step(
                f"up to {looks} evaluations on {words['dev']:,} others",
                looks * words["dev"] + words.get("test", 0),
            ),
        ]

    @cached_property
    def identity(self) -> dict[str, Any]:
        """With what was decided for the user, and the other data."""
        others = {name: corpus.identity for name, corpus in self.data.items() if name in self.contents}
        others.pop("train")
        decided = self.options.decided(pieces=self.pieces, task=self.task.name, **others)
        return identity_of(self.headed.model, self.data["train"], decided)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """A model trained for a task: texts or pairs of texts with a label each, or words with a tag each."""
    tables, notes = tune(question, Memory() if store is None else store.part("finetune"), progress)
    if store is not None:
        replace_folder(store.path / MODEL, partial(save_model, question.headed.model))
    return Result("finetune", {}, tables, notes=notes)


def hand_over(question: Question, result: Result, path: Path | None) -> Finetuned:
    """The result with the model; one that a finished run holds is read from there."""
    model = question.headed.model
    return Finetuned(result, model if path is None else load(path / MODEL, device=str(model.device)))
