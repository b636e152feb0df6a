"""Sums that describe a head's surface behaviour: where its attention goes, and how spread out it is.

Clark et al. 2019 sections 3.1 to 3.3. Everything here is a sum over the query rows of a segment, so blocks of
rows add up to the whole; dividing comes last, in the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import torch

from headscope.measures.information import entropy

REACH = 8
"""Offsets from -REACH to REACH are kept."""

OFFSETS = range(-REACH, REACH + 1)


@dataclass
class SurfaceSums:
    """Per segment and head, float64; `kind` axes are query kind, then key kind.

    offsets: (batch, head, offset) attention to the key so many pieces after the query. later: the same of
    keys behind the first one. left: what the queries that have such a key do not leave on the first one.
    flow: (batch, head, kind, kind). first: (batch, head) to the first key.
    entropy, strongest: (batch, head). edges: (batch, head, 2) entropy of the first and the last query.
    """

    offsets: np.ndarray
    later: np.ndarray
    left: np.ndarray
    flow: np.ndarray
    first: np.ndarray
    entropy: np.ndarray
    strongest: np.ndarray
    edges: np.ndarray

    @classmethod
    def zeros(cls, batch: int, heads: int, kinds: int) -> SurfaceSums:
        shapes = {
            "offsets": (batch, heads, len(OFFSETS)),
            "later": (batch, heads, len(OFFSETS)),
            "left": (batch, heads, len(OFFSETS)),
            "flow": (batch, heads, kinds, kinds),
            "first": (batch, heads),
            "entropy": (batch, heads),
            "strongest": (batch, heads),
            "edges": (batch, heads, 2),
        }
        return cls(**{name: np.zeros(shape) for name, shape in shapes.items()})

    def arrays(self) -> Iterator[np.ndarray]:
        return (getattr(self, field.name) for field in fields(self))

    def __add__(self, other: SurfaceSums) -> SurfaceSums:
        return SurfaceSums(*map(np.add, self.arrays(), other.arrays()))


@dataclass(frozen=True)
class Lengths:
    """How many queries and keys of each segment are real, and their kinds; padding is at the end.

    query, key: (batch,). query_kinds, key_kinds: (batch, position), numbers below `kinds`.
    """

    query: np.ndarray
    key: np.ndarray
    query_kinds: np.ndarray
    key_kinds: np.ndarray
    kinds: int


def surface_sums(weights: torch.Tensor, rows: torch.Tensor, lengths: Lengths) -> SurfaceSums:
    """Sum over the given query rows; weights (batch, head, row, key), rows (row,) their positions.

    The plain definition, for any device; on a CPU `compiled.surface_sums` does the same faster.
    """
    device, double = weights.device, torch.float64
    keys = weights.shape[-1]
    row_real = rows[None] < torch.as_tensor(lengths.query, device=device)[:, None]
    key_real = torch.arange(keys, device=device)[None] < torch.as_tensor(lengths.key, device=device)[:, None]
    real = weights.to(double) * row_real[:, None, :, None] * key_real[:, None, None, :]
    row_kinds = torch.as_tensor(lengths.query_kinds, device=device)[:, rows]
    to_query = torch.nn.functional.one_hot(row_kinds, lengths.kinds).to(double)
    to_key = torch.nn.functional.one_hot(
        torch.as_tensor(lengths.key_kinds[:, :keys], device=device), lengths.kinds
    ).to(double)
    spread = entropy(real)
    is_behind = key_real & (torch.arange(keys, device=device) > 0)
    behind = real * is_behind[:, None, None, :]
    left = behind.sum(-1, keepdim=True) * is_behind[:, None, None, :]
    last = torch.as_tensor(lengths.query, device=device)[:, None] - 1
    edges = [spread * (rows[None] == edge)[:, None] for edge in (torch.zeros_like(last), last)]
    sums = {
        "offsets": torch.stack([_at_offset(real, rows, offset) for offset in OFFSETS], dim=-1),
        "later": torch.stack([_at_offset(behind, rows, offset) for offset in OFFSETS], dim=-1),
        "left": torch.stack([_at_offset(left, rows, offset) for offset in OFFSETS], dim=-1),
        "flow": torch.einsum("bqf,bhqk,bkt->bhft", to_query, real, to_key),
        "first": real[..., 0].sum(-1),
        "entropy": spread.sum(-1),
        "strongest": real.amax(-1).sum(-1),
        "edges": torch.stack([edge.sum(-1) for edge in edges], dim=-1),
    }
    return SurfaceSums(**{name: tensor.cpu().numpy() for name, tensor in sums.items()})


def _at_offset(weights: torch.Tensor, rows: torch.Tensor, offset: int) -> torch.Tensor:
    """Sum over rows of the weight on the key `offset` pieces further on, where there is one."""
    keys = rows + offset
    exists = (keys >= 0) & (keys < weights.shape[-1])
    index = keys.clamp(0, weights.shape[-1] - 1)[None, None, :, None].expand(*weights.shape[:3], 1)
    return (weights.gather(-1, index)[..., 0] * exists).sum(-1)


@dataclass(frozen=True)
class QueryCounts:
    """How many queries there are to average over, per segment.

    pairs: (batch, offset) queries that have a key there. later: those that have one there behind the first.
    kinds: (batch, kind). edges: (batch, 2).
    """

    pairs: np.ndarray
    later: np.ndarray
    kinds: np.ndarray
    edges: np.ndarray

    def __add__(self, other: QueryCounts) -> QueryCounts:
        return QueryCounts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def count_seeing(visible: np.ndarray, rows: np.ndarray, lengths: Lengths) -> QueryCounts:
    """Count the heard rows (row,) where a mask tells what each sees, (batch, row, key) bool.

    A query that sees nothing is not counted, nor a pair of which one piece is hidden from the other.

    >>> kinds, two = np.zeros((1, 2), dtype=int), np.array([2])
    >>> earlier = np.array([[[False, False], [True, False]]])
    >>> counts = count_seeing(earlier, np.arange(2), Lengths(two, two, kinds, kinds, 1))
    >>> counts.kinds.tolist(), counts.pairs[0, 7:10].tolist(), counts.edges.tolist()
    ([[1]], [1, 0, 0], [[0, 1]])
    """
    visible = visible & (rows[None, :] < lengths.query[:, None])[..., None]
    seeing: np.ndarray = np.any(visible, axis=-1)  # (batch, row)
    keys = rows[:, None] + np.array(OFFSETS)
    inside = (keys >= 0) & (keys < visible.shape[-1])
    pairs = visible[:, np.arange(len(rows))[:, None], keys.clip(0, visible.shape[-1] - 1)] & inside
    same_kind = lengths.query_kinds[:, rows][..., None] == np.arange(lengths.kinds)
    edges = [
        seeing & (rows == 0),
        seeing & (rows[None, :] == lengths.query[:, None] - 1),
    ]
    return QueryCounts(
        pairs.sum(1),
        (pairs & (keys > 0)).sum(1),
        (same_kind & seeing[..., None]).sum(1),
        np.stack([edge.sum(1) for edge in edges], axis=1),
    )


def count_queries(rows: np.ndarray, lengths: Lengths, causal: bool, aligned: bool) -> QueryCounts:
    """Count the heard rows (row,); without `aligned` (queries and keys of different texts) no offset exists.

    >>> three = np.array([3])
    >>> kinds = np.zeros((1, 3), dtype=int)
    >>> count_queries(np.arange(3), Lengths(three, three, kinds, kinds, 1), False, True).pairs[0, 7:10]
    array([2, 3, 2])
    """
    offsets = np.array(OFFSETS)
    keys = rows[None, :, None] + offsets
    real = rows[None, :] < lengths.query[:, None]
    exists = real[..., None] & (keys >= 0) & (keys < lengths.key[:, None, None]) & aligned
    if causal:
        exists = exists & (offsets <= 0)
    same_kind = lengths.query_kinds[:, rows][..., None] == np.arange(lengths.kinds)
    first = np.broadcast_to(rows == 0, real.shape)
    last = rows[None, :] == lengths.query[:, None] - 1
    edges = np.stack([(first & real).sum(1), last.sum(1)], axis=1)
    return QueryCounts(
        exists.sum(1), (exists & (keys > 0)).sum(1), (same_kind & real[..., None]).sum(1), edges
    )
