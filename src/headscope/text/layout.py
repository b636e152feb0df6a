"""Where a document may be cut: at lines, at sentences, between words."""

from __future__ import annotations

import numpy as np

from headscope.text.documents import Document
from headscope.text.encoding import Counts
from headscope.text.sentences import SENTENCE_ENDS


def sentence_starts(document: Document) -> np.ndarray:
    """Each word whose forerunner closes a sentence, (sentence,)."""
    closes = [end > start and document.text[end - 1] in SENTENCE_ENDS for start, end in document.words]
    return np.flatnonzero(np.array(closes[:-1], dtype=bool)) + 1


class Layout:
    """The words of a document measured in pieces, with the places where it may be cut."""

    def __init__(self, document: Document, lines: np.ndarray, counts: Counts) -> None:
        self.lines = lines
        self.sentences = sentence_starts(document)
        self.size = len(document.words)
        self._before = np.concatenate([[0], np.cumsum(counts.pieces)])  # pieces before each word
        self._lead = counts.lead

    def pieces(self, start: int, stop: int) -> int:
        """How many pieces the words from start to stop are expected to have."""
        return int(self._before[stop] - self._before[start] - self._lead[start])

    def stop(self, start: int, room: int) -> int:
        """How far whole lines go that fit, else whole words of one line, but at least one word."""
        limit = self._before[start] + self._lead[start] + room
        reach = int(np.searchsorted(self._before, limit, side="right")) - 1
        if reach >= self.size:
            return self.size
        line = int(self.lines[np.searchsorted(self.lines, reach, side="right") - 1])
        return line if line > start else max(reach, start + 1)

    def middle(self, start: int, stop: int) -> int | None:
        """The word that begins the second of two spans, nearest the middle in pieces.

        None where a single word has all the pieces.
        """
        low, high = self._before[start], self._before[stop]
        for places in (self.lines, self.sentences, np.arange(start + 1, stop)):
            near = places[np.searchsorted(places, start, side="right") : np.searchsorted(places, stop)]
            before = self._before[near]
            inside = (before > low) & (before < high)
            if inside.any():
                near, before = near[inside], before[inside]
                return int(near[np.argmin(np.abs(2 * before - low - high))])
        return None
