"""Patterns laid over batches: of made text that repeats itself, and of running text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from headscope.measures import patterns
from headscope.measures.patterns import Pattern
from headscope.models import Sides
from headscope.text.kinds import KindTable
from headscope.text.repeats import copies_of

INDUCTION, DUPLICATE, PREVIOUS = "induction", "duplicate", "previous"
SINK, OUTSIDE = "sink", "outside"
SELF, NEAR, PUNCTUATION, SEPARATOR = "self", "near", "punctuation", "separator"
REACH = 3
"""As many pieces before are near."""


class OfRepeats:
    """Over made text."""

    names = (INDUCTION, DUPLICATE, PREVIOUS)

    def __call__(self, sides: Sides, queries: torch.Tensor) -> Sequence[Pattern]:
        ids = torch.as_tensor(np.where(sides.source.real, sides.source.ids, _own_numbers(sides)))
        return [
            patterns.induction(ids, queries),
            patterns.duplicate(ids, queries),
            patterns.previous(copies_in(sides), queries),
        ]


def copies_in(sides: Sides) -> torch.Tensor:
    """Which copy each piece of made text is of, (batch, piece); -1 for all others."""
    copies = np.full(sides.source.ids.shape, -1)
    for row, segment in enumerate(sides.segments):
        copies[row, : len(segment)] = copies_of(segment)
    return torch.as_tensor(copies)


def _own_numbers(sides: Sides) -> np.ndarray:
    """Numbers of no piece, each once, in the place of padding: it repeats nothing."""
    return -1 - np.arange(sides.source.ids.shape[1])[None]


class OfText:
    """Over running text that is read from left to right; kinds: of its pieces; closing: special ones."""

    names = (SINK, OUTSIDE, PREVIOUS, SELF, NEAR, PUNCTUATION, SEPARATOR)

    def __init__(self, kinds: KindTable, closing: Sequence[str]) -> None:
        self._marks = [kinds.names.index(name) for name in (". or ,", "punctuation")]
        self._closing = [kinds.names.index(name) for name in closing]

    def __call__(self, sides: Sides, queries: torch.Tensor) -> Sequence[Pattern]:
        real, kinds = torch.as_tensor(sides.source.real), sides.source.kinds
        chosen = [torch.as_tensor(np.isin(kinds, group)) & real for group in (self._marks, self._closing)]
        return [
            patterns.sink(real, queries),
            patterns.outside(real, queries),
            patterns.within(real, queries, 1, 1),
            patterns.within(real, queries, 0, 0),
            patterns.within(real, queries, 1, REACH),
            *(patterns.on_keys(keys, real, queries) for keys in chosen),
        ]
