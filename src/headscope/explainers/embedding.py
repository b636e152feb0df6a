"""The vectors that a model reads for pieces, taken hold of where its table of embeddings gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import nn

from headscope.errors import ModelError
from headscope.explainers.asked import TARGET, Asked, kept
from headscope.models import Model

PORTION = 8192
"""Vectors of a table that are summed together."""


def tables_of(model: Model) -> list[nn.Module]:
    """The embeddings of the source, and of the target where the model has one; they may be the same."""
    module = model.module
    if model.shape != "encoder-decoder":
        return [module.get_input_embeddings()]
    return [module.get_encoder().get_input_embeddings(), module.get_decoder().get_input_embeddings()]


def vectors_of(asked: Asked, ids: torch.Tensor) -> list[torch.Tensor]:
    """The vectors of pieces (text, piece) of source and target, each (text, piece, width)."""
    parts = torch.split(ids, asked.sizes, dim=1)
    with torch.no_grad():
        return [table(part) for table, part in zip(tables_of(asked.model), parts, strict=True)]


@kept
def mean_vectors(asked: Asked) -> list[torch.Tensor]:
    """The mean of all vectors that the model knows, (width,), of source and target."""
    with torch.no_grad():
        return [_mean(table, asked.texts.device) for table in tables_of(asked.model)]


def _mean(table: nn.Module, device: torch.device) -> torch.Tensor:
    weight: torch.Tensor = table.weight  # type: ignore[assignment]
    pieces = int(getattr(table, "num_embeddings", len(weight)))  # which may share a vector
    numbers = torch.split(torch.arange(pieces, device=device), PORTION)
    total = torch.stack([table(some).double().sum(0) for some in numbers]).sum(0)
    return (total / pieces).to(weight.dtype)


@contextmanager
def reading(model: Model, vectors: Sequence[torch.Tensor]) -> Iterator[None]:
    """Let a pass inside read these vectors, of source and target, whatever pieces it is given."""
    left = list(vectors)

    def give(table: nn.Module, given: tuple[Any, ...], made: torch.Tensor) -> torch.Tensor:
        if not left or left[0].shape != made.shape:
            raise ModelError(f"{type(model.module).__name__} does not look up each piece once, in order")
        return left.pop(0)

    with ExitStack() as hooks:
        for table in dict.fromkeys(tables_of(model)):
            hooks.callback(table.register_forward_hook(give).remove)
        yield


def inputs_of(asked: Asked, ids: torch.Tensor, rows: torch.Tensor) -> dict[str, torch.Tensor]:
    """Inputs for other pieces (row, piece) in the place of those of some texts, (row,)."""
    inputs = {name: tensor[rows] for name, tensor in asked.inputs.items()}
    names = ["input_ids", *([f"{TARGET}input_ids"] if len(asked.sizes) > 1 else [])]
    return {**inputs, **dict(zip(names, torch.split(ids, asked.sizes, dim=1), strict=True))}
