"""Roles and phrases as the releases of PropBank have them: documents without a line that begins them.

A row has a document, the number of the sentence and of the word, the word, its tag, its part of the phrase
structure, a lemma, a roleset, and one column for each predicate of the sentence. Brackets such as ``(ARG1*``
and ``*)`` open and close a span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headscope.text.documents import Document
from headscope.text.edges import Edge, moved
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item
from headscope.text.readers.blocks import read_blocks, split_spaced
from headscope.text.readers.columns import Columns
from headscope.text.readers.conll import BEGIN, read_conll
from headscope.text.readers.draft import Draft, Sentence
from headscope.text.readers.ids import Ids

SRL, CONSTITUENTS = "srl", "constituents"
_WORD, _TAG, _PHRASES, _FIRST_ROLE = 3, 4, 5, 8
_FIELD = re.compile(r"((?:\([^()*\s]+)*)\*(\)*)")
_OPENING = re.compile(r"\(([^()*\s]+)")
_PREDICATE, _TOP = "V", "TOP"
_Row = tuple[Place, list[str]]
_Span = tuple[int, int, str]


def read_gold_conll(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Read a file whose name does not tell whether it is of the shared task or of PropBank."""
    first = next((line for block in read_blocks(path) for line in block), None)
    is_task = first is None or BEGIN.fullmatch(first[1])
    return (read_conll if is_task else _read_propbank)(path, label, columns)


def _read_propbank(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per name in the first column, with `Document.edges`.

    The tags of the words are `Document.tags`. A role joins its predicate and the words that have it. Phrases
    over the same words are one, and its label names them from the top down: ``S+VP``; the topmost, which
    every sentence has, is none.
    """
    columns.refuse(path)
    ids = Ids()
    current: _Open | None = None
    for block in read_blocks(path):
        rows = [
            (place, content.split("\t") if "\t" in content else split_spaced(content))
            for place, content in block
            if not content.startswith("#")
        ]
        if not rows:
            continue
        place, name = rows[0][0], rows[0][1][0]
        if current is None or current.draft.id != name:
            if current is not None:
                yield current.finish()
            current = _Open(name)
            with current.draft.failing():
                ids.claim(name, place)
        current.add(rows)
    if current is not None:
        yield current.finish()


class _Open:
    """A document while it is read."""

    def __init__(self, id: str) -> None:
        self.draft = Draft(id)
        self._edges: list[Edge] = []
        self._tags: list[str] = []

    def add(self, rows: list[_Row]) -> None:
        with self.draft.failing():
            width = len(rows[0][1])
            for place, cells in rows:
                if len(cells) < _FIRST_ROLE or len(cells) != width:
                    expected = f"{_FIRST_ROLE} or more, and as many in all rows of a sentence"
                    raise place.error(f"{len(cells)} columns; {expected}, are expected")
            self._edges += [moved(edge, self.draft.size) for edge in _edges(rows, width)]
            words, tags = ([cells[place] for _, cells in rows] for place in (_WORD, _TAG))
            self._tags += tags
            self.draft.break_line()
            self.draft.add(Sentence(words, [" "] * len(words), tags=tags))

    def finish(self) -> Document | Broken:
        return self.draft.finish(self._document)

    def _document(self) -> Document:
        return replace(self.draft.document(edges=self._edges), tags=tuple(self._tags))


def _edges(rows: list[_Row], width: int) -> Iterator[Edge]:
    """What is labelled in one sentence."""
    phrases: dict[tuple[int, int], list[str]] = {}
    for start, end, label in sorted(_spans(rows, _PHRASES), key=lambda span: (span[0], -span[1])):
        if label != _TOP:
            phrases.setdefault((start, end), []).append(label)
    yield from (Edge(CONSTITUENTS, "+".join(labels), *span) for span, labels in phrases.items())
    for column in range(_FIRST_ROLE, width):
        spans = _spans(rows, column)
        predicate = next((span for span in spans if span[2] == _PREDICATE), None)
        if predicate is None:
            continue
        for start, end, label in spans:
            if label != _PREDICATE:
                yield Edge(SRL, label, predicate[0], predicate[1], (start, end))


def _spans(rows: list[_Row], column: int) -> list[_Span]:
    """What is between brackets in a column, outer ones before those that they open with."""
    opened: list[tuple[int, str, int]] = []
    spans: dict[int, _Span] = {}
    count = 0
    for word, (place, cells) in enumerate(rows):
        match = _FIELD.fullmatch(cells[column])
        if match is None:
            raise place.error(f"brackets such as (NP*, *) or * are expected, not '{cells[column][:60]}'")
        for label in _OPENING.findall(match[1]):
            opened.append((word, label, count))
            count += 1
        for _ in match[2]:
            if not opened:
                raise place.error(f"a bracket is closed in column {column + 1}, but none is open")
            start, label, number = opened.pop()
            spans[number] = (start, word + 1, label)
    if opened:
        place = rows[opened[-1][0]][0]
        raise place.error(f"the bracket '{opened[-1][1]}' that opens here is never closed")
    return [spans[number] for number in sorted(spans)]
