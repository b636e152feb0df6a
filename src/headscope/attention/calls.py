"""One call of the attention function, as the counting pass sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import nn

from headscope.attention.listen import mix_values
from headscope.attention.slices import columns_of, follows

Returned = tuple[torch.Tensor, torch.Tensor]


class Counted(NamedTuple):
    """A call, with its weights (batch, head, query, key).

    plain: whether its output is weights times values. apart: whether each head's output follows from its own
    map alone.
    """

    module: nn.Module
    weights: torch.Tensor
    plain: bool
    apart: bool


def count_call(
    module: nn.Module, attend: Callable[[torch.Tensor], Returned], query: torch.Tensor, value: torch.Tensor
) -> tuple[Counted, Returned]:
    """Attend, and look at how the heads make the output; `attend` is the family's function of the query."""
    output, weights = attend(query)
    plain = _is_mixed(weights, value, output)
    apart = plain or _stays_apart(attend, query)
    return Counted(module, weights.detach(), plain, apart), (output, weights)


def _is_mixed(weights: torch.Tensor, value: torch.Tensor, output: torch.Tensor) -> bool:
    """Whether an output (batch, query, head, dim) is weights times values, within what rounding leaves."""
    if weights.shape[1] % value.shape[1] or output.shape[2:] != (weights.shape[1], value.shape[-1]):
        return False
    difference = (mix_values(weights, value).to(output.dtype) - output).abs().max()
    return bool(difference <= 1e-2 * output.abs().max())


def _stays_apart(attend: Callable[[torch.Tensor], Returned], query: torch.Tensor) -> bool:
    """Whether a head's map moves that head's output and no other's."""
    with torch.enable_grad():
        output, weights = attend(query.detach().requires_grad_())
        if output.ndim != 4 or output.shape[2] != weights.shape[1] or not follows(output, weights):
            return False
        columns = columns_of(weights, output.flatten(2))
    return columns is not None and torch.equal(columns.flatten().cpu(), torch.arange(columns.numel()))
