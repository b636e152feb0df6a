"""What a probe reads: the attention between the words of each sentence, beside its tree.

A shard of sentences is flat arrays, heads last, maps in 16 bits. Only one direction is kept: what word i
gives to word j. What it gets from j is the same map read the other way round, and is made when needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from headscope.tallies import State

ENDS = ("to first", "from first", "to last", "from last")
"""Attention between a word and the special tokens around the sentence, which stand for ROOT."""

_ARRAYS = ("maps", "ends", "sizes", "gold", "punct", "word", "blocks", "alone")


@dataclass(frozen=True)
class Features:
    """Sentences of at least two words, one after the other.

    maps: (cell, head), the rows of each sentence's (word, word). ends: (word, 4, head), see `ENDS`; zero
    where a model has no such token. sizes: (sentence,) words in each. gold: (word,) the head's number
    within the sentence from 1, 0 for ROOT, -1 for words that are not asked. punct: (word,) bool. word:
    (word,) places in the vocabulary. blocks: (sentence,). alone: words left out because they are alone.
    """

    maps: np.ndarray
    ends: np.ndarray
    sizes: np.ndarray
    gold: np.ndarray
    punct: np.ndarray
    word: np.ndarray
    blocks: np.ndarray
    vocabulary: tuple[str, ...]
    alone: np.ndarray

    @classmethod
    def of_words(cls, words: Sequence[str], alone: int = 0, **arrays: np.ndarray) -> Self:
        """Take the words themselves; they are kept in lower case."""
        lowered = [word.lower() for word in words]
        vocabulary = tuple(dict.fromkeys(lowered))
        place = {word: number for number, word in enumerate(vocabulary)}
        numbers = np.array([place[word] for word in lowered], np.int32)
        return cls(**arrays, word=numbers, vocabulary=vocabulary, alone=np.array(alone))

    @classmethod
    def empty(cls, heads: int, alone: int = 0) -> Self:
        """No sentence at all."""
        whole = np.zeros(0, np.int32)
        return cls.of_words(
            [], alone, maps=np.zeros((0, heads), np.float16),
            ends=np.zeros((0, len(ENDS), heads), np.float16),
            sizes=whole, gold=whole, punct=np.zeros(0, bool), blocks=whole,
        )  # fmt: skip

    @property
    def places(self) -> np.ndarray:
        """Each word's number within its sentence from 1, (word,)."""
        starts = np.cumsum(self.sizes) - self.sizes
        places: np.ndarray = np.arange(len(self.word)) - np.repeat(starts, self.sizes) + 1
        return places

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All sentences of several batches or shards, in order."""
        if len(several) == 1:
            return several[0]
        words = [features.vocabulary[place] for features in several for place in features.word]
        arrays = {
            name: np.concatenate([getattr(features, name) for features in several])
            for name in _ARRAYS
            if name not in ("word", "alone")
        }
        return cls.of_words(words, sum(int(features.alone) for features in several), **arrays)

    def to_state(self) -> State:
        """The arrays, and the vocabulary as bytes with zeros between its words."""
        text = "\0".join(self.vocabulary).encode("utf-8", "surrogatepass")
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        return {**arrays, "vocabulary": np.frombuffer(text, np.uint8)}

    @classmethod
    def from_state(cls, state: State) -> Self:
        text = state["vocabulary"].tobytes().decode("utf-8", "surrogatepass")
        vocabulary = tuple(text.split("\0")) if len(state["word"]) else ()
        return cls(**{name: state[name] for name in _ARRAYS}, vocabulary=vocabulary)


class FeatureTally:
    """Features in the order in which they were heard; they are kept whole, so a tally is one shard's."""

    def __init__(self, heads: int) -> None:
        self._heard = [Features.empty(heads)]

    def add(self, features: Features) -> None:
        """Take in the sentences of a batch."""
        self._heard.append(features)

    def merge(self, other: Self) -> None:
        self._heard += other._heard

    def result(self) -> Features:
        """All sentences."""
        self._heard = [Features.joined(self._heard)]
        return self._heard[0]

    def to_state(self) -> State:
        return self.result().to_state()

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally = cls(state["maps"].shape[1])
        tally._heard = [Features.from_state(state)]
        return tally
