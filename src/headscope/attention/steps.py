"""Attention that is made step by step: the rows of a map come one after the other, and are heard as one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch

from headscope.attention.listen import Heard, Rows
from headscope.attention.site import Site


@dataclass
class Steps:
    """The rows of one map so far. of: how many there will be. gradients: whether the map must be a leaf."""

    site: Site
    of: int
    gradients: bool
    heard: list[Heard] = field(default_factory=list)
    leaf: torch.Tensor | None = None

    def rows_of(self, heard: Heard) -> Rows:
        """Which rows a call has."""
        return Rows(int(heard.rows[0]), self.of)

    def join(self, heard: Heard) -> tuple[Heard, Heard | None]:
        """The call as the model goes on with it, and the whole map once all rows are there, else None."""
        if self.gradients:
            heard = self._on_leaf(heard)
        self.heard.append(heard)
        if sum(len(step.rows) for step in self.heard) < self.of:
            return heard, None
        weights = torch.cat([step.weights for step in self.heard], 2) if self.leaf is None else self.leaf
        masks = [step.mask for step in self.heard if step.mask is not None]
        rows = torch.cat([step.rows for step in self.heard])
        mask = torch.cat(masks, 2) if masks else None
        return heard, replace(heard, weights=weights, rows=rows, mask=mask)

    def _on_leaf(self, heard: Heard) -> Heard:
        """Let the whole map, which holds these weights, be what the step depends on, without changing a bit.

        Later rows follow from earlier ones, so no map that is joined afterwards could have a gradient.
        """
        weights, first = heard.weights, int(heard.rows[0])
        if self.leaf is None:
            batch, heads, _, keys = weights.shape
            self.leaf = weights.new_zeros(batch, heads, self.of, keys).requires_grad_()
        here = slice(first, first + weights.shape[2])
        self.leaf.data[:, :, here] = weights.detach()
        part = self.leaf[:, :, here]
        return replace(heard, weights=weights + (part - part.detach()))
