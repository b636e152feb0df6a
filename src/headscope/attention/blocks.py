"""Blocks of query rows: how the rows of a long input are cut, sampled and masked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class RowBlocks:
    """How the query rows are cut for listeners.

    budget: bytes that the weights of one block may take. rows: only so many rows, a seeded sample.
    ends: (query,) positions at which a block may end, such as the ends of words; None for anywhere.
    """

    budget: int = 32 * 2**20
    rows: int | None = None
    seed: int = 0
    ends: torch.Tensor | None = None

    def sample(self, count: int) -> torch.Tensor | None:
        """The sampled row positions of `count`, sorted; None where all rows are taken."""
        if self.rows is None or self.rows >= count:
            return None
        generator = torch.Generator().manual_seed(self.seed)
        return torch.randperm(count, generator=generator)[: self.rows].sort().values

    def over(self, query: torch.Tensor, key: torch.Tensor) -> Iterator[torch.Tensor]:
        """Row positions of each block, for queries and keys (batch, head, position, dim)."""
        batch, heads, count, _ = query.shape
        # Scores, their masked copy and the softmax live at the same time: three maps of the block.
        row_bytes = 3 * batch * heads * key.shape[2] * max(4, query.element_size())
        size = max(1, self.budget // row_bytes)
        sampled = self.sample(count)
        rows = torch.arange(count) if sampled is None else sampled
        start = 0
        while start < len(rows):
            stop = min(start + size, len(rows))
            if self.ends is not None and stop < len(rows):
                allowed = self.ends[(self.ends > rows[start]) & (self.ends <= rows[stop])]
                beyond = self.ends[self.ends > rows[stop]]
                last = allowed.max() if len(allowed) else (beyond.min() if len(beyond) else rows[-1] + 1)
                stop = int((rows < last).sum())
            yield rows[start:stop].to(query.device)
            start = stop


def rows_of(options: dict[str, Any], rows: torch.Tensor, queries: int, keys: int) -> dict[str, Any]:
    """Cut every query-by-key tensor among the options, such as a position bias, to some rows."""
    return {
        name: value[:, :, rows]
        if isinstance(value, torch.Tensor) and value.ndim == 4 and value.shape[2:] == (queries, keys)
        else value
        for name, value in options.items()
    }


def causal_rows(
    query: torch.Tensor,
    key: torch.Tensor,
    padding: torch.Tensor | None,
    rows: torch.Tensor,
    causal: bool,
    window: int | None,
) -> torch.Tensor | None:
    """Build the additive mask of some rows for kernels that get no full mask.

    padding: (batch, key), true or 1 where a key is real, or None. Returns (batch or 1, 1, row, key).
    """
    if not causal and padding is None:
        return None
    keys = torch.arange(key.shape[2], device=query.device)
    visible = torch.ones(1, 1, len(rows), len(keys), dtype=torch.bool, device=query.device)
    if causal:
        last = rows[:, None] + key.shape[2] - query.shape[2]
        visible &= keys[None, :] <= last
        if window is not None:
            visible &= keys[None, :] > last - window
    if padding is not None:
        visible = visible & padding.bool()[:, None, None, :]
    return additive(visible, query.dtype)


def additive(visible: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The mask to add to scores: 0 where a key is visible, else the lowest number."""
    return torch.zeros_like(visible, dtype=dtype).masked_fill_(~visible, torch.finfo(dtype).min)
