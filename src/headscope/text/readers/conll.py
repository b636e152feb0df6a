"""Coreference as in the shared task of CoNLL-2012, and as GUM and OntoGUM export it.

A row of the shared task has at least six columns, parted by tabs or spaces: document, part, number, word,
tag, and in the last one the mentions; what lies between is not read. A row of GUM has three: number, word,
mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from headscope.text.documents import Document
from headscope.text.edges import Edge
from headscope.text.layers import Mention
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item
from headscope.text.readers.blocks import Line, parse_number, read_blocks, split_spaced
from headscope.text.readers.brackets import Brackets
from headscope.text.readers.columns import Columns
from headscope.text.readers.draft import Draft, Sentence
from headscope.text.readers.entities import ENTITIES
from headscope.text.readers.ids import Ids

_Row = tuple[Place, list[str]]

BEGIN = re.compile(r"#\s*begin document\b\s*(?:\((.*)\);\s*part\s+0*([0-9]+)|(.*?))\s*")
"""The line that begins a document."""
_END = re.compile(r"#\s*end document\b.*")


class _Layout(NamedTuple):
    """Which column holds the number, the word and the tag."""

    number: int
    word: int
    tag: int | None


_SHARED_TASK, _EXPORT = _Layout(2, 3, 4), _Layout(0, 1, None)
_EXPORT_COLUMNS, _FEWEST_COLUMNS = 3, 6


def read_conll(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per part, between ``#begin document`` and ``#end document``.

    The id is that of the document and, in the shared task, its part: ``bc/cctv/00/cctv_0000:1``. Words are
    joined by spaces, each sentence is a line of the text; an export of GUM, which parts no sentences, is one
    sentence per document. A word may be empty, as one of OntoGUM is.
    """
    columns.refuse(path)
    ids = Ids()
    current: _Open | None = None
    for block in read_blocks(path):
        rows: list[Line] = []
        for place, content in block:
            begin, end = BEGIN.fullmatch(content), _END.fullmatch(content)
            if content.startswith("#") and not begin and not end:
                continue
            if begin:
                if current is not None:
                    yield current.cut_off()
                current, rows = _Open(_id(begin, label, place), place), []
                with current.draft.failing():
                    ids.claim(current.draft.id, place)
                continue
            if current is None:
                current = _Open(f"{label}:{place.line}", place)
                problem = "no document is open here; a line '#begin document' must come first"
                current.draft.fail(place.error(problem))
            if end:
                yield current.finish(rows)
                current, rows = None, []
            else:
                rows.append((place, content))
        if current is not None:
            current.add(rows)
    if current is not None:
        yield current.cut_off()


def _id(begin: re.Match[str], label: str, place: Place) -> str:
    name, part, other = begin.groups()
    return f"{name}:{part}" if part else other or f"{label}:{place.line}"


class _Open:
    """A document while it is read."""

    def __init__(self, id: str, place: Place) -> None:
        self.draft, self._place = Draft(id), place
        self._brackets = Brackets(_entity)

    def add(self, lines: list[Line]) -> None:
        """Take the lines of a sentence."""
        if not lines:
            return
        rows = [
            (place, content.split("\t") if "\t" in content else split_spaced(content))
            for place, content in lines
        ]
        with self.draft.failing():
            self.draft.break_line()
            sentence = _sentence(rows)
            for word, (place, columns) in enumerate(rows, start=self.draft.size):
                self._brackets.feed(columns[-1].strip(), place, word, word + 1)
            self.draft.add(sentence)

    def finish(self, lines: list[Line]) -> Document | Broken:
        """Take the last lines and give the document."""
        self.add(lines)
        return self.draft.finish(self._document)

    def cut_off(self) -> Document | Broken:
        """What is left where another document begins, or the file ends."""
        problem = f"document '{self.draft.id}' begins here and has no '#end document'; is the file cut off?"
        self.draft.fail(self._place.error(problem))
        return self.finish([])

    def _document(self) -> Document:
        found = self._brackets.finish()
        mentions = [Mention(mention.start, mention.end, _entity(mention.label)) for mention in found]
        kinds = [
            Edge(ENTITIES, _kind(mention.label), mention.start, mention.end)
            for mention in found
            if _kind(mention.label)
        ]
        return self.draft.document(None, self.draft.coreference(mentions), kinds or None)


def _sentence(rows: list[_Row]) -> Sentence:
    layout = _layout(rows)
    words = [columns[layout.word] for _, columns in rows]
    numbers = [parse_number(place, "a word number", columns[layout.number]) for place, columns in rows]
    for index, (place, _) in enumerate(rows):
        if numbers[index] != numbers[0] + index:
            raise place.error(f"word number {numbers[index]} does not follow {numbers[index - 1]}")
    tags = ["" if layout.tag is None else columns[layout.tag] for _, columns in rows]
    return Sentence(words, [" "] * len(words), tags=["" if tag in ("_", "-") else tag for tag in tags])


def _layout(rows: list[_Row]) -> _Layout:
    """Tell the layout by the number of columns, which is the same in all rows of a sentence."""
    first = len(rows[0][1])
    for place, columns in rows:
        size = len(columns)
        if size != _EXPORT_COLUMNS and size < _FEWEST_COLUMNS:
            expected = f"{_FEWEST_COLUMNS} or more are expected, or {_EXPORT_COLUMNS} in an export of GUM"
            raise place.error(f"{size} columns; {expected}")
        if size != first:
            raise place.error(f"{size} columns, but the sentence began with {first}; is the line cut?")
    return _EXPORT if first == _EXPORT_COLUMNS else _SHARED_TASK


def _entity(label: str) -> str:
    """The number in labels such as ``12``, ``person-12`` or ``12-person``, else the whole label.

    >>> _entity("place-8-Netherlands")
    '8'
    """
    return next((part for part in label.split("-") if part.isdecimal()), label)


def _kind(label: str) -> str:
    """What sort of entity a label such as ``place-8-Netherlands`` names first, before its number, or nothing.

    >>> _kind("place-8-Netherlands"), _kind("8")
    ('place', '')
    """
    parts = label.split("-")
    return parts[0] if len(parts) > 1 and parts[1].isdecimal() and not parts[0].isdecimal() else ""
