"""Words with their tags, one per line, blank lines between the sentences, as in CoNLL-2000 and CoNLL-2003.

Spaces or tabs part the columns; the first is the word, the last its tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item
from headscope.text.readers.blocks import Line, read_blocks, split_spaced
from headscope.text.readers.columns import Columns
from headscope.text.readers.labels import label_text

_DOCUMENT = "-DOCSTART-"
"""The first word of a line that parts documents."""


def read_tags(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield every sentence as a document of its own; its id is ``label`` and the number of its first line.

    All lines of a file have the same number of columns, at least two.
    """
    columns.refuse_names(path, "the columns of this format have no names")
    if columns.wanted == "label" or columns.second:
        problem = "words with tags, one per line, have no label for the text; tagging can read them"
        raise Place(path).error(problem)
    first: Line | None = None
    for block in read_blocks(path):
        for parting, lines in groupby(block, key=lambda line: line[1].split(maxsplit=1)[0] == _DOCUMENT):
            if not parting:
                sentence = list(lines)
                first = first or sentence[0]
                yield _document(f"{label}:{sentence[0][0].line}", sentence, first)


def _document(id: str, lines: list[Line], first: Line) -> Document | Broken:
    try:
        rows = _rows(lines, first)
        tags = tuple(label_text("tag", row[-1], line[0]) for row, line in zip(rows, lines, strict=True))
    except InputError as error:
        return Broken(id, error)
    return replace(Document.from_words(id, [row[0] for row in rows]), tags=tags)


def _rows(lines: list[Line], first: Line) -> list[list[str]]:
    """The columns of each line, as many as the first line of the file has."""
    rows = [split_spaced(content) for _, content in lines]
    expected = len(split_spaced(first[1]))
    for (place, _), row in zip(lines, rows, strict=True):
        if len(row) < 2:
            raise place.error(
                f"a word and its tag are expected, parted by a space or a tab, not '{row[0][:60]}' alone"
            )
        if len(row) != expected:
            others = f"line {first[0].line} has {expected}"
            raise place.error(f"{len(row)} columns, but {others}; all lines must have as many")
    return rows
