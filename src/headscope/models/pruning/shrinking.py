"""Making the matrices of an attention module smaller, and the counts that its forward pass reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from transformers.pytorch_utils import Conv1D

if TYPE_CHECKING:
    from headscope.models.pruning.projections import Projections

# What the modelling files call the number of heads, of their groups, and the width of all heads together.
_HEADS = ("num_heads", "num_attention_heads", "n_heads", "n_head", "num_q_heads", "nhead")
_GROUPS = ("num_key_value_heads", "num_kv_heads", "n_kv_heads")
_WIDTHS = ("all_head_size", "inner_dim", "split_size", "embed_dim", "hidden_size")


def shrink(module: nn.Module, projections: Projections, kept: Sequence[int], groups: tuple[int, int]) -> None:
    """Leave an attention module some heads; groups are its key-value groups before and after.

    A unit goes if heads read it and none of them stays. The output's bias is not of any head, so it stays.
    """
    heads = int(projections.columns.max()) + 1
    width = len(projections.columns) // heads
    stays = torch.zeros(heads, dtype=torch.bool)
    stays[list(kept)] = True
    for matrix, reads in projections.readers.items():
        reads = reads.cpu()
        _keep_units(matrix, (reads[stays].any(0) | ~reads.any(0)).nonzero()[:, 0])
    _keep_inputs(projections.output, stays[projections.columns].nonzero()[:, 0])
    for name, parameter in module._parameters.items():
        # Of the module itself and a number per head: how much a head may attend to nothing, in some families.
        if parameter is not None and parameter.shape == (heads,):
            setattr(module, name, _part(parameter, 0, torch.tensor(kept)))
    _recount(module, _HEADS, heads, len(kept))
    _recount(module, _GROUPS, *groups)
    _recount(module, _WIDTHS, heads * width, len(kept) * width)


def _recount(module: nn.Module, names: Sequence[str], before: int, after: int) -> None:
    for name in names:
        if vars(module).get(name) == before:
            setattr(module, name, after)


def _keep_units(matrix: Any, units: torch.Tensor) -> None:
    """Keep some outputs of a matrix."""
    transposed = isinstance(matrix, Conv1D)
    matrix.weight = _part(matrix.weight, int(transposed), units)
    if matrix.bias is not None:
        matrix.bias = _part(matrix.bias, 0, units)
    setattr(matrix, "nf" if transposed else "out_features", len(units))


def _keep_inputs(matrix: Any, inputs: torch.Tensor) -> None:
    """Keep some inputs of a matrix."""
    transposed = isinstance(matrix, Conv1D)
    matrix.weight = _part(matrix.weight, int(not transposed), inputs)
    setattr(matrix, "nx" if transposed else "in_features", len(inputs))


def keep_columns(table: Any, columns: Sequence[int]) -> None:
    """Keep some columns of an embedding."""
    table.weight = _part(table.weight, 1, torch.tensor(columns))
    table.embedding_dim = len(columns)


def _part(parameter: nn.Parameter, axis: int, indices: torch.Tensor) -> nn.Parameter:
    part = parameter.detach().index_select(axis, indices.to(parameter.device)).contiguous()
    return nn.Parameter(part, requires_grad=parameter.requires_grad)
