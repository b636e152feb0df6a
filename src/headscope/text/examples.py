"""Labelled documents made into a model's inputs, one example each; the document is in ``Segment.part``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.encoding import Tokenizer, encoder_for, writing_targets
from headscope.text.parallel import words_in
from headscope.text.segments import Segment, encode_target
from headscope.text.whole import Skipped, spaced, whole
from headscope.text.words import split_words


@dataclass(frozen=True)
class Texts:
    """The text as the tokenizer builds it, or with `pair` the text and its second text.

    What is too long is cut off by the tokenizer, the longer of two texts first. White space around a text
    is left out.
    """

    pair: bool = False

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        joined, edges = _side_by_side(document) if self.pair else (document, (0, len(document.words)))
        encoder = encoder_for(joined, tokenizer)
        encoder.room(pieces, self.pair)  # refuses what leaves none
        encoded = encoder.encode(*edges, limit=pieces)
        reached = np.ones(edges[-1], dtype=bool)
        if len(encoded.pieces) == pieces:
            reached = _reached(encoded.word, edges)
            if not reached.all():
                yield Skipped(int((~reached).sum()), f"cut off after {pieces} pieces")
        before = np.cumsum(reached) - reached  # of each word, how many before it are reached
        encoded = encoded._replace(word=np.where(encoded.word < 0, -1, before[encoded.word]))
        words = tuple(joined.surface(word) for word in np.flatnonzero(reached).tolist())
        spans = tuple(before[list(edges[:-1])].tolist())
        yield Segment(document.id, 0, *encoded, words, spans, part=document)


@dataclass(frozen=True)
class Tagged:
    """A sentence with its tags, its words parted by single spaces; left out where it is too long."""

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        segment = whole(spaced(document), tokenizer)
        if len(segment) > pieces:
            yield Skipped(len(document.words), f"in a sentence of more than {pieces} pieces")
        else:
            yield segment


@dataclass(frozen=True)
class Translated:
    """A text with its target, both whole; left out where one of them is too long."""

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        segment, target = whole(document, tokenizer), encode_target(document, tokenizer, pieces + 1)
        if target is None:
            raise InputError(f"document '{document.id}' has no target; name its column (--target)")
        if max(len(segment), len(target)) > pieces:
            yield Skipped(len(document.words), f"source or target of more than {pieces} pieces")
        else:
            yield replace(segment, target=target)


@dataclass(frozen=True)
class Paired:
    """A pair with the words of both sides, which the model sees whole; left out where one side is too long.

    found: as the pair was read (`text.parallel`).
    """

    found: bool = False

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        segment, target = whole(document, tokenizer), document.target or ""
        other = Document(document.id, target, words_in(target, self.found))
        with writing_targets(tokenizer):
            written = encoder_for(other, tokenizer).encode(0, len(other.words))
        if max(len(segment), len(written.pieces)) > pieces:
            yield Skipped(len(document.words), f"in a pair with a side of more than {pieces} pieces")
            return
        yield replace(segment, target=written.pieces, target_word=written.word, target_words=other.surfaces())


def _side_by_side(document: Document) -> tuple[Document, tuple[int, ...]]:
    """Text and second text as one document, and where each begins and ends, in words."""
    second = split_words(document.second or "")
    if not second:
        raise InputError(f"document '{document.id}' has no second text; name its column (--second)")
    base, size = len(document.text) + 1, len(document.words)
    words = (*document.words, *((start + base, end + base) for start, end in second))
    return Document(document.id, f"{document.text}\n{document.second}", words), (0, size, len(words))


def _reached(word: np.ndarray, edges: tuple[int, ...]) -> np.ndarray:
    """Which words lie between the first and the last of their span that have a piece, (word,) bool."""
    reached = np.zeros(edges[-1], dtype=bool)
    for start, stop in pairwise(edges):
        inside = word[(word >= start) & (word < stop)]
        if inside.size:
            reached[inside.min() : inside.max() + 1] = True
    return reached
