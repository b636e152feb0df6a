"""Coreference as in the shared task of CoNLL-2012, and as GUM and OntoGUM export it.

A row of the shared task has at least six columns, parted by tabs or spaces: document, part, number, word,
tag, and in the last one the mentions; what lies between is not read. A row of GUM has three: number, word,
mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from headscope.errors import InputError, located
from headscope.text.documents import Document
from headscope.text.layers import Mention
from headscope.text.readers.blocks import Line, parse_number, read_blocks, split_spaced
from headscope.text.readers.brackets import Brackets
from headscope.text.readers.draft import Draft, Sentence
from headscope.text.readers.ids import Ids
from headscope.text.readers.rows import Columns

_BEGIN = re.compile(r"#\s*begin document\b\s*(?:\((.*)\);\s*part\s+0*([0-9]+)|(.*?))\s*")
_END = re.compile(r"#\s*end document\b.*")


class _Layout(NamedTuple):
    """Which column holds the number, the word and the tag."""

    number: int
    word: int
    tag: int | None


_SHARED_TASK, _EXPORT = _Layout(2, 3, 4), _Layout(0, 1, None)
_EXPORT_COLUMNS, _FEWEST_COLUMNS = 3, 6


def read_conll(path: Path, label: str, columns: Columns) -> Iterator[Document]:
    """Yield one document per part, between ``#begin document`` and ``#end document``.

    The id is that of the document and, in the shared task, its part: ``bc/cctv/00/cctv_0000:1``. Words are
    joined by spaces, each sentence is a line of the text; an export of GUM, which parts no sentences, is one
    sentence per document. A word may be empty, as one of OntoGUM is.
    """
    columns.refuse(str(path))
    ids = Ids(path)
    current: _Part | None = None
    for block in read_blocks(path):
        rows: list[Line] = []
        for line, content in block:
            if begin := _BEGIN.fullmatch(content):
                _refuse_open(path, current)
                current = _Part(path, ids.claim(_id(begin, label, line), line), line)
            elif _END.fullmatch(content):
                yield _open_one(path, line, current).finish(rows)
                current, rows = None, []
            elif not content.startswith("#"):
                _open_one(path, line, current)
                rows.append((line, content))
        if current is not None:
            current.add(rows)
    _refuse_open(path, current)


def _id(begin: re.Match[str], label: str, line: int) -> str:
    name, part, other = begin.groups()
    return f"{name}:{part}" if part else other or f"{label}:{line}"


def _open_one(path: Path, line: int, current: _Part | None) -> _Part:
    if current is None:
        raise InputError(
            located(path, line, "no document is open here; a line '#begin document' must come first")
        )
    return current


def _refuse_open(path: Path, current: _Part | None) -> None:
    if current is not None:
        problem = f"document '{current.id}' begins here and has no '#end document'; is the file cut off?"
        raise InputError(located(path, current.line, problem))


class _Part:
    """A document while it is read."""

    def __init__(self, path: Path, id: str, line: int) -> None:
        self.id, self.line = id, line
        self._path = path
        self._draft = Draft(id)
        self._brackets = Brackets(path, _entity)

    def add(self, rows: list[Line]) -> None:
        """Take the rows of a sentence."""
        split = [
            (line, content.split("\t") if "\t" in content else split_spaced(content))
            for line, content in rows
        ]
        if not split:
            return
        self._draft.break_line()
        sentence = self._sentence(_layout(self._path, split), split)
        for place, (line, columns) in enumerate(split, start=self._draft.size):
            self._brackets.feed(columns[-1].strip(), line, place, place + 1)
        self._draft.add(sentence)

    def _sentence(self, layout: _Layout, rows: list[tuple[int, list[str]]]) -> Sentence:
        words = [columns[layout.word] for _, columns in rows]
        numbers = [
            parse_number(self._path, line, "a word number", columns[layout.number]) for line, columns in rows
        ]
        for place, (line, _) in enumerate(rows):
            if numbers[place] != numbers[0] + place:
                problem = f"word number {numbers[place]} does not follow {numbers[place - 1]}"
                raise InputError(located(self._path, line, problem))
        tags = ["" if layout.tag is None else columns[layout.tag] for _, columns in rows]
        return Sentence(words, [" "] * len(words), tags=["" if tag in ("_", "-") else tag for tag in tags])

    def finish(self, rows: list[Line]) -> Document:
        """Take the last rows and give the document."""
        self.add(rows)
        found = self._brackets.finish()
        mentions = [Mention(one.start, one.end, _entity(one.label)) for one in found]
        return self._draft.document(coreference=self._draft.coreference(mentions))


def _layout(path: Path, rows: Iterable[tuple[int, list[str]]]) -> _Layout:
    """Tell the layout by the number of columns, which is the same in all rows of a sentence."""
    sizes = [(line, len(columns)) for line, columns in rows]
    first = sizes[0][1]
    for line, size in sizes:
        if size != _EXPORT_COLUMNS and size < _FEWEST_COLUMNS:
            expected = f"{_FEWEST_COLUMNS} or more are expected, or {_EXPORT_COLUMNS} in an export of GUM"
            problem = f"{size} columns; {expected}"
            raise InputError(located(path, line, problem))
        if size != first:
            problem = f"{size} columns, but the sentence began with {first}; is the line cut?"
            raise InputError(located(path, line, problem))
    return _EXPORT if first == _EXPORT_COLUMNS else _SHARED_TASK


def _entity(label: str) -> str:
    """The number in labels such as ``12``, ``person-12`` or ``12-person``, else the whole label.

    >>> _entity("place-8-Netherlands")
    '8'
    """
    return next((part for part in label.split("-") if part.isdecimal()), label)
