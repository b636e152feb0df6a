"""Hidden states of chosen layers, pooled per word, span or sentence: gathered once, for all that read them.

A unit is a range of pieces. Over it, `mean` and `max` go over the pieces that are not special; `first` and
`last` are its first and last piece. So of a sentence that BERT reads they are [CLS] and [SEP].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Listener
from headscope.blocks import number_of
from headscope.errors import ModelError
from headscope.models import Sides
from headscope.models.states import hidden_states
from headscope.tallies import Tally
from headscope.tallies.hidden import Hidden, HiddenTally
from headscope.text import Segment

Pooling = Literal["mean", "first", "last", "max"]
Precision = Literal["float16", "float32"]
Ranges = Callable[[Segment], np.ndarray]
"""The ranges of pieces that a segment's units have, (unit, 2), end exclusive; an empty one for no piece."""


_TYPES = {"float16": torch.float16, "float32": torch.float32}


def of_words(segment: Segment) -> np.ndarray:
    """Each word: its pieces."""
    starts, ends = _edges(segment)
    return np.stack([starts, np.maximum(starts, ends)], 1)


def of_sentence(segment: Segment) -> np.ndarray:
    """All of a segment: one unit."""
    return np.array([[0, len(segment)]])


@dataclass(frozen=True)
class OfSpans:
    """Spans of words; find: a segment to where they begin and end, (span, 2), end exclusive."""

    find: Callable[[Segment], np.ndarray]

    def __call__(self, segment: Segment) -> np.ndarray:
        first, stop = self.find(segment).reshape(-1, 2).T
        starts, ends = _edges(segment)
        return np.stack([starts[first], np.maximum(starts[first], ends[stop - 1])], 1)


def _edges(segment: Segment) -> tuple[np.ndarray, np.ndarray]:
    """The first piece of each word and the one behind its last, (word,) each.

    A word without a piece begins where the next one does, and ends where the one before does.
    """
    pieces = np.flatnonzero(segment.word >= 0)
    starts, ends = np.full(len(segment.words), len(segment)), np.zeros(len(segment.words), np.int64)
    np.minimum.at(starts, segment.word[pieces], pieces)
    np.maximum.at(ends, segment.word[pieces], pieces + 1)
    return np.minimum.accumulate(starts[::-1])[::-1], np.maximum.accumulate(ends)


@dataclass
class HiddenStates:
    """The analysis: it only gathers. layers: which states, 0 those of the embeddings.

    dim: how many numbers a state has (`models.states.measure_states`).
    """

    layers: tuple[int, ...]
    dim: int
    ranges: Ranges = of_words
    poolings: tuple[Pooling, ...] = ("mean",)
    precision: Precision = "float16"
    name: str = field(default="hidden", init=False)

    def work(self, setting: Setting) -> HiddenWork:
        return HiddenWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Nothing but the labels: the states stay in their shards."""
        return xr.Dataset(coords={"layer": list(self.layers), "pooling": list(self.poolings)})


class HiddenWork:
    """Runs the model itself, and pools what each layer holds."""

    def __init__(self, setting: Setting, asked: HiddenStates) -> None:
        self.setting, self.asked = setting, asked
        shape = (len(asked.poolings), len(asked.layers), asked.dim)
        self.tally = HiddenTally(shape, np.dtype(asked.precision))
        self.tallies: Tallies = {"hidden": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self._sides = sides

    def end(self, documents: Sequence[str]) -> None:
        segments = self._sides.segments
        states = hidden_states(self.setting.model, self._sides.inputs)
        units = Units.of([self.asked.ranges(segment) for segment in segments], segments, states[0].shape[1])
        layers = [self._pooled(units, states[layer]) for layer in self.asked.layers]
        self.tally.add(
            Hidden(
                np.stack(layers, 2),
                units.known,
                units.sizes,
                np.array([number_of(document) for document in documents], np.uint64),
                np.array([segment.index for segment in segments], np.int32),
            )
        )

    def _pooled(self, units: Units, states: torch.Tensor) -> np.ndarray:
        """(unit, pooling, dim) of one layer's (batch, piece, dim)."""
        flat = states.detach().flatten(0, 1).float().cpu()
        pooled = torch.stack([units.pool(flat, pooling) for pooling in self.asked.poolings], 1)
        pooled = pooled.to(_TYPES[self.asked.precision])
        if not torch.isfinite(pooled).all():
            name = self.setting.model.name
            raise ModelError(
                f"a hidden state of {name} is no number, or too large for {self.asked.precision}; keep them "
                "in float32 (--precision float32)"
            )
        return pooled.numpy()


@dataclass(frozen=True)
class Units:
    """Where the units of a batch have their pieces, in a batch whose pieces are one after the other.

    edges: (unit, 2) first and last piece. pieces, owner: (pair,) the pieces that are not special
    with their unit.
    known: (unit,) whether it has a piece. sizes: (segment,) units in each.
    """

    edges: torch.Tensor
    pieces: torch.Tensor
    owner: torch.Tensor
    known: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, ranges: Sequence[np.ndarray], segments: Sequence[Segment], longest: int) -> Units:
        """Of the ranges of each segment, which is padded to the longest."""
        sizes = np.array([len(own) for own in ranges], np.int32)
        base = np.repeat(np.arange(len(segments)) * longest, sizes)[:, None]
        both = np.concatenate(ranges) + base
        counts = both[:, 1] - both[:, 0]
        owner = np.repeat(np.arange(len(both)), counts)
        pieces = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - both[:, 0], counts)
        special = np.ones(len(segments) * longest, bool)
        for row, segment in enumerate(segments):
            special[row * longest : row * longest + len(segment)] = segment.special
        plain = ~special[pieces]
        pieces, owner = pieces[plain], owner[plain]
        known = np.bincount(owner, minlength=len(both)) > 0
        edges = np.where(known[:, None], both - [0, 1], 0)
        places = [torch.from_numpy(places) for places in (edges, pieces, owner)]
        return cls(places[0], places[1], places[2], known, sizes)

    def pool(self, flat: torch.Tensor, pooling: Pooling) -> torch.Tensor:
        """(unit, dim) of (piece, dim); zeros for what has no piece."""
        known = torch.from_numpy(self.known)[:, None]
        if pooling in ("first", "last"):
            return flat[self.edges[:, int(pooling == "last")]] * known
        pooled = flat.new_zeros(len(self.known), flat.shape[1])
        if pooling == "max":
            firsts = np.flatnonzero(np.diff(self.owner.numpy(), prepend=-1))
            pooled[self.known] = torch.from_numpy(np.maximum.reduceat(flat[self.pieces].numpy(), firsts))
            return pooled
        pooled.index_add_(0, self.owner, flat[self.pieces])
        counts = torch.bincount(self.owner, minlength=len(pooled)).clamp_min(1)
        return pooled / counts[:, None]
