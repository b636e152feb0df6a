"""The model trained with its own attention and with even attention (Wiegreffe and Pinter 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from headscope.attention import attach
from headscope.attention.edit import Uniform
from headscope.explainers.given_attention import Scope, sites_in
from headscope.measures.statistics import score_interval
from headscope.models import Model, Sides
from headscope.models.load import with_module
from headscope.models.task_heads import frozen_embeddings
from headscope.models.twin import random_twin
from headscope.nets import LEARN_VECTORS, is_net
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

FAR = 0.05
"""Points below the model's own score from which training is said to have been too short."""

FROM_NOTHING, FROM_WEIGHTS = "nothing but its word vectors", "the model's weights"


class Effort(NamedTuple):
    """Passes over the training data, the highest rate, and at most so many examples; None for all."""

    epochs: int
    rate: float
    examples: int | None


USUAL = {FROM_NOTHING: Effort(8, 1e-3, None), FROM_WEIGHTS: Effort(2, 1e-4, 1000)}
"""What is done where nobody says."""


def beginning(model: Model) -> str:
    """What training begins from: our own nets learn in seconds what they know, and so begin from nothing."""
    return FROM_NOTHING if is_net(model.module) else FROM_WEIGHTS


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
    ) -> tuple[pd.DataFrame, list[str]]:
        """A row for each attention: what the model scores on the data after it was trained with it; notes."""
        prepared = list(ExampleBatches(self.model, self.task, data, self.pieces, self.course.batch_size))
        found = {
            name: self._trained(name, train, prepared, store, progress) for name in (OWN_ATTENTION, EVEN)
        }
        frame = pd.DataFrame([self._row(name, found) for name in found])
        return frame, self._short_of(evaluate(self.model.module, self.task, prepared), found[OWN_ATTENTION])

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
        vectors: Any = nullcontext() if self._learns_vectors else frozen_embeddings(model.module)
        with even, vectors:
            training.run(Memory() if store is None else store.part(f"trust/trained-{name}"), progress)
            return evaluate(model.module, self.task, prepared)

    def _begun(self) -> Model:
        """The model before it is trained, the same whatever its attention."""
        if beginning(self.model) == FROM_NOTHING:
            return random_twin(self.model, self.course.seed)
        return with_module(self.model, deepcopy(self.model.module))

    @property
    def _learns_vectors(self) -> bool:
        """Whether word vectors are trained, too: of a net, as where it came from."""
        return not is_net(self.model.module) or isinstance(self.model.module, LEARN_VECTORS)

    def _short_of(self, before: Evaluation, own: Evaluation) -> list[str]:
        """What to say where the model, trained again with its own attention, is far from what it was."""
        value = self.task.metric.value
        _, high = _difference(own.statistics, before.statistics, value, self.course.seed)
        if high >= 0 or before.score - own.score < FAR:
            return []
        return [
            f"trained again with its own attention the model scores {own.score:.3f}, and it scored "
            f"{before.score:.3f}: too little was learned to say what attention adds; give more of "
            "--train, or another --epochs or --rate"
        ]

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
