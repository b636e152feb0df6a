"""Words to pieces: the same questions to tokenizers with and without character offsets.

Fast tokenizers report the characters of every piece, and their pieces are taken exactly as they are. The
others are asked word by word, each word with the space before it, and their own `prepare_for_model` puts
the special tokens around the pieces; where such a tokenizer would have joined pieces across words, its
pieces differ from running text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from headscope.errors import OptionError
from headscope.text.alignment import align
from headscope.text.documents import Document
from headscope.text.sentences import sentence_numbers, told_sentences

# A transformers tokenizer, typed loosely so that this room need not import transformers.
Tokenizer = Any

# A stretch of words is counted as one, a call takes several: both bound the memory of a long document.
_STRETCH_WORDS = 2000
_CALL_STRETCHES = 256


class Encoded(NamedTuple):
    """Pieces with special tokens; all arrays are (piece,), ``word`` counts from the first word encoded."""

    pieces: np.ndarray
    types: np.ndarray | None
    special: np.ndarray
    word: np.ndarray


class Counts(NamedTuple):
    """Pieces of each word in running text, (word,); ``lead`` of them lie before the word itself begins."""

    pieces: np.ndarray
    lead: np.ndarray


class Encoder(ABC):
    """What cutting asks of a tokenizer about the words of one document."""

    def __init__(self, document: Document, tokenizer: Tokenizer) -> None:
        spans = np.asarray(document.words, dtype=np.int64).reshape(-1, 2)
        self.text, self.tokenizer = document.text, tokenizer
        self.starts, self.ends = spans[:, 0], spans[:, 1]
        # Where the space before each word begins.
        self.gaps = np.concatenate([self.starts[:1], self.ends[:-1]])
        splitting = told_sentences(tokenizer)
        self.sentences = None if splitting is None else sentence_numbers(document, splitting)

    def room(self, limit: int, pair: bool) -> int:
        """How many pieces of text fit into ``limit`` beside the special tokens around one span, or two."""
        added = int(self.tokenizer.num_special_tokens_to_add(pair=pair))
        if limit <= added:
            problem = f"{limit} pieces leave no room for text: the tokenizer adds {added} special ones"
            raise OptionError(problem)
        return limit - added

    @abstractmethod
    def count(self, lines: np.ndarray) -> Counts:
        """Count the pieces of all words, line by line; ``lines`` (line,) holds the first word of each."""

    @abstractmethod
    def encode(self, *edges: int, limit: int | None = None) -> Encoded:
        """Encode one span of words, from one edge to the next, or two spans for three edges.

        Above ``limit`` pieces, special ones included, the tokenizer cuts the longer span off, piece by piece.
        """

    @abstractmethod
    def split(self, word: int, room: int) -> list[Encoded]:
        """Encode a word that is too long for a segment, cut after every ``room`` pieces."""


def encoder_for(document: Document, tokenizer: Tokenizer) -> Encoder:
    """Choose how to ask: by character offsets where the tokenizer has them, else word by word."""
    fast = getattr(tokenizer, "is_fast", False)
    return OffsetEncoder(document, tokenizer) if fast else WordEncoder(document, tokenizer)


@contextmanager
def writing_targets(tokenizer: Tokenizer) -> Iterator[None]:
    """Inside the `with`, a tokenizer that has another way for targets (Marian, mBART) takes every text so."""
    switches = hasattr(tokenizer, "_switch_to_target_mode")
    if switches:
        tokenizer._switch_to_target_mode()
    try:
        yield
    finally:
        if switches:
            tokenizer._switch_to_input_mode()


class OffsetEncoder(Encoder):
    """Asks a fast tokenizer, which says where in the text each piece comes from."""

    def count(self, lines: np.ndarray) -> Counts:
        ends = [*lines[1:], len(self.starts)]
        firsts = [cut for edge in zip(lines, ends, strict=True) for cut in range(*edge, _STRETCH_WORDS)]
        stretches = list(pairwise([*firsts, len(self.starts)]))
        calls = range(0, len(stretches), _CALL_STRETCHES)
        offsets = np.concatenate([self._offsets(stretches[call : call + _CALL_STRETCHES]) for call in calls])
        word = align(offsets, self.starts, self.ends)
        before = offsets[:, 1] <= self.starts[word]
        size = len(self.starts)
        return Counts(np.bincount(word, minlength=size), np.bincount(word[before], minlength=size))

    def _offsets(self, stretches: list[tuple[int, int]]) -> np.ndarray:
        """Characters of the pieces of some stretches, (piece, 2)."""
        texts = [self.text[self.gaps[first] : self.ends[last - 1]] for first, last in stretches]
        answer = self.tokenizer(
            texts,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            verbose=False,
        )
        pairs = zip(stretches, answer["offset_mapping"], strict=True)
        return np.concatenate(
            [self.gaps[first] + np.array(local, dtype=np.int64).reshape(-1, 2) for (first, _), local in pairs]
        )

    def encode(self, *edges: int, limit: int | None = None) -> Encoded:
        spans = list(pairwise(edges))
        texts = [self.text[self.starts[first] : self.ends[last - 1]] for first, last in spans]
        cutting = {} if limit is None else {"truncation": True, "max_length": limit}
        answer = self.tokenizer(*texts, return_attention_mask=False, verbose=False, **cutting)
        encoding = answer.encodings[0]
        sequence = np.array([-1 if span is None else span for span in encoding.sequence_ids])
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        word = np.full(len(special), -1, dtype=np.int64)
        for number, (first, last) in enumerate(spans):
            own = ~special & (sequence == number)
            base = self.starts[first]
            inside = align(offsets[own], self.starts[first:last] - base, self.ends[first:last] - base)
            word[own] = inside + first - edges[0]
        encoded = self._encoded(encoding, word)
        if self.sentences is None:
            return encoded
        # A model of sentences is told them in the place of texts, counted from the first that it reads.
        numbers = self.sentences[edges[0] : edges[-1]]
        return encoded._replace(types=np.where(special, 0, (numbers - numbers[:1])[word]))

    def split(self, word: int, room: int) -> list[Encoded]:
        text = self.text[self.starts[word] : self.ends[word]]
        whole = self.tokenizer(text, add_special_tokens=False, verbose=False).encodings[0]
        whole.truncate(room)
        finish = self.tokenizer.backend_tokenizer.post_process
        return [self._encoded(finish(piece, None, True), 0) for piece in (whole, *whole.overflowing)]

    def _encoded(self, encoding: Any, word: np.ndarray | int) -> Encoded:
        """What the tokenizer made; ``word`` (piece,) is the word of each piece that is not special."""
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        typed = "token_type_ids" in self.tokenizer.model_input_names
        types = np.array(encoding.type_ids, dtype=np.int64) if typed else None
        return Encoded(np.array(encoding.ids, dtype=np.int64), types, special, np.where(special, -1, word))


class WordEncoder(Encoder):
    """Asks a tokenizer that knows no offsets, one word at a time."""

    def __init__(self, document: Document, tokenizer: Tokenizer) -> None:
        super().__init__(document, tokenizer)
        self._ids = lru_cache(maxsize=65536)(self._tokenize)  # words repeat

    def _tokenize(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.convert_tokens_to_ids(self.tokenizer.tokenize(text)))

    def count(self, lines: np.ndarray) -> Counts:
        pieces, alone = self._sizes(self.gaps), self._sizes(self.starts)
        return Counts(pieces, np.maximum(pieces - alone, 0))

    def _sizes(self, begins: np.ndarray) -> np.ndarray:
        spans = zip(begins, self.ends, strict=True)
        return np.array([len(self._ids(self.text[first:last])) for first, last in spans], dtype=np.int64)

    def encode(self, *edges: int, limit: int | None = None) -> Encoded:
        spans = [self._words(first, last) for first, last in pairwise(edges)]
        ids = [[piece for word in span for piece in word] for span in spans]
        words = [
            np.repeat(np.arange(first, last), [len(word) for word in span])
            for (first, last), span in zip(pairwise(edges), spans, strict=True)
        ]
        if limit is not None:
            sizes = _longest_first([len(span) for span in ids], self.room(limit, pair=len(spans) > 1))
            ids = [span[:size] for span, size in zip(ids, sizes, strict=True)]
            words = [span[:size] for span, size in zip(words, sizes, strict=True)]
        return self._prepare(ids, np.concatenate(words) - edges[0])

    def _words(self, first: int, last: int) -> list[tuple[int, ...]]:
        begins = [self.starts[first], *self.gaps[first + 1 : last]]
        return [self._ids(self.text[a:b]) for a, b in zip(begins, self.ends[first:last], strict=True)]

    def split(self, word: int, room: int) -> list[Encoded]:
        (ids,) = self._words(word, word + 1)
        runs = [list(ids[cut : cut + room]) for cut in range(0, len(ids), room)]
        return [self._prepare([run], np.zeros(len(run), dtype=np.int64)) for run in runs]

    def _prepare(self, ids: list[list[int]], words: np.ndarray) -> Encoded:
        answer = self.tokenizer.prepare_for_model(
            *ids, return_special_tokens_mask=True, return_attention_mask=False, verbose=False
        )
        special = np.array(answer["special_tokens_mask"], dtype=bool)
        word = np.full(len(special), -1, dtype=np.int64)
        word[~special] = words
        types = answer.get("token_type_ids")
        types = None if types is None else np.array(types, dtype=np.int64)
        return Encoded(np.array(answer["input_ids"], dtype=np.int64), types, special, word)


def _longest_first(sizes: list[int], room: int) -> list[int]:
    """How many pieces of one or two spans fit, the longer span losing first, as fast tokenizers do it.

    >>> _longest_first([9, 3], 8), _longest_first([9, 7], 8), _longest_first([9], 8)
    ([5, 3], [4, 4], [8])
    """
    if sum(sizes) <= room:
        return sizes
    if len(sizes) == 1:
        return [room]
    short = min(*sizes, room // 2)
    return [short, room - short] if sizes[0] <= sizes[1] else [room - short, short]
