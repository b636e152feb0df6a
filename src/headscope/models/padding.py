"""Whether padding changes what a model makes of a text: its convolutions may see it, or its positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from headscope.attention import in_eval_mode
from headscope.attention.unchanged import unchanged

PADDED = 5
"""Pieces of padding that are tried."""

NOTE = "outputs of this model depend on padding, so only texts of equal length are run together"


def sees_padding(model: nn.Module, inputs: Mapping[str, torch.Tensor], pad: int) -> bool:
    """Whether a text comes out otherwise with padding behind it, by more than rounding; two short passes.

    inputs: one text of a few pieces. A model that does not run on padding at all sees it, too.
    """
    source = inputs["input_ids"]
    real = torch.ones_like(source)
    behind = torch.full_like(source[:, :1], pad).expand(-1, PADDED)
    alone = {**inputs, "attention_mask": real}
    padded = {
        **inputs,
        "input_ids": torch.cat([source, behind], 1),
        "attention_mask": torch.cat([real, torch.zeros_like(behind)], 1),
    }
    with torch.no_grad(), unchanged(model), in_eval_mode(model):
        expected = _first(model, alone)
        try:
            found = _first(model, padded)[:, : expected.shape[1]]
        except (RuntimeError, ValueError, IndexError):
            return True
    if found.shape != expected.shape:
        return True
    difference = (found - expected).abs().max() / expected.abs().max().clamp_min(1.0)
    return not bool(difference <= torch.finfo(expected.dtype).eps ** 0.5)


def _first(model: nn.Module, inputs: Mapping[str, torch.Tensor]) -> torch.Tensor:
    """The last hidden states (1, piece, width); families that draw numbers draw the same each time."""
    device = inputs["input_ids"].device
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(0)
        outputs: Any = model(**inputs)
    items = outputs if isinstance(outputs, tuple) else outputs.to_tuple()
    return next(item for item in items if isinstance(item, torch.Tensor))
