"""What a model is, told without its weights: for a GGUF file these would have to be unpacked first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers
from torch import nn

from headscope.models.load import check_loading, load, on_core
from headscope.models.model import Model
from headscope.models.places import explained, load_tokenizer, locate, quiet
from headscope.models.unpacked import without_weights

_SPREAD = 0.02
"""Standard deviation of weights that are made up: about what models start with."""


def outline(
    model: Any,
    *,
    adapter: str | Path | None = None,
    device: str = "cpu",
    dtype: str = "float32",
    revision: str | None = None,
) -> Model:
    """A model to ask what it is, never what it computes: of a GGUF file, no weights are unpacked.

    Its parts and shapes are those of the model, its weights are made up. Any other model is loaded.
    """
    path = Path(model).expanduser() if isinstance(model, str | Path) else None
    if path is None or path.suffix != ".gguf" or not path.is_file() or adapter is not None:
        return load(model, adapter=adapter, device=device, dtype=dtype, revision=revision)
    check_loading(device, dtype)
    with quiet(), explained(str(model)):
        place = locate(str(model), None)
        readable = without_weights(place)
        config = transformers.AutoConfig.from_pretrained(readable.origin, **readable.options)
        module = _made_up(config)
        tokenizer = load_tokenizer(readable.origin, readable.options)
    return on_core(module.eval(), tokenizer, place.name, str(place.file), None, [])


def _made_up(config: Any) -> Any:
    """A language model with random weights that overlap in memory: a large one takes no more room."""
    from accelerate import init_empty_weights

    with init_empty_weights(include_buffers=False):
        module = transformers.AutoModelForCausalLM.from_config(config)
    drawn = torch.Generator().manual_seed(0)
    for part in module.modules():
        for name, weight in list(part.named_parameters(recurse=False)):
            setattr(part, name, nn.Parameter(_overlapping(weight.shape, drawn), requires_grad=False))
    module.tie_weights()
    return module


def _overlapping(shape: torch.Size, drawn: torch.Generator) -> torch.Tensor:
    """Random numbers of a shape, each row those of the last one moved by a place; a vector is all 1, as norms
    start."""
    if len(shape) < 2:
        return torch.ones(shape)
    numbers = _SPREAD * torch.randn(sum(shape), generator=drawn)
    return numbers.as_strided(shape, [1] * len(shape))
