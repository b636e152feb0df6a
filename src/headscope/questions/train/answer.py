"""train: a small net trained from nothing, once for each seed, the best weights chosen on other examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from headscope.engine.effort import TRAINING, Step, Steps
from headscope.models import Model
from headscope.questions.finetune.offers import Contents, open_files
from headscope.questions.train.building import Blueprint
from headscope.questions.train.keeping import MODEL, folder_of
from headscope.questions.train.learning import learn
from headscope.questions.train.options import USUAL, Options
from headscope.questions.train.translating import Bilingual
from headscope.results.folder import RunFolder
from headscope.results.provenance import version
from headscope.results.result import Result
from headscope.text import Corpus
from headscope.text.batches import Progress

__all__ = ["MODEL", "Question", "Trained", "answer", "hand_over"]


class Trained(NamedTuple):
    """What training gives in Python: the result, and each seed's model with its best weights."""

    result: Result
    models: dict[int, Model]


@dataclass(frozen=True)
class Question:
    """What a net is made from, the data, and how to train.

    data: train, dev and perhaps test. contents: of each file that was given. models: filled by the answer.
    """

    options: Options
    blueprint: Blueprint | Bilingual
    data: dict[str, Corpus]
    contents: dict[str, Contents]
    models: dict[int, Model]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; each file is read once."""
        kind, data, contents = open_files(options, options.spelled_data, options.kind)
        blueprint: Blueprint | Bilingual
        if kind == Bilingual.kind:
            blueprint = Bilingual.of(options, data["train"])
        else:
            blueprint = Blueprint.of(options, kind, list(contents["train"].labels), data["train"])
        return cls(options, blueprint, data, contents, {})

    @property
    def name(self) -> str:
        return self.blueprint.name

    @property
    def corpora(self) -> Sequence[Corpus]:
        return list(self.data.values())

    @property
    def seeds(self) -> range:
        return range(self.options.seed, self.options.seed + self.options.seeds)

    @property
    def steps(self) -> Steps:
        """If no training stops early."""
        words = {name: contents.words for name, contents in self.contents.items()}
        if "dev" not in words:
            words["dev"] = round(self.options.held_out * words["train"])
            words["train"] -= words["dev"]
        epochs: int = self.options.chosen("epochs")
        seeds, judged = self.options.seeds, (epochs + 1) * words["dev"] + words.get("test", 0)
        told = f"{seeds} nets x {epochs} epochs over {words['train']:,} words"
        learned = Step(told, seeds * epochs * words["train"], TRAINING)
        return [learned, Step(f"{epochs + 1} evaluations on {words['dev']:,} others", seeds * judged)]

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What is trained, on what, and how, with what was decided for the user."""
        train, vectors = self.data["train"], self.blueprint.digest
        others = {name: corpus.identity for name, corpus in self.data.items() if name in self.contents}
        others.pop("train")
        decided = {name: self.options.chosen(name) for name in (*USUAL, "hidden")}
        decided |= {"task": self.blueprint.kind, "vectors": vectors, "width": self.blueprint.width, **others}
        if isinstance(self.blueprint, Blueprint):
            decided["sentences"] = self.blueprint.splitting
        return {
            "model": {"name": self.name},
            "data": {"name": train.name, "source": train.source, "checksum": train.checksum},
            "options": self.options.decided(**decided),
            "headscope": version(),
        }


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """A net trained for a task, from nothing: texts, pairs, words with tags, or the next word."""
    tables, notes = learn(question, store, progress)
    return Result("train", {}, tables, notes=notes)


def hand_over(question: Question, result: Result, path: Path | None) -> Trained:
    """The result with the models; those that a finished run holds are read from there."""
    if path is None:
        return Trained(result, question.models)
    device, read = question.options.device, question.blueprint.read
    return Trained(result, {seed: read(folder_of(path, seed), device) for seed in question.seeds})
