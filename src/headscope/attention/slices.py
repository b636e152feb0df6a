"""A head's slice of what the output projection takes, found by what changes when the head's map changes.

The layout is not guessed from sizes: beside its attention, a layer may join other things (ConvBERT its
convolution), and heads may be laid out in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.attention.edit import OutputEdit
from headscope.attention.site import Site

Read = tuple[nn.Module, torch.Tensor]
"""A module without parts of its own, and what one call gave it."""


@dataclass(frozen=True, eq=False)
class Slices:
    """Where the heads of a site enter a module.

    columns: (head, dim) of its input. swapped: whether queries come before the batch in it.
    """

    module: nn.Module
    columns: torch.Tensor
    swapped: bool

    def editing(self, edits: Sequence[OutputEdit], site: Site) -> Callable[..., Any]:
        """A hook before the module that changes these columns alone."""

        def edit_input(module: nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
            joined = given[0].transpose(0, 1) if self.swapped else given[0]
            columns = self.columns.to(joined.device)
            output = joined[..., columns]
            for edit in edits:
                output = edit.apply(output, site)
            joined = joined.index_copy(-1, columns.flatten(), output.flatten(-2))
            return (joined.transpose(0, 1) if self.swapped else joined, *given[1:])

        return edit_input


def find_slices(weights: torch.Tensor, reads: Sequence[Read]) -> Slices | None:
    """The slices of the first module that reads what a map (1, head, query, key) changes; None where mixed.

    Map and inputs must be of one forward pass, with their graph.
    """
    for module, joined in reads:
        if not follows(joined, weights):
            continue
        queries = weights.shape[2]
        if joined.shape[:-1] not in ((1, queries), (queries, 1)):
            return None
        columns = columns_of(weights, joined)
        return None if columns is None else Slices(module, columns, swapped=joined.shape[0] != 1)
    return None


def columns_of(weights: torch.Tensor, joined: torch.Tensor) -> torch.Tensor | None:
    """(head, dim): the columns of `joined` (..., column) that a head's map alone moves.

    None where heads share a column or have different numbers of them. A change that is not a number marks
    whatever it reaches, also through values that are zero; it is sent forwards by differentiating twice.
    """
    free = torch.zeros_like(joined, requires_grad=True)
    (slope,) = torch.autograd.grad(joined, weights, free, create_graph=True)
    moved = []
    for head in range(weights.shape[1]):
        change = torch.zeros_like(weights)
        change[:, head] = torch.nan
        (sent,) = torch.autograd.grad(slope, free, change, retain_graph=True)
        moved.append(sent.isnan().flatten(0, -2).any(0))
    reached = torch.stack(moved)
    sizes = reached.sum(1)
    if int(reached.sum(0).max()) > 1 or int(sizes.min()) == 0 or bool((sizes != sizes[0]).any()):
        return None
    return reached.nonzero()[:, 1].reshape(len(moved), -1)


def follows(tensor: torch.Tensor, weights: torch.Tensor) -> bool:
    """Whether a tensor was computed from a map."""
    if not tensor.requires_grad or not weights.requires_grad:
        return False
    slopes = torch.autograd.grad(tensor.sum(), weights, retain_graph=True, allow_unused=True)
    return slopes[0] is not None
