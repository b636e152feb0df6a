"""Patterns: where heads of a kind look in a text, and how much of a head's attention is there.

A pattern has targets, (batch, query, key) bool, and rows that count, (batch, query) bool; a score is the mean
over these rows of the attention on their targets. So a head that looks at nothing but targets scores 1 in a
text of any length, and even attention the mean share of visible keys that are targets.

`behind` the first token, targets on it are left out, and what is divided by is the attention that is not on
it: a head that rests there half of the time and looks at targets in the other half scores 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

SINK_PIECES, SINK_ABOVE = 64, 0.3
"""A sink as in Gu et al. 2024: mean attention to the first of 64 pieces, from all of them, above 0.3."""

FIRST, LAST = 4, 64
"""A streaming head looks at the first and the last pieces (Xiao et al. 2024): so many of each."""


class Pattern(NamedTuple):
    """targets: (batch, query, key) bool. rows: (batch, query) bool, those that count."""

    targets: torch.Tensor
    rows: torch.Tensor


def duplicate(ids: torch.Tensor, queries: torch.Tensor) -> Pattern:
    """Earlier pieces that are the same, for pieces that have one.

    ids: (batch, piece). queries: (query,), the places of those that are asked for, here and everywhere below.

    >>> duplicate(torch.tensor([[7, 8, 7]]), torch.arange(3)).targets[0].nonzero().tolist()
    [[2, 0]]
    """
    same = (ids[:, queries, None] == ids[:, None, :]) & earlier(ids, queries)
    return Pattern(same, same.any(-1))


def induction(ids: torch.Tensor, queries: torch.Tensor) -> Pattern:
    """Earlier pieces that follow on one which is the same as the query's (Olsson et al. 2022).

    In two equal copies of n different pieces, that is the piece n - 1 before the query.

    >>> induction(torch.tensor([[7, 8, 7]]), torch.arange(3)).targets[0].nonzero().tolist()
    [[2, 1]]
    """
    same = ids[:, queries, None] == ids[:, None, :]
    after = torch.nn.functional.pad(same[..., :-1], (1, 0)) & earlier(ids, queries)
    return Pattern(after, after.any(-1))


def previous(copies: torch.Tensor, queries: torch.Tensor) -> Pattern:
    """The piece before, for pieces of the same copy; copies (batch, piece), -1 outside of all.

    >>> previous(torch.tensor([[-1, 0, 0, 1, 1]]), torch.arange(5)).targets[0].nonzero().tolist()
    [[2, 1], [4, 3]]
    """
    inside = copies[:, queries, None].eq(copies[:, None]) & (copies[:, queries, None] >= 0)
    targets = inside & (distance(copies, queries) == 1)
    return Pattern(targets, targets.any(-1))


def sink(real: torch.Tensor, queries: torch.Tensor, pieces: int = SINK_PIECES) -> Pattern:
    """The first piece, for the first so many of a text that has them; real (batch, piece) bool.

    >>> sink(torch.tensor([[True, True, True]]), torch.arange(3), 2).targets[0].nonzero().tolist()
    [[0, 0], [1, 0]]
    """
    rows = (real.sum(-1) >= pieces)[:, None] & (queries < pieces)
    return Pattern(rows[..., None] & (_places(real) == 0), rows)


def outside(real: torch.Tensor, queries: torch.Tensor, first: int = FIRST, last: int = LAST) -> Pattern:
    """Pieces between the first and the last ones, for pieces that have such; real (batch, piece) bool.

    >>> outside(torch.ones(1, 4, dtype=bool), torch.arange(4), 1, 1).targets[0].nonzero().tolist()
    [[2, 1], [3, 1], [3, 2]]
    """
    between = (_places(real) >= first) & (distance(real, queries) >= last)
    targets = between & real[:, queries, None]
    return Pattern(targets, targets.any(-1))


def within(real: torch.Tensor, queries: torch.Tensor, nearest: int, farthest: int) -> Pattern:
    """Pieces from `nearest` to `farthest` before the query, for pieces that have such."""
    far = distance(real, queries)
    targets = (far >= nearest) & (far <= farthest) & real[:, queries, None]
    return Pattern(targets, targets.any(-1))


def on_keys(keys: torch.Tensor, real: torch.Tensor, queries: torch.Tensor) -> Pattern:
    """Chosen pieces (batch, key) bool that are not later, for all real ones."""
    targets = keys[:, None, :] & real[:, queries, None] & (distance(real, queries) >= 0)
    return Pattern(targets, real[:, queries])


def behind(pattern: Pattern, queries: torch.Tensor) -> Pattern:
    """The same without the first piece, as target and as query; rows whose only target it is do not count."""
    targets = pattern.targets & (queries > 0)[:, None]
    only = targets[..., 0] & ~targets[..., 1:].any(-1)
    targets[..., 0] = False
    return Pattern(targets, pattern.rows & (queries > 0) & ~only)


def distance(pieces: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
    """How far each piece (batch, piece) lies before each query, (query, key)."""
    return queries[:, None] - _places(pieces)


def earlier(pieces: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
    """Which pieces lie before each query, (query, key) bool."""
    return distance(pieces, queries) > 0


def _places(pieces: torch.Tensor) -> torch.Tensor:
    return torch.arange(pieces.shape[1], device=pieces.device)


class PatternSums(NamedTuple):
    """mass: (batch, head, pattern) attention on targets. rest: the same of attention that is not on the
    first piece, of the rows that count. rows: (batch, pattern), how many count."""

    mass: torch.Tensor
    rest: torch.Tensor
    rows: torch.Tensor

    def __add__(self, other: PatternSums) -> PatternSums:  # type: ignore[override]
        return PatternSums(*(mine + others for mine, others in zip(self, other, strict=True)))


class Patterns(NamedTuple):
    """Patterns side by side, float32: targets (batch, pattern, query, key), rows (batch, pattern, query)."""

    targets: torch.Tensor
    rows: torch.Tensor

    @classmethod
    def of(cls, patterns: Sequence[Pattern], visible: torch.Tensor | None = None) -> Patterns:
        """What is left of patterns where a query sees some keys alone, (batch or 1, query, key) bool: rows
        that have a target and see none of them do not count, as in a layer with a narrow window."""
        targets = torch.stack([pattern.targets for pattern in patterns], 1)
        rows = torch.stack([pattern.rows for pattern in patterns], 1)
        if visible is not None:
            had = targets.any(-1)
            targets = targets & visible[:, None]
            rows = rows & ~(had & ~targets.any(-1))
        return cls((targets & rows[..., None]).float(), rows.float())

    def sums(self, weights: torch.Tensor) -> PatternSums:
        """Of weights (batch, head, query, key), of the same rows; sums of blocks of rows add up."""
        weights = weights.float()
        mass = weights.flatten(2) @ self.targets.flatten(2).transpose(1, 2)
        rest = weights[..., 1:].sum(-1) @ self.rows.transpose(1, 2)
        return PatternSums(mass.double(), rest.double(), self.rows.double().sum(-1))
