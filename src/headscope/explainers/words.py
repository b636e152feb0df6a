"""Words of the texts that are answered to: which pieces are taken away together, and judged together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from headscope.explainers.asked import Asked


@dataclass(frozen=True, eq=False)
class Words:
    """members: (answer, piece) the number of each piece's word within its answer's text, from 0 without
    gaps; -1 for what stays (special pieces, padding, what is not seen). counts: (answer,)."""

    members: torch.Tensor
    counts: torch.Tensor

    @property
    def most(self) -> int:
        """Words of the text that has the most."""
        return int(self.counts.max()) if len(self.counts) else 0

    @cached_property
    def real(self) -> torch.Tensor:
        """(answer, word) bool: words that the text has."""
        return torch.arange(self.most, device=self.counts.device) < self.counts[:, None]

    @cached_property
    def belongs(self) -> torch.Tensor:
        """(answer, word, piece) bool."""
        numbers = torch.arange(self.most, device=self.members.device)
        return self.members[:, None] == numbers[:, None]

    def summed(self, importance: torch.Tensor) -> torch.Tensor:
        """Importance (..., answer, piece) summed to words (..., answer, word).

        NaN beyond the words of a text, and where none of a word's pieces can be judged.
        """
        belongs = self.belongs.to(importance.dtype)
        judged = torch.einsum("...ap,awp->...aw", (~importance.isnan()).to(belongs), belongs) > 0
        sums = torch.einsum("...ap,awp->...aw", importance.nan_to_num(), belongs)
        return sums.masked_fill(~judged, torch.nan)

    def pieces(self, sets: torch.Tensor) -> torch.Tensor:
        """Sets of words, bool (answer, set, word), as sets of pieces (answer, set, piece)."""
        index = self.members.clamp_min(0)[:, None].expand(-1, sets.shape[1], -1)
        return sets.gather(2, index) & (self.members >= 0)[:, None] if sets.shape[2] else _none(self, sets)


def _none(words: Words, sets: torch.Tensor) -> torch.Tensor:
    """Texts without a word lack no piece."""
    return torch.zeros(*sets.shape[:2], words.members.shape[1], dtype=torch.bool, device=sets.device)


def numbered(labels: torch.Tensor) -> Words:
    """Words of any labels (answer, piece), in the order of the labels; below 0 for what stays."""
    known = labels >= 0
    size = int(labels.max()) + 1 if labels.numel() else 0
    present = torch.zeros(len(labels), max(size, 1), dtype=torch.long, device=labels.device)
    present.scatter_reduce_(1, labels.clamp_min(0), known.long(), "amax")
    members = (present.cumsum(1) - 1).gather(1, labels.clamp_min(0))
    return Words(members.masked_fill(~known, -1), present.sum(1))


def words_of(asked: Asked) -> Words:
    """The words that an answer can do without.

    What a decoder reads beyond the words of a text, such as a target, is a word of its own piece by piece.
    The word at whose place a mask is filled in or a tag is given stays: without it there is no answer.
    """
    read = _words_read(asked)
    beyond = read.max() + 1 + torch.arange(read.shape[1], device=read.device)
    labels = torch.where(read >= 0, read, beyond)[asked.texts]
    labels = labels.masked_fill(~asked.seen | asked.special[asked.texts], -1)
    if asked.model.shape == "encoder":
        own = labels.gather(1, asked.own.clamp_min(0)[:, None])
        labels = labels.masked_fill((labels == own) & (asked.own >= 0)[:, None], -1)
    return numbered(labels)


def sentences_of(asked: Asked) -> Words:
    """The sentences that a model is told, each with all of its pieces."""
    numbers = asked.inputs["token_type_ids"][asked.texts]
    return numbered(numbers.masked_fill(~asked.seen | asked.special[asked.texts], -1))


def _words_read(asked: Asked) -> torch.Tensor:
    """(text, piece) the word of each piece of a source as its segment says, -1 where it says none."""
    segments = asked.sides.segments
    words = np.full(tuple(asked.ids.shape), -1)
    for row, segment in enumerate(segments):
        words[row, : len(segment)] = segment.word
    return torch.from_numpy(words).to(asked.texts.device)
