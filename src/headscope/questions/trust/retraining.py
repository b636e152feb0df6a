"""The model trained with its own attention and with even attention (Wiegreffe and Pinter 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch

from headscope.attention import attach
from headscope.attention.edit import Uniform
from headscope.explainers.given_attention import Scope, sites_in
from headscope.measures.statistics import score_interval
from headscope.models import Model, Sides
from headscope.models.load import with_module
from headscope.nets import is_net
from headscope.questions.trust.options import OWN_ATTENTION
from headscope.questions.trust.swapping import EVEN
from headscope.results.folder import RunFolder
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.checkpoints import Memory
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import Evaluation, FineTuning, evaluate
from headscope.tasks.task import Task
from headscope.text import Corpus, Document
from headscope.text.batches import Progress, pad_id

HELD_OUT = 5
"""Each fifth text of the training data chooses the weights."""

DRAWS = 1000

FROM_NOTHING, FROM_WEIGHTS = "nothing", "the model's weights"


class Effort(NamedTuple):
    """Passes over the training data, and the highest rate."""

    epochs: int
    rate: float


USUAL = {FROM_NOTHING: Effort(8, 1e-3), FROM_WEIGHTS: Effort(2, 1e-4)}
"""What is done where nobody says."""


def beginning(model: Model) -> str:
    """What training begins from: our own nets learn in seconds what they know, and so begin from nothing."""
    return FROM_NOTHING if is_net(model.module) else FROM_WEIGHTS


def untrained(model: Model, seed: int) -> Model:
    """One of our nets as before any training, word vectors too, all drawn from the seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        module = type(model.module)(deepcopy(model.module.config))
    return with_module(model, module.to(model.device).eval())


@dataclass(frozen=True)
class Retraining:
    """What is trained on what, and how."""

    model: Model
    task: Task
    scope: Scope
    pieces: int
    course: Course
    rate: float

    def table(
        self, train: Corpus, data: Corpus, store: RunFolder | None, progress: Progress | None
    ) -> pd.DataFrame:
        """A row for each attention: what the model scores on the data after it was trained with it."""
        prepared = list(ExampleBatches(self.model, self.task, data, self.pieces, self.course.batch_size))
        found = {
            name: self._trained(name, train, prepared, store, progress) for name in (OWN_ATTENTION, EVEN)
        }
        return pd.DataFrame([self._row(name, found) for name in found])

    def _trained(
        self,
        name: str,
        train: Corpus,
        prepared: Sequence[Sides],
        store: RunFolder | None,
        progress: Progress | None,
    ) -> Evaluation:
        model = self._begun()
        learned, choosing = self._examples(model, train)
        training = FineTuning(
            model.module, self.task, learned, choosing, self.course, Descent(self.rate),
            pad_id(model.tokenizer) or 0,
        )  # fmt: skip
        heads = [head for site in sites_in(model, self.scope) for head in site]
        even: Any = (
            attach(model.module, model.sites, edits=[Uniform(heads)]) if name == EVEN else nullcontext()
        )
        with even:
            training.run(Memory() if store is None else store.part(f"trust/trained-{name}"), progress)
            return evaluate(model.module, self.task, prepared)

    def _begun(self) -> Model:
        """The model before it is trained, the same whatever its attention."""
        if beginning(self.model) == FROM_NOTHING:
            return untrained(self.model, self.course.seed)
        return with_module(self.model, deepcopy(self.model.module))

    def _examples(self, model: Model, train: Corpus) -> tuple[Examples, list[Sides]]:
        """What is learned from, and what chooses the weights."""
        documents = list(train)
        parts = [
            [document for place, document in enumerate(documents) if (place % HELD_OUT == 0) == is_held_out]
            for is_held_out in (False, True)
        ]
        learned, choosing = (self._batches(model, train, part) for part in parts)
        return Examples.of(learned), list(choosing)

    def _batches(self, model: Model, train: Corpus, part: list[Document]) -> ExampleBatches:
        corpus = train.derived(lambda: part)
        return ExampleBatches(model, self.task, corpus, self.pieces, self.course.batch_size)

    def _row(self, name: str, found: dict[str, Evaluation]) -> dict[str, Any]:
        own, other = found[name], found[OWN_ATTENTION]
        value = self.task.metric.value
        low, high = score_interval(own.statistics, value, self.course.seed)
        less_low, less_high = _difference(own.statistics, other.statistics, value, self.course.seed)
        return {
            "attention": name,
            "begins": beginning(self.model),
            "score": own.score,
            "low": low,
            "high": high,
            "difference": own.score - other.score,
            "difference_low": less_low,
            "difference_high": less_high,
            "loss": own.loss,
            "examples": len(own.statistics),
        }


def _difference(first: np.ndarray, second: np.ndarray, value: Any, seed: int) -> tuple[float, float]:
    """Percentile interval of the difference of two scores of the same examples, which are drawn again."""
    size, random = len(first), np.random.default_rng(seed)
    weights = random.multinomial(size, np.full(size, 1 / size), DRAWS)
    low, high = np.quantile(value(weights @ first) - value(weights @ second), [0.025, 0.975])
    return float(low), float(high)
