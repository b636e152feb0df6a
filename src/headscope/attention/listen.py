"""Listening: what a listener hears, and what it may ask for. A listener never changes a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import torch

from headscope.attention.site import Site
from headscope.errors import ModelError

Need = Literal["rows", "map"]


@dataclass
class Heard:
    """One call of the attention function, or a block of its query rows.

    weights: (batch, head, query, key), before dropout. rows: (query,) positions of the queries.
    value: (batch, key-value head, key, dim), None where a family does not show it.
    mask: what the model added to or masked from the scores, None for "everything is visible".
    """

    site: Site
    weights: torch.Tensor
    rows: torch.Tensor
    value: torch.Tensor | None
    mask: torch.Tensor | None

    @cached_property
    def visible(self) -> torch.Tensor:
        """(batch or 1, 1, query, key) bool: the keys that a query may look at."""
        queries, keys = self.weights.shape[-2:]
        if self.mask is None:
            shape = (1, 1, queries, keys)
            return torch.ones(shape, dtype=torch.bool, device=self.weights.device)
        visible = self.mask
        if visible.dtype != torch.bool:
            visible = visible > torch.finfo(visible.dtype).min / 2
        return visible[:, :1].expand(-1, -1, queries, -1)

    @cached_property
    def outputs(self) -> torch.Tensor:
        """(batch, query, head, dim): what each head hands to the output projection."""
        if self.value is None:
            raise ModelError("this family does not show its values, so head outputs cannot be heard")
        return mix_values(self.weights, self.value)


class Rows(NamedTuple):
    """Which query rows of its whole map a step-wise call has: the first of them, and how many there will be.

    >>> Rows(3, 5).places(1)
    tensor([3])
    """

    first: int
    of: int

    def places(self, count: int, device: torch.device | None = None) -> torch.Tensor:
        """The positions of so many rows, (query,)."""
        return torch.arange(self.first, self.first + count, device=device)


class Listener(Protocol):
    """Anything that hears attention.

    needs: "rows" takes any block of whole query rows; "map" wants all rows of a call at once.
    """

    needs: Need

    def hear(self, heard: Heard) -> None:
        """Take in one call or block; must not modify what it is given."""
        ...


class Recorder:
    """Keeps every map it hears, on the CPU: for one text, not for a corpus.

    layers and heads limit what is kept (a layer with fewer heads keeps those it has); with `gradient` the
    maps stay in the graph.
    """

    needs: Need = "map"

    def __init__(
        self, layers: Sequence[int] | None = None, heads: Sequence[int] | None = None, gradient: bool = False
    ) -> None:
        self.layers, self.heads, self.gradient = layers, heads, gradient
        self.maps: dict[Site, list[torch.Tensor]] = {}

    def hear(self, heard: Heard) -> None:
        if self.layers is not None and heard.site.layer not in self.layers:
            return
        weights = heard.weights
        if not self.gradient:
            weights = weights.detach().to("cpu", copy=True)
        if self.heads is not None:
            weights = weights[:, [head for head in self.heads if head < heard.site.heads]]
        self.maps.setdefault(heard.site, []).append(weights)


def mix_values(weights: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Weights times values, (batch, query, head, dim); grouped values are shared by their heads."""
    groups = weights.shape[1] // value.shape[1]
    if groups > 1:
        value = value.repeat_interleave(groups, dim=1)
    return torch.matmul(weights.to(value.dtype), value).transpose(1, 2).contiguous()
