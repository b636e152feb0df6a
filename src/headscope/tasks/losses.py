"""A model's own loss on plain text: masked, causal or sequence-to-sequence language modelling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from headscope.models import Model, Sides
from headscope.tasks.predictions import Masking, Predict, causal, example_losses, masked, sequence_to_sequence
from headscope.tasks.purposes import has_random_weights, purpose_of


@dataclass(frozen=True)
class Loss:
    """A loss with a name; `prepare` may change the inputs before they are run, as masking does."""

    name: str
    predict: Predict
    prepare: Callable[[Sides], Sides] = lambda sides: sides

    def per_example(self, module: Any, sides: Sides) -> torch.Tensor:
        """Losses (batch,) of the module with its task head."""
        return example_losses(*self.predict(module, sides))


def own_loss(model: Model, masking: float = 0.15, seed: int = 0) -> Loss | None:
    """The loss that the model was trained with, as far as its class tells; None if it has none."""
    purpose = None if has_random_weights(model) else purpose_of(model)
    if purpose == "translation":
        return Loss("sequence-to-sequence", sequence_to_sequence)
    if purpose == "causal":
        return Loss("causal", causal)
    if purpose == "masked":
        return Loss("masked", masked, Masking(model, masking, seed))
    if purpose == "classification" and model.shape == "encoder":
        return Loss("own prediction", _own_prediction)
    return None


def why_no_loss(model: Model) -> str:
    """One sentence for a reader."""
    if has_random_weights(model):
        return "the checkpoint does not hold all weights of its task head, so its loss would mean nothing"
    return f"{type(model.module).__name__} has no language-model or classification head, so no loss"


def _own_prediction(module: Any, sides: Sides) -> tuple[torch.Tensor, torch.Tensor]:
    """Without labels a classifier is held to its own answer."""
    logits = module(**sides.inputs).logits
    return logits, logits.argmax(-1)
