"""Corpora made into batches that a task can score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from headscope.errors import InputError
from headscope.models import Model, Sides, sides_of
from headscope.tasks.task import Task
from headscope.text import Corpus, Segment, Skipped, batches


@dataclass
class Preparing:
    """A task's examples of a corpus; what is left out is counted by its reason while they are read."""

    model: Model
    task: Task
    pieces: int
    batch_size: int
    skipped: Counter[str] = field(default_factory=Counter)

    def batches(self, corpus: Corpus) -> Iterator[Sides]:
        """Padded batches with labels; a corpus without an example is refused."""
        empty = True
        for batch in batches(
            self._segments(corpus), self.model.tokenizer, self.batch_size, self.model.device
        ):
            empty = False
            yield self.task.prepare(sides_of(self.model, batch))
        if empty:
            reasons = "; ".join(f"{words:,} words are {reason}" for reason, words in self.skipped.items())
            raise InputError(f"{corpus.source}: no example is left: {reasons or 'no word has a piece'}")

    def _segments(self, corpus: Corpus) -> Iterator[Segment]:
        for document in corpus:
            for part in self.task.cutter(document, self.model.tokenizer, self.pieces):
                if isinstance(part, Skipped):
                    self.skipped[part.reason] += part.words
                else:
                    yield part
