"""The sentences of all tasks, and the vectors that a model gives them, held on disk."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from headscope.blocks import number_of
from headscope.engine.gathering import Gathered
from headscope.questions.sentences.reading import Task
from headscope.results.files import explain_refusal
from headscope.tallies.hidden import HiddenTally
from headscope.text import Corpus, Document


@dataclass(frozen=True)
class Spoken:
    """The different sentences of all tasks, each a document that is called by its number."""

    sentences: Sequence[tuple[str, ...]]
    places: dict[tuple[str, ...], int]

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> Spoken:
        places: dict[tuple[str, ...], int] = {}
        for task in tasks:
            for example in task.examples:
                places.setdefault(example.words, len(places))
        return cls(list(places), places)

    @property
    def words(self) -> int:
        return sum(map(len, self.sentences))

    def corpus(self) -> Corpus:
        """What the model runs over."""

        def stream() -> list[Document]:
            return [Document.from_words(str(place), words) for place, words in enumerate(self.sentences)]

        return Corpus("the sentences of all tasks", "memory", stream)


class HeldVectors:
    """The vectors of all sentences, of one pooling at a time, in a file beside the shards, layer by layer.

    The file is mapped and has no name: what a classifier asks for is read, and nothing stays behind.
    """

    def __init__(self, gathered: Gathered | None, spoken: Spoken) -> None:
        self._gathered, self._now = gathered, -1
        self._vectors: np.ndarray = np.zeros((0, 0, 0), np.float16)
        self.known = np.zeros(len(spoken.sentences), bool)
        self.skipped = Counter[str]() if gathered is None else gathered.total.skipped
        self._rows = {number_of(str(place)): place for place in range(len(spoken.sentences))}
        if gathered is not None:
            self._read(0)

    def of(self, pooling: int) -> np.ndarray:
        """(sentence, layer, dim); zeros where a sentence has no vector."""
        if pooling != self._now:
            self._read(pooling)
        return self._vectors

    def drop(self) -> None:
        """Remove what lies on disk."""
        if self._gathered is not None:
            self._gathered.drop()

    def _read(self, pooling: int) -> None:
        assert self._gathered is not None
        for done in self._gathered:
            tally = done.tallies["hidden"]["hidden"]
            assert isinstance(tally, HiddenTally)
            hidden = tally.result()
            rows = [self._rows[number] for number in hidden.documents.tolist()]
            if not self._vectors.size:
                self._vectors = self._mapped(self._gathered.part.folder, hidden.vectors)
            self._vectors[rows] = hidden.vectors[:, pooling]
            self.known[rows] = hidden.known
        self._now = pooling

    def _mapped(self, folder: Path, like: np.ndarray) -> np.ndarray:
        """Zeros on disk, seen as (sentence, layer, dim). like: (unit, pooling, layer, dim)."""
        _, _, layers, dim = like.shape
        shape = (layers, len(self.known), dim)
        with explain_refusal(folder), TemporaryFile(dir=folder) as file:
            if hasattr(os, "posix_fallocate"):  # a full disk is refused here, not while a map is written
                os.posix_fallocate(file.fileno(), 0, prod(shape) * like.dtype.itemsize)
            mapped = np.memmap(file, like.dtype, "w+", shape=shape)
        return mapped.swapaxes(0, 1)
