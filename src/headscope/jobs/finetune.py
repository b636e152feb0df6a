"""finetune: a task head put on a model and trained with it, the best weights chosen on other examples."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headscope.engine.work import Progress
from headscope.errors import InputError, OptionError
from headscope.jobs.labelled import Contents, hold_out, kind_of, open_labelled
from headscope.jobs.planning import at_least_one, check_seed, longest_segment
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.task_data import Source
from headscope.jobs.tuning import tune
from headscope.models import Model, load
from headscope.models.task_heads import Headed, save_model, with_head
from headscope.results.files import replace_folder
from headscope.results.folder import RunFolder
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.tasks.checkpoints import Arrays, Memory
from headscope.tasks.choice import task_for
from headscope.tasks.task import Task
from headscope.tasks.training import Course
from headscope.text import Corpus

VERB = "finetune"
PIECES = 128
MODEL = "model"
"""The folder inside the run folder that the model is saved in."""


@dataclass(frozen=True)
class Options:
    """What can be chosen.

    kind: classification, pairs or tagging; by default told by the data. held_out: share of the texts that
    choose the weights where there is no dev data. rate: the highest one. evaluations: on dev data, in each
    epoch. patience: stop after so many without a better one; by default never. pieces: longest text; by
    default PIECES, or what the model takes if that is less. freeze_embeddings: leave the word embeddings
    as they are. limit: documents of each file. column, label, second: names of columns.
    """

    kind: str | None = None
    held_out: float = 0.1
    epochs: int = 3
    rate: float = 1e-4
    batch_size: int = 32
    pieces: int | None = None
    freeze_embeddings: bool = True
    evaluations: int = 4
    patience: int | None = None
    limit: int | None = None
    seed: int = 0
    column: str | None = None
    label: str | None = None
    second: str | None = None

    def __post_init__(self) -> None:
        at_least_one(self, "epochs", "batch_size", "pieces", "evaluations", "patience", "limit")
        check_seed(self.seed)
        if not 0 < self.held_out < 1:
            raise OptionError(f"--held-out must lie between 0 and 1, not {self.held_out}")
        if not 0 < self.rate < np.inf:
            raise OptionError(f"--rate must be above 0, not {self.rate}")

    @property
    def course(self) -> Course:
        return Course(self.epochs, self.rate, self.batch_size, self.evaluations, self.patience, self.seed)


class Finetuned(NamedTuple):
    """What fine-tuning gives: the result, and the model with its best weights."""

    result: Result
    model: Model


@dataclass(frozen=True)
class Question:
    """A model with its new head, the data in its parts, and how to train.

    parts: train, dev and perhaps test. contents: of each file that was given.
    """

    headed: Headed
    task: Task
    parts: dict[str, Corpus]
    contents: dict[str, Contents]
    options: Options
    pieces: int

    @classmethod
    def of(
        cls, model: Any, data: Any, dev: Any, test: Any, options: dict[str, Any], **loading: Any
    ) -> Question:
        """Open and check everything; each file is read once."""
        chosen = Options(**options)
        source = Source(chosen.kind, None, chosen.column, chosen.label, chosen.second)
        kind = kind_of(data, source)
        given = {"train": data, "dev": dev, "test": test}
        parts = {
            name: open_labelled(one, kind, source, chosen.limit)
            for name, one in given.items()
            if one is not None or name == "train"
        }
        contents = {name: Contents.of(corpus, kind == "tagging") for name, corpus in parts.items()}
        for other in contents.values():
            contents["train"].check_known(other)
        labels = list(contents["train"].labels)
        if len(labels) < 2:
            raise InputError(f"{parts['train'].source}: {labels[0]} is the only label; two are needed")
        headed = with_head(
            model, "pieces" if kind == "tagging" else "texts", labels, seed=chosen.seed, **loading
        )
        if dev is None:
            train, held = hold_out(parts["train"], contents["train"], chosen.held_out)
            parts = {**parts, "train": train, "dev": held}
        parts = {name: parts[name] for name in given if name in parts}
        pieces = longest_segment(headed.model, chosen.pieces, PIECES, pair=kind == "pairs")
        return cls(headed, task_for(headed.model, kind), parts, contents, replace(chosen, kind=kind), pieces)

    @property
    def total(self) -> int:
        """Words to go through, if training does not stop early."""
        words = {name: contents.words for name, contents in self.contents.items()}
        if "dev" not in words:
            words["dev"] = round(self.options.held_out * words["train"])
            words["train"] -= words["dev"]
        epochs = self.options.epochs
        looks = epochs * self.options.evaluations + 1
        return epochs * words["train"] + looks * words["dev"] + words.get("test", 0)

    @property
    def asked(self) -> Asked:
        """What is recorded: the options, with what was decided for the user."""
        others = {
            name: {"name": corpus.name, "checksum": corpus.checksum}
            for name, corpus in self.parts.items()
            if name != "train" and name in self.contents
        }
        options = asdict(replace(self.options, pieces=self.pieces))
        return Asked.of(VERB, self.headed.model, self.parts["train"], {**options, **others})


def finetune(
    model: Any = "default",
    data: Any = None,
    *,
    dev: Any = None,
    test: Any = None,
    out: str | Path | None = None,
    device: str = "cpu",
    revision: str | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Finetuned:
    """Train a model for a task: texts or pairs of texts with a label each, or words with a tag each.

    model: anything `headscope.load` takes; it is not changed. data: labelled data to train on (see
    `headscope.text.read_labelled`). dev: other data, on which the best weights are chosen; without it, a
    tenth of the texts is held out. test: data that is scored once, at the end. options: see `Options`. With
    `out`, the run folder is written, the model in its folder `model`, or a stopped run is continued.
    """
    question = Question.of(model, data, dev, test, options, device=device, revision=revision)
    return answer(question, out, progress, plots)


def answer(
    question: Question, out: str | Path | None = None, progress: Progress | None = None, plots: bool = True
) -> Finetuned:
    """The result and the model, computed into a run folder or without one."""
    asked, model = question.asked, question.headed.model
    if out is None:
        tables, notes = tune(question, Memory(), progress)
        return Finetuned(Result(VERB, {}, tables, asked.finished(), notes), model)
    place = Path(out) / MODEL
    trained = False

    def compute(folder: RunFolder) -> Result:
        nonlocal trained
        tables, notes = tune(question, _Shards(folder), progress)
        replace_folder(place, partial(save_model, model))
        trained = True
        return Result(VERB, {}, tables, asked.finished(), notes)

    result = into_folder(Path(out), asked, compute, plots)
    return Finetuned(result, model if trained else load(place, device=str(model.device)))


def finetune_path(question: Question, root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    return next_run_path(root, VERB, question.headed.model.name, {"identity": question.asked.identity})


@dataclass(frozen=True)
class _Shards:
    """Keeps the state of training among the shards of a run folder, which go when it has finished."""

    folder: RunFolder

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None:
        return self.folder.read_shard(VERB, number)

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
        self.folder.write_shard(VERB, number, arrays, meta)
