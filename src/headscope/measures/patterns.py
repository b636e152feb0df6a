"""Patterns: where heads of a kind look in a text, and how much of a head's attention is there.

A pattern has targets, (batch, query, key) bool, and rows that count, (batch, query) bool; a score is the mean
over these rows of the attention on their targets. So a head that looks at nothing but targets scores 1 in a
text of any length, and even attention the mean share of visible keys that are targets.

`behind` the first token, targets on it are left out, and what is divided by is the attention that is not on
it: a head that rests there half of the time and looks at targets in the other half scores 1.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def duplicate(ids: torch.Tensor) -> Pattern:
    """Earlier pieces that are the same, for pieces that have one; ids (batch, piece).

    >>> duplicate(torch.tensor([[7, 8, 7]])).targets[0].nonzero().tolist()
    [[2, 0]]
    """
    same = (ids[:, :, None] == ids[:, None, :]).tril(-1)
    return Pattern(same, same.any(-1))


def induction(ids: torch.Tensor) -> Pattern:
    """Earlier pieces that follow on one which is the same as the query's (Olsson et al. 2022).

    In two equal copies of n different pieces, that is the piece n - 1 before the query.

    >>> induction(torch.tensor([[7, 8, 7]])).targets[0].nonzero().tolist()
    [[2, 1]]
    """
    after = torch.zeros_like(ids[:, :, None] == ids[:, None, :])
    after[:, :, 1:] = (ids[:, :, None] == ids[:, None, :-1]).tril(-1)
    after = after.tril(-1)
    return Pattern(after, after.any(-1))


def previous(copies: torch.Tensor) -> Pattern:
    """The piece before, for pieces of the same copy; copies (batch, piece), -1 outside of all.

    >>> previous(torch.tensor([[-1, 0, 0, 1, 1]])).targets[0].nonzero().tolist()
    [[2, 1], [4, 3]]
    """
    inside = copies[:, 1:].eq(copies[:, :-1]) & (copies[:, 1:] >= 0)
    rows = torch.nn.functional.pad(inside, (1, 0))
    return Pattern(torch.diag_embed(inside, -1), rows)


def sink(real: torch.Tensor, pieces: int = SINK_PIECES) -> Pattern:
    """The first piece, for the first so many of a text that has them; real (batch, piece) bool.

    >>> sink(torch.tensor([[True, True, True]]), 2).targets[0].nonzero().tolist()
    [[0, 0], [1, 0]]
    """
    rows = torch.zeros_like(real)
    rows[:, :pieces] = (real.sum(-1) >= pieces)[:, None]
    targets = torch.zeros_like(real[:, :, None] & real[:, None, :])
    targets[:, :, 0] = rows
    return Pattern(targets, rows)


def outside(real: torch.Tensor, first: int = FIRST, last: int = LAST) -> Pattern:
    """Pieces between the first and the last ones, for pieces that have such; real (batch, piece) bool.

    >>> outside(torch.ones(1, 4, dtype=bool), 1, 1).targets[0].nonzero().tolist()
    [[2, 1], [3, 1], [3, 2]]
    """
    places = torch.arange(real.shape[1], device=real.device)
    between = (places >= first) & (places <= places[:, None] - last)
    targets = between & real[:, :, None]
    return Pattern(targets, targets.any(-1))


def within(real: torch.Tensor, nearest: int, farthest: int) -> Pattern:
    """Pieces from `nearest` to `farthest` before the query, for pieces that have such."""
    places = torch.arange(real.shape[1], device=real.device)
    distance = places[:, None] - places
    targets = (distance >= nearest) & (distance <= farthest) & real[:, :, None]
    return Pattern(targets, targets.any(-1))


def on_keys(keys: torch.Tensor, real: torch.Tensor) -> Pattern:
    """Chosen pieces (batch, key) bool that are not later, for all real ones."""
    return Pattern((keys[:, None, :] & real[:, :, None]).tril(), real)


def behind(pattern: Pattern) -> Pattern:
    """The same without the first piece, as target and as query; rows whose only target it is do not count."""
    targets, rows = pattern.targets.clone(), pattern.rows.clone()
    had = targets[..., 0] & ~targets[..., 1:].any(-1)
    targets[..., 0] = False
    targets[:, 0] = False
    rows[:, 0] = False
    return Pattern(targets, rows & ~had)


class PatternSums(NamedTuple):
    """mass: (batch, head, pattern) attention on targets. rest: the same of attention that is not on the
    first piece, of the rows that count. rows: (batch, pattern), how many count."""

    mass: torch.Tensor
    rest: torch.Tensor
    rows: torch.Tensor

    def __add__(self, other: PatternSums) -> PatternSums:  # type: ignore[override]
        return PatternSums(*(mine + others for mine, others in zip(self, other, strict=True)))


class Patterns(NamedTuple):
    """Patterns side by side: targets (batch, pattern, query, key), rows (batch, pattern, query)."""

    names: tuple[str, ...]
    targets: torch.Tensor
    rows: torch.Tensor

    @classmethod
    def of(cls, patterns: Mapping[str, Pattern]) -> Patterns:
        each = list(patterns.values())
        targets = torch.stack([pattern.targets for pattern in each], 1)
        return cls(tuple(patterns), targets, torch.stack([pattern.rows for pattern in each], 1))

    def seen(self, visible: torch.Tensor) -> Patterns:
        """What is left where a query sees some keys alone, (batch or 1, query, key): rows that had a target
        and see none of them do not count, as in a layer with a narrow window."""
        targets = self.targets & visible[:, None]
        blind = self.targets.any(-1) & ~targets.any(-1)
        return Patterns(self.names, targets, self.rows & ~blind)

    def at(self, rows: torch.Tensor) -> Patterns:
        """For some query rows (row,) alone."""
        return Patterns(self.names, self.targets[:, :, rows], self.rows[:, :, rows])

    def sums(self, weights: torch.Tensor) -> PatternSums:
        """Of weights (batch, head, query, key), of the same rows; sums of blocks of rows add up."""
        double, rows = weights.double(), self.rows.double()
        targets = (self.targets & self.rows[..., None]).double()
        mass = double.flatten(2) @ targets.flatten(2).transpose(1, 2)
        rest = (double.sum(-1) - double[..., 0]) @ rows.transpose(1, 2)
        return PatternSums(mass, rest, rows.sum(-1))
