"""Hidden states: what a model holds of each piece before its first layer, and after each one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from headscope.errors import ModelError
from headscope.models.load import counting_inputs
from headscope.models.model import Model


def hidden_states(model: Model, inputs: Mapping[str, torch.Tensor]) -> Sequence[torch.Tensor]:
    """One forward pass: (batch, piece, dim) of each layer, the first those of the embeddings.

    They are of the stack that reads the text itself: of an encoder-decoder the encoder, and its decoder does
    not run. The model's own fast kernel is at work; nobody listens. Where a family ends with a norm, the last
    states are those behind it, as its own `output_hidden_states` has them.
    """
    with torch.no_grad(), model.unheard() as module:
        called: Any = module
        if model.shape == "encoder-decoder":
            called = model.module.get_encoder()
            inputs = {name: inputs[name] for name in ("input_ids", "attention_mask") if name in inputs}
        outputs = called(**inputs, output_hidden_states=True)
    states = getattr(outputs, "hidden_states", None)
    if not states:
        raise ModelError(f"{model.name} does not hand out its hidden states, layer by layer")
    return tuple(states)


def measure_states(model: Model) -> tuple[int, int]:
    """How many states a piece has, that of the embeddings among them, and how many numbers each."""
    inputs = counting_inputs(model.backbone, model.tokenizer)
    states = hidden_states(model, inputs)
    pieces = inputs["input_ids"].shape
    shapes = {tuple(state.shape) for state in states}
    if len(shapes) > 1 or states[0].shape[:2] != pieces:
        raise ModelError(
            f"{model.name} does not hold one vector of one size for each piece in all layers; its hidden "
            "states cannot be set beside each other"
        )
    return len(states), states[0].shape[2]
