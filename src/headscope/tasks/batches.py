"""Corpora made into batches that a task can score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from headscope.errors import InputError
from headscope.models import Model, Sides, sides_of
from headscope.tasks.task import Task
from headscope.text import Corpus, Segment, Skipped


@dataclass
class ExampleBatches:
    """The examples of a corpus in padded batches with labels; a corpus without an example is refused.

    skipped: words that are left out, by their reason, counted while the batches are read.
    """

    model: Model
    task: Task
    corpus: Corpus
    pieces: int
    batch_size: int
    skipped: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[Sides]:
        empty = True
        for batch in self.model.batches(self._segments(), self.batch_size):
            empty = False
            yield self.task.prepare(sides_of(self.model, batch))
        if empty:
            reasons = "; ".join(f"{words:,} words are {reason}" for reason, words in self.skipped.items())
            raise InputError(f"{self.corpus.source}: no example is left: {reasons or 'no word has a piece'}")

    def _segments(self) -> Iterator[Segment]:
        for document in self.corpus:
            for segment in self.task.cutter(document, self.model.tokenizer, self.pieces):
                if isinstance(segment, Skipped):
                    self.skipped[segment.reason] += segment.words
                else:
                    yield segment
