"""One label for each word: chunks such as phrases and names, or parts of speech."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch

from headscope.models import Sides
from headscope.tasks.chunks import Chunks, unseen_tags
from headscope.tasks.labels import Labels
from headscope.tasks.metrics import F1, TOKEN_F1, Metric
from headscope.tasks.predictions import IGNORED, example_losses
from headscope.tasks.task import Scores
from headscope.text import Cutter, Document, Tagged


@dataclass(frozen=True)
class Tagging:
    """A model with an output for each tag, asked at the first piece of each word.

    The metric is F1 of chunks, or of words inside them, or accuracy of words. A word without a piece counts
    as tagged O for F1, as wrong for accuracy. A true tag that the model lacks (see `unseen_tags`) is one
    that it never finds, and no part of the loss.
    """

    labels: Labels
    metric: Metric
    name: ClassVar[str] = "tagging"
    replayable: ClassVar[bool] = True

    @property
    def cutter(self) -> Cutter:
        return Tagged()

    def check(self, document: Document) -> None:
        self._known.of_words(document)

    def prepare(self, sides: Sides) -> Sides:
        ids = sides.inputs["input_ids"]
        gold, (row, piece, word) = self._gold(sides), first_pieces(sides)
        labels = np.full(ids.shape, IGNORED)
        wanted = gold[row, word]
        labels[row, piece] = np.where(wanted < len(self.labels.names), wanted, IGNORED)
        return replace(sides, labels=torch.from_numpy(labels).to(ids.device))

    def score(self, module: Any, sides: Sides) -> Scores:
        assert sides.labels is not None
        logits = module(**sides.inputs).logits
        gold, (row, piece, word) = self._gold(sides), first_pieces(sides)
        predicted = np.full_like(gold, -1)
        predicted[row, word] = logits.detach().argmax(-1).cpu().numpy()[row, piece]
        return Scores(example_losses(logits, sides.labels), self._count(gold, predicted))

    def _count(self, gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        if self.metric is F1:
            return self._chunks.count(gold, predicted)
        if self.metric is TOKEN_F1:
            words, chunks = self._chunks.count_words(gold, predicted), self._chunks.count(gold, predicted)
            return np.concatenate([words, chunks], 1)
        real = gold >= 0
        return np.stack([((gold == predicted) & real).sum(1), real.sum(1)], axis=1).astype(np.float64)

    @cached_property
    def _chunks(self) -> Chunks:
        return Chunks([*self.labels.names, *unseen_tags(self.labels.names)])

    @cached_property
    def _known(self) -> Labels:
        return Labels(self.labels.names, unseen_tags(self.labels.names))

    def _gold(self, sides: Sides) -> np.ndarray:
        """The numbers of the true tags, (batch, word), -1 behind the end of a sentence."""
        rows = [self._known.of_words(document) for document in sides.documents()]
        sizes = np.array([len(row) for row in rows])
        gold = np.full((len(rows), sizes.max()), -1)
        gold[np.arange(sizes.max()) < sizes[:, None]] = np.concatenate(rows)
        return gold


def first_pieces(sides: Sides) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, place and word of each piece that is the first of its word, three arrays (found,)."""
    sizes = [len(segment) for segment in sides.segments]
    words = np.concatenate([segment.word for segment in sides.segments])
    row = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    before = np.concatenate([[-1], words[:-1]])
    before[starts] = -1
    first = np.flatnonzero(words > before)
    return row[first], first - starts[row[first]], words[first]
