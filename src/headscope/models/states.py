"""Hidden states: what a model holds of each piece before its first layer, and after each one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.nn.functional import pad

from headscope.attention import Listener
from headscope.errors import ModelError
from headscope.models.load import counting_inputs
from headscope.models.model import Model


def hidden_states(
    model: Model, inputs: Mapping[str, torch.Tensor], listeners: Sequence[Listener] = ()
) -> Sequence[torch.Tensor]:
    """One forward pass: (batch, piece, dim) of each layer, the first those of the embeddings.

    They are of the stack that reads the text itself: of an encoder-decoder the encoder, and its decoder does
    not run. The model's own fast kernel is at work, unless somebody listens. Where a family ends with a
    norm, the last states are those behind it, as its own `output_hidden_states` has them. Of a net that
    hands out its last states alone there are these and the word vectors, the shorter ones filled up with
    zeros.
    """
    heard = model.attached(listeners) if listeners else model.unheard()
    with torch.no_grad(), heard as module:
        called: Any = module
        if model.shape == "encoder-decoder":
            called = model.module.get_encoder()
            inputs = {name: inputs[name] for name in ("input_ids", "attention_mask") if name in inputs}
        outputs = called(**inputs, output_hidden_states=True)
        states = getattr(outputs, "hidden_states", None) or _first_and_last(called, inputs, outputs)
    if not states:
        raise ModelError(f"{model.name} does not hand out its hidden states")
    return tuple(states)


def _first_and_last(called: Any, inputs: Mapping[str, torch.Tensor], outputs: Any) -> Sequence[torch.Tensor]:
    last = getattr(outputs, "last_hidden_state", None)
    if last is None:
        return ()
    both = (called.get_input_embeddings()(inputs["input_ids"]), last)
    width = max(states.shape[-1] for states in both)
    return [pad(states, (0, width - states.shape[-1])) for states in both]


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
