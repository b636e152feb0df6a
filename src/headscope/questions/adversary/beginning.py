"""What a training starts from: a fresh net of the same kind, or a copy of the model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from headscope.models import Model
from headscope.models.load import with_module
from headscope.models.task_heads import frozen_embeddings
from headscope.models.twin import random_twin
from headscope.nets import NAMED
from headscope.questions.adversary.options import Options
from headscope.tasks.course import Course, Descent

RATE_OF_NETS, RATE_OF_OTHERS = 1e-3, 1e-4
APART = 1000
"""Added to seeds, so that no net starts or is shuffled as the model on trial was."""


def is_net(model: Model) -> bool:
    """Whether it is a small net of ours, which can be trained from nothing."""
    return type(model.module).__name__ in NAMED


@dataclass(frozen=True)
class Beginning:
    """How all models of a run start and learn."""

    model: Model
    options: Options

    @property
    def fresh(self) -> bool:
        return is_net(self.model)

    @staticmethod
    def seed(number: int) -> int:
        """The seed of a model with a number."""
        return number + APART

    def make(self, seed: int) -> Model:
        """A model before training; the word vectors of a fresh net are those of the model on trial."""
        if self.fresh:
            return random_twin(self.model, self.seed(seed))
        return with_module(self.model, deepcopy(self.model.module))

    def course(self, seed: int) -> Course:
        return Course(self.options.passes, self.options.batch_size, 1, seed=self.seed(seed))

    @property
    def descent(self) -> Descent:
        usual = (RATE_OF_NETS, "adam") if self.fresh else (RATE_OF_OTHERS, "adamw")
        return Descent(self.options.rate or usual[0], self.options.optimiser or usual[1])  # type: ignore[arg-type]

    @contextmanager
    def learning(self, model: Model) -> Iterator[None]:
        """Only the weights that may change require a gradient inside."""
        frozen = self.options.freeze_vectors
        with _only_attention(model) if self._attention_alone else _all_weights(model.module, frozen):
            yield

    @property
    def _attention_alone(self) -> bool:
        return self.options.weights == "attention" and not self.fresh


@contextmanager
def _all_weights(module: Any, but_vectors: bool) -> Iterator[None]:
    if not but_vectors:
        yield
        return
    with frozen_embeddings(module):
        yield


@contextmanager
def _only_attention(model: Model) -> Iterator[None]:
    """The weights of modules that attend: their projections."""
    own = {id(weight) for module in model.sites.modules() for weight in module.parameters()}
    others = [
        weight for weight in model.module.parameters() if weight.requires_grad and id(weight) not in own
    ]
    for weight in others:
        weight.requires_grad_(False)
    try:
        yield
    finally:
        for weight in others:
            weight.requires_grad_(True)
