"""CoNLL-U: treebanks of Universal Dependencies, with coreference where they hold it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.noticing import Broken, Item
from headscope.text.readers.blocks import Line, read_blocks
from headscope.text.readers.columns import Columns
from headscope.text.readers.conllu_words import parse_words
from headscope.text.readers.draft import Draft
from headscope.text.readers.entities import Entities
from headscope.text.readers.ids import Ids

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_NEWPAR = re.compile(r"#\s*newpar(?:\s.*)?")
_LAYOUT = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*")


def read_conllu(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per ``# newdoc``; without that mark every sentence is a document of its own.

    The id is the one of ``# newdoc``, else ``label`` and the number of the first line. A paragraph
    (``# newpar``) begins a new line of the text. Empty nodes are left out.
    """
    columns.refuse(path)
    ids = Ids()
    layout: str | None = None
    current: _Treebank | None = None
    for comments, rows, fault in _parts(path):
        marks = _read_marks(comments)
        layout = marks.layout or layout
        if current is not None:
            current.draft.fail(fault)
        if marks.document is not None:
            if current is not None:
                yield current.finish()
            place, id = marks.document
            current = _Treebank(id or f"{label}:{place.line}", layout)
            with current.draft.failing():
                ids.claim(current.draft.id, place)
        if rows:
            document = current or _Treebank(f"{label}:{(comments or rows)[0][0].line}", layout)
            document.draft.fail(fault)
            document.add(rows, marks.paragraph)
            if current is None:
                yield document.finish()
    if current is not None:
        yield current.finish()


@dataclass
class _Marks:
    """What the comments before a sentence say: place and id of a document, and so on."""

    document: Line | None = None
    paragraph: bool = False
    layout: str | None = None


class _Treebank:
    """A document while it is read."""

    def __init__(self, id: str, layout: str | None) -> None:
        self.draft = Draft(id)
        self._entities = None if layout is None else Entities(layout)

    def add(self, rows: list[Line], paragraph: bool) -> None:
        with self.draft.failing():
            sentence, notes = parse_words(rows)
            if paragraph:
                self.draft.break_line()
            if self._entities is not None:
                self._entities.take(notes, self.draft.size)
            self.draft.add(sentence)

    def finish(self) -> Document | Broken:
        return self.draft.finish(self._document)

    def _document(self) -> Document:
        tree = self.draft.dependencies()
        if self._entities is None:
            return self.draft.document(tree)
        mentions = self.draft.coreference(self._entities.mentions(tree.heads))
        return self.draft.document(tree, mentions, self._entities.kinds())


def _parts(path: Path) -> Iterator[tuple[list[Line], list[Line], InputError | None]]:
    """Comments, the rows that follow them, and what is wrong with their block: comments among its words."""
    for block in read_blocks(path):
        runs = [list(run) for _, run in groupby(block, key=lambda line: line[1].startswith("#"))]
        runs = runs if runs[0][0][1].startswith("#") else [[], *runs]
        fault = None
        if len(runs) > 2:
            place, _ = runs[2][0]
            fault = place.error("a comment among the words of a sentence; a blank line must come before it")
        for comments, rows in zip_longest(runs[::2], runs[1::2], fillvalue=list[Line]()):
            yield comments, rows, fault


def _read_marks(comments: list[Line]) -> _Marks:
    marks = _Marks()
    for place, content in comments:
        if match := _NEWDOC.fullmatch(content):
            marks.document = (place, match[1] or "")
        elif _NEWPAR.fullmatch(content):
            marks.paragraph = True
        elif match := _LAYOUT.fullmatch(content):
            marks.layout = match[1]
    return marks
