"""The words that a net knows: its pieces, and which word vector each of them has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import numpy as np

from headscope.models.vocabulary import (
    PAD,
    UNKNOWN,
    count_words,
    parts_of_words,
    piece_tokenizer,
    word_tokenizer,
)
from headscope.probes.vectors import Vectors
from headscope.text.sentences import Splitting

UNKNOWN_ROW = 1
"""Row 0 is of padding."""


@dataclass(frozen=True)
class Words:
    """names: words with a vector each, in order, behind padding and the unknown word. counts: how often the
    training data have each word, as its vector is asked for. pieces: behind padding and the unknown word,
    where a word is read as it is written or in pieces; None where names are all that there is.
    """

    names: Sequence[str]
    counts: Mapping[str, int]
    lower: bool
    pieces: Sequence[str] | None = None

    @classmethod
    def whole(cls, texts: Iterable[str], least: int, lower: bool) -> Words:
        """The words of training data that are frequent enough; all others are one unknown word."""
        counts = count_words(texts, lower=lower)
        return cls([word for word, count in counts.items() if count >= least], counts, lower)

    @classmethod
    def spelled(
        cls, counts: Mapping[str, int], least: int, lower: bool, vectors: Vectors | None, more: Iterable[str]
    ) -> Words:
        """Words of training data as they are written, and more of them; others will be read in pieces.

        counts: of words as they are written. lower: forms that differ in case alone share a vector, and all
        words are known with a capital, too. vectors: known words without one share that of unknown words.
        """
        asked: Counter[str] = Counter()
        for word, count in counts.items():
            asked[word.lower() if lower else word] += count
        frequent = {word for word, count in asked.items() if count >= least}
        known = dict.fromkeys([*(word for word in asked if word in frequent), *more])
        names = [word for word in known if vectors is None or word in vectors.index]
        written = [word for word in counts if (word.lower() if lower else word) in frequent]
        capitals = [word.capitalize() for word in names if lower]
        letters = "".join([*known, ascii_letters])
        pieces = dict.fromkeys([*names, *written, *capitals, *parts_of_words(counts, letters)])
        return cls(names, asked, lower, list(pieces))

    def known(self) -> float:
        """The share of running words of the training data that are known."""
        return sum(self.counts.get(name, 0) for name in self.names) / max(1, sum(self.counts.values()))

    def tokenizer(self, types: bool, sentences: Splitting | None = None) -> Any:
        """What reads every text; see `word_tokenizer`."""
        if self.pieces is None:
            return word_tokenizer(self.names, lower=self.lower, types=types, sentences=sentences)
        return piece_tokenizer(self.pieces)

    def rows(self) -> np.ndarray:
        """The row of the vector that each piece has, (piece,)."""
        row = {name: number for number, name in enumerate((PAD, UNKNOWN, *self.names))}
        pieces = (PAD, UNKNOWN, *(self.names if self.pieces is None else self.pieces))
        found = (row.get(piece, row.get(piece.lower() if self.lower else piece)) for piece in pieces)
        return np.array([UNKNOWN_ROW if number is None else number for number in found])
