"""Sentences and windows that a model sees whole, with their annotation: one input each, nothing cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from headscope.text.documents import Document, join_words
from headscope.text.encoding import Tokenizer, encoder_for
from headscope.text.layers import OUTSIDE
from headscope.text.segments import Segment, cut
from headscope.text.windows import sentence_edges, sentences, window


@dataclass(frozen=True)
class Skipped:
    """Words that are not looked at, and why."""

    words: int
    reason: str


class Cutter(Protocol):
    """A way to make a model's inputs of a document."""

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        """Segments of at most so many pieces, in order, and what is left out."""
        ...


@dataclass(frozen=True)
class Spans:
    """Running text: segments filled with lines; with `pair`, each of two consecutive spans.

    shortest: segments of fewer pieces, special tokens included, are left out.
    """

    pair: bool
    shortest: int = 1

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        for segment in cut(document, tokenizer, pieces, self.pair):
            if len(segment) < self.shortest:
                yield Skipped(len(segment.words), f"in segments of fewer than {self.shortest} pieces")
            else:
                yield segment


@dataclass(frozen=True)
class Sentences:
    """Sentences of a treebank, each by itself, with its tree.

    With `spaced`, words are parted by single spaces, as the published code does it: then no piece spans two
    words of the treebank ("cannot" is two). Without, sentences are encoded as they were written.
    """

    spaced: bool = True

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        for number, sentence in sentences(document):
            segment = whole(spaced(sentence) if self.spaced else sentence, tokenizer, number)
            if len(segment) > pieces:
                yield Skipped(len(sentence.words), f"in a sentence of more than {pieces} pieces")
                continue
            known = has_piece(segment)
            yield from _without(~known, "the tokenizer has no piece for the word")
            if sentence.dependencies is not None:
                heads = sentence.dependencies.heads
                lost = (heads >= 0) & ~known[heads.clip(0)]
                yield from _without(known & lost, "no piece for the word's head")
                yield from _without(known & (heads == OUTSIDE), "the word's head is in another sentence")
            if known.any():
                yield segment


@dataclass(frozen=True)
class Windows:
    """Runs of whole sentences of at most so many words, with their mentions; `first`: one for each document.

    A sentence that is longer than a window, or than the model takes, is cut between words; this and the
    mentions that are lost by it are counted in `Segment.cut`. `spaced` as for `Sentences`.
    """

    words: int
    first: bool = False
    spaced: bool = True

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        document = spaced(document) if self.spaced else document
        edges, size = sentence_edges(document), len(document.words)
        spans = _mention_spans(document)
        start = index = windows = mentions = 0
        while start < size:
            stop = _last_edge(edges, start, min(start + self.words, size))
            segment = whole(window(document, start, stop), tokenizer, index)
            while len(segment) > pieces and stop > start + 1:
                stop = _last_edge(edges, start, start + _fitting(segment, pieces))
                segment = whole(window(document, start, stop), tokenizer, index)
            windows += int(stop not in edges)
            mentions += int(((start <= spans[0]) & (spans[0] < stop) & (stop < spans[1])).sum())
            first, start, index = start, stop, index + 1
            if len(segment) > pieces:
                yield Skipped(1, f"a word of more than {pieces} pieces")
                continue
            known = has_piece(segment)
            yield from _without(~known, "the tokenizer has no piece for the word")
            if known.any():
                yield replace(segment, first_word=first, cut=(windows, mentions))
                windows = mentions = 0
            if self.first and start < size:
                yield Skipped(size - start, "after the first window of the document")
                return


def _mention_spans(document: Document) -> np.ndarray:
    """Where the mentions of a document begin and end, (2, mention)."""
    mentions = () if document.coreference is None else document.coreference.mentions
    return np.array([(mention.start, mention.end) for mention in mentions], np.int64).reshape(-1, 2).T


def _last_edge(edges: np.ndarray, start: int, limit: int) -> int:
    """The last end of a sentence up to a word, or that word where the sentence itself is longer."""
    edge = int(edges[np.searchsorted(edges, limit, side="right") - 1])
    return edge if edge > start else limit


def _fitting(segment: Segment, pieces: int) -> int:
    """How many words of a segment that is too long fit into so many pieces, at least 1 and not all."""
    room = pieces - int((segment.word < 0).sum())
    fitting = int(np.searchsorted(np.cumsum(_piece_counts(segment)), room, side="right"))
    return min(max(fitting, 1), len(segment.words) - 1)


def whole(document: Document, tokenizer: Tokenizer, index: int = 0) -> Segment:
    """All words of a document as one segment, however long.

    Unlike `cut`, it keeps the document itself, with its layers, in ``Segment.part``.
    """
    encoded = encoder_for(document, tokenizer).encode(0, len(document.words))
    return Segment(document.id, index, *encoded, document.surfaces(), spans=(0,), part=document)


def spaced(document: Document) -> Document:
    """The same words and layers, the words parted by single spaces."""
    text, spans = join_words(document.surfaces(), [" "] * len(document.words))
    return replace(document, text=text, words=spans)


def has_piece(segment: Segment) -> np.ndarray:
    """Whether the tokenizer gave each word a piece, (word,) bool."""
    return _piece_counts(segment) > 0


def _piece_counts(segment: Segment) -> np.ndarray:
    """How many pieces each word has, (word,)."""
    return np.bincount(segment.word[segment.word >= 0], minlength=len(segment.words))


def _without(missing: np.ndarray, reason: str) -> Iterator[Skipped]:
    if missing.any():
        yield Skipped(int(missing.sum()), reason)
