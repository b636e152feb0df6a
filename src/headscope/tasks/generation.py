"""What a model writes itself, always taking the likeliest piece."""

from __future__ import annotations

from inspect import signature

import torch

from headscope.errors import OptionError
from headscope.models import Model


def continued(model: Model, inputs: dict[str, torch.Tensor], count: int) -> torch.Tensor:
    """What the model writes, always taking the likeliest piece: ids (1, piece) with what it continues."""
    read = inputs["input_ids"].shape[1] if model.shape == "decoder" else 0
    if model.longest is not None and read + count > model.longest:
        room = max(0, model.longest - read)
        raise OptionError(
            f"{count} pieces cannot be generated: the model takes {model.longest} in all; room for {room}"
        )
    names = _taken(model) - {"decoder_input_ids"}
    known = {name: value for name, value in inputs.items() if name in names}
    with torch.no_grad(), model.attached(whole=True) as module:
        made: torch.Tensor = module.generate(
            **known, max_new_tokens=count, do_sample=False, num_beams=1,
            pad_token_id=model.tokenizer.pad_token_id or model.tokenizer.eos_token_id,
        )  # fmt: skip
    return made


def _taken(model: Model) -> set[str]:
    """Inputs that the model names; generate refuses others, such as types that only its tokenizer knows."""
    modules = [model.module, *([model.module.get_encoder()] if model.shape == "encoder-decoder" else [])]
    return {name for module in modules for name in signature(module.forward).parameters}
