"""CoNLL-U: treebanks of Universal Dependencies, with coreference where they hold it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headscope.text.documents import Document
from headscope.text.readers.blocks import Line, read_blocks
from headscope.text.readers.conllu_words import parse_words
from headscope.text.readers.draft import Draft
from headscope.text.readers.entities import Entities
from headscope.text.readers.ids import Ids
from headscope.text.readers.rows import Columns

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_NEWPAR = re.compile(r"#\s*newpar(?:\s.*)?")
_LAYOUT = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*")


def read_conllu(path: Path, label: str, columns: Columns) -> Iterator[Document]:
    """Yield one document per ``# newdoc``; without that mark every sentence is a document of its own.

    The id is the one of ``# newdoc``, else ``label`` and the number of the first line. A paragraph
    (``# newpar``) begins a new line of the text. Empty nodes are left out.
    """
    columns.refuse(path)
    ids = Ids()
    layout: str | None = None
    current: _Treebank | None = None
    for block in read_blocks(path):
        comments, rows = _part(block)
        marks = _read_marks(comments)
        layout = marks.layout or layout
        if marks.document is not None:
            if current is not None:
                yield current.finish()
            place, id = marks.document
            current = _Treebank(ids.claim(id or f"{label}:{place.line}", place), layout)
        if rows and current is not None:
            current.add(rows, marks.paragraph)
        elif rows:
            alone = _Treebank(f"{label}:{block[0][0].line}", layout)
            alone.add(rows, paragraph=False)
            yield alone.finish()
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
        self._draft = Draft(id)
        self._entities = None if layout is None else Entities(layout)

    def add(self, rows: list[Line], paragraph: bool) -> None:
        sentence, notes = parse_words(rows)
        if paragraph:
            self._draft.break_line()
        if self._entities is not None:
            self._entities.take(notes, self._draft.size)
        self._draft.add(sentence)

    def finish(self) -> Document:
        tree = self._draft.dependencies()
        if self._entities is None:
            return self._draft.document(tree)
        return self._draft.document(tree, self._draft.coreference(self._entities.mentions(tree.heads)))


def _part(block: list[Line]) -> tuple[list[Line], list[Line]]:
    """Part the comments of a block from the rows that follow them."""
    first = next((row for row, (_, content) in enumerate(block) if content[0] != "#"), len(block))
    for place, content in block[first:]:
        if content.startswith("#"):
            raise place.error("a comment among the words of a sentence; a blank line must come before it")
    return block[:first], block[first:]


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
