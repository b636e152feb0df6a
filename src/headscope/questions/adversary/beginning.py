"""What a training starts from: a fresh net of the same kind, or a copy of the model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import torch

from headscope.attention.site import SiteMap
from headscope.errors import OptionError
from headscope.models import Model
from headscope.models.load import with_module
from headscope.models.task_heads import frozen_embeddings
from headscope.models.twin import random_twin
from headscope.nets import LEARN_VECTORS, is_net
from headscope.nets.tagger import TaggerForTokenClassification
from headscope.probes.vectors import INSTALL, Vectors, digest_vectors, find_vectors, read_vectors, width_of
from headscope.questions.adversary.options import GLOVE, Options
from headscope.tasks.course import Course, Descent

RATE_OF_TAGGERS, RATE_OF_NETS, RATE_OF_OTHERS = 5e-3, 1e-3, 1e-4
"""Those that `train` and `finetune` take by themselves."""
APART = 1000
"""Added to seeds, so that no net starts or is shuffled as the model on trial was."""


def start_vectors(model: Model, asked: str | None) -> tuple[Vectors | None, str | None]:
    """The word vectors that nets are to start from, and their digest; None for those of the model."""
    if asked is None:
        return None, None
    if not is_net(model.module):
        raise OptionError(
            f"--vectors: {model.name} is no net of ours, and adversaries start from a copy of it"
        )
    weight = model.module.get_input_embeddings().weight
    place = find_vectors(None if asked == GLOVE else asked)
    if place is None:
        raise OptionError(f"GloVe vectors are not installed; {INSTALL}, or give a file")
    if len(weight) != len(model.tokenizer):
        raise OptionError(
            f"--vectors: pieces of {model.name} share vectors, which it has not learned; leave it out"
        )
    width_of(place, weight.shape[1])
    words = model.tokenizer.convert_ids_to_tokens(range(2, len(model.tokenizer)))
    return read_vectors(place, set(words)), digest_vectors(place)


@dataclass(frozen=True)
class Beginning:
    """How all models of a run start and learn."""

    model: Model
    options: Options
    vectors: Vectors | None

    @property
    def fresh(self) -> bool:
        return is_net(self.model.module)

    @staticmethod
    def seed(number: int) -> int:
        """The seed of a model with a number."""
        return number + APART

    def make(self, seed: int) -> Model:
        """A model before training; a net's word vectors are those that were asked for, or the model's."""
        if self.fresh:
            fresh = random_twin(self.model, self.seed(seed))
            if self.vectors is not None:
                words = fresh.tokenizer.convert_ids_to_tokens(range(2, len(fresh.tokenizer)))
                drawn = torch.from_numpy(self.vectors.drawn(words, self.seed(seed)))
                with torch.no_grad():
                    fresh.module.get_input_embeddings().weight.copy_(drawn)
            return fresh
        return with_module(self.model, deepcopy(self.model.module))

    def course(self, seed: int) -> Course:
        return Course(self.options.passes, self.options.batch_size, 1, seed=self.seed(seed))

    @property
    def descent(self) -> Descent:
        options = self.options
        if self.fresh:  # no decay: as an L2 penalty, Adam's would draw queries and keys to zero
            tags = isinstance(self.model.module, TaggerForTokenClassification)
            usual = RATE_OF_TAGGERS if tags else RATE_OF_NETS
            return Descent(options.rate or usual, options.optimiser or "adam", decay=0.0)
        return Descent(options.rate or RATE_OF_OTHERS, options.optimiser or "adamw")

    @contextmanager
    def learning(self, model: Model) -> Iterator[None]:
        """Only the weights that may change require a gradient inside."""
        asked = self.options.freeze_vectors
        frozen = not isinstance(model.module, LEARN_VECTORS) if asked is None else asked
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
    assert isinstance(model.sites, SiteMap)  # others were refused
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
