"""Segments: what a model sees at once, cut from documents without losing a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headscope.text.documents import Document
from headscope.text.encoding import Encoded, Encoder, Tokenizer, encoder_for
from headscope.text.layout import Layout
from headscope.text.sentences import line_starts


@dataclass(frozen=True, eq=False)
class Segment:
    """One input of a model: one or two consecutive spans of a document, with their special tokens.

    Shapes: pieces, types, special and word are (piece,), target and target_word are (piece,) of the target
    side.
    """

    document: str
    index: int  # number of the segment within its document
    pieces: np.ndarray  # ids, exactly as the tokenizer builds them
    types: np.ndarray | None  # token type ids, where the tokenizer gives them
    special: np.ndarray  # True for the special tokens that were added
    word: np.ndarray  # index into words, -1 for special pieces
    words: tuple[str, ...]
    spans: tuple[int, ...]  # first word of each span
    target: np.ndarray | None = None
    first_word: int = 0  # index within the document of words[0]
    part: Document | None = None  # the words with their layers, where a segment shows them whole
    cut: tuple[int, int] = (0, 0)  # windows up to here that end within a sentence, mentions cut apart there
    target_word: np.ndarray | None = None  # index into target_words, -1 for special pieces
    target_words: tuple[str, ...] = ()  # where both sides of a pair are read word by word

    def __len__(self) -> int:
        return len(self.pieces)


def cut(document: Document, tokenizer: Tokenizer, max_pieces: int, pair: bool) -> Iterator[Segment]:
    """Cut a document into segments of at most ``max_pieces`` pieces, special tokens included.

    A segment is filled with whole lines of the document as long as they fit. A line that alone is too long
    is cut between words, and a word that alone is too long between its pieces: only such a word is in
    several segments. All other words are in exactly one, in order; a word to which the tokenizer gives no
    piece has none here either.

    With ``pair``, a segment becomes two consecutive spans, as in Clark et al. 2019, section 3: parted at the
    line nearest its middle (in pieces), else after the nearest sentence, else at the nearest word. A
    single word is a single span.

    The target of a document is cut off after ``max_pieces`` pieces and goes with each of its segments.
    """
    encoder = encoder_for(document, tokenizer)
    room = encoder.room(max_pieces, pair)
    if not document.words:
        return
    target = encode_target(document, tokenizer, max_pieces)
    index = 0
    for edges, encoded in _fill(document, encoder, max_pieces, room, pair):
        if encoded.special.all():
            continue
        words = tuple(document.surface(word) for word in range(edges[0], edges[-1]))
        spans = tuple(edge - edges[0] for edge in edges[:-1])
        yield Segment(document.id, index, *encoded, words, spans, target, edges[0])
        index += 1


def _fill(
    document: Document, encoder: Encoder, max_pieces: int, room: int, pair: bool
) -> Iterator[tuple[tuple[int, ...], Encoded]]:
    """Yield the edges of the spans of each segment, counted in words, and their pieces."""
    lines = line_starts(document)
    layout = Layout(document, lines, encoder.count(lines))
    start = 0
    while start < layout.size:
        edges, encoded = _fit(layout, encoder, start, max_pieces, room, pair)
        if len(encoded.pieces) <= max_pieces:
            yield edges, encoded
        else:
            runs = encoder.split(start, encoder.room(max_pieces, pair=False))
            yield from ((edges, run) for run in runs)
        start = edges[-1]


def _fit(
    layout: Layout, encoder: Encoder, start: int, max_pieces: int, room: int, pair: bool
) -> tuple[tuple[int, ...], Encoded]:
    """Take as much as fits from ``start`` on; only a single word may come back too long.

    The start of a span may be encoded otherwise than the same words in running text, so what was counted to
    fit can come out too long; it is then chosen again for as much less room.
    """
    while True:
        stop = layout.stop(start, room)
        middle = layout.middle(start, stop) if pair else None
        edges = (start, stop) if middle is None else (start, middle, stop)
        encoded = encoder.encode(*edges)
        excess = len(encoded.pieces) - max_pieces
        if excess <= 0 or stop == start + 1:
            return edges, encoded
        room = min(layout.pieces(start, stop) - excess, room - 1)


def encode_target(document: Document, tokenizer: Tokenizer, max_pieces: int) -> np.ndarray | None:
    """The target of a document, cut off after ``max_pieces`` pieces; None where it has none."""
    if document.target is None:
        return None
    answer = tokenizer(text_target=document.target, truncation=True, max_length=max_pieces, verbose=False)
    return np.array(answer["input_ids"], dtype=np.int64)
