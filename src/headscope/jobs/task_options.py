"""What verbs that score a model on a task have in common: options, lengths, and what is recorded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from headscope.jobs.planning import at_least_one, longest_segment
from headscope.jobs.running import Asked
from headscope.jobs.task_data import Source
from headscope.models import Model
from headscope.tasks.task import Task
from headscope.text import Corpus

PIECES = 128


@dataclass(frozen=True, kw_only=True)
class TaskOptions(Source):
    """A task and where its data stand (`Source`), and how its examples are run.

    train_limit: examples of the training data. pieces: longest example; by default PIECES, or what the model
    takes if that is less.
    """

    train_limit: int = 1000
    pieces: int | None = None
    batch_size: int = 32
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        at_least_one(self, "pieces", "batch_size", "limit", "train_limit")

    def longest(self, model: Model, task: Task) -> int:
        """The longest example in pieces."""
        return longest_segment(model, self.pieces, PIECES, task.name == "pairs")

    def asked(self, verb: str, model: Model, task: Task, data: Corpus, **others: Any) -> Asked:
        """What is recorded: the options, with what was decided on, and other corpora by name."""
        decided = asdict(replace(self, pieces=self.longest(model, task), kind=task.name))
        named = {
            name: {"name": one.name, "checksum": one.checksum} if isinstance(one, Corpus) else one
            for name, one in others.items()
        }
        return Asked.of(verb, model, data, {**decided, **named})
