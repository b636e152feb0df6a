"""Phrase structure as PropBank releases it: rows of a sentence with a bit of the tree behind each word.

The columns are document, sentence, word number, word, tag, a bit of the parse such as `(NP*` or `*))`, and
behind it frames and arguments, which are not read. A line `# sent_id = DOCUMENT-NUMBER` before a sentence
names it as the treebank of the same words does. Files of the same suffix that hold coreference begin with
`#begin document` and are read as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np

from headscope.text.documents import Document
from headscope.text.layers import Phrases
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item
from headscope.text.readers.blocks import Line, read_blocks, split_spaced
from headscope.text.readers.columns import Columns
from headscope.text.readers.conll import read_conll
from headscope.text.readers.draft import Draft, Sentence

_NAME = re.compile(r"#\s*sent_id\s*=\s*(.*?)(?:-[0-9]+)?\s*")
_WORD, _TAG, _BIT = 3, 4, 5
_FEWEST = 6
_OPEN = re.compile(r"\(([^()*\s]+)")
_FORM = re.compile(r"(?:\([^()*\s]+)*\*\)*")


def read_gold_conll(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document for the sentences of each that follow each other, with their phrases."""
    first = next(iter(read_blocks(path)), None)
    if first is None or not any(_NAME.fullmatch(content) for _, content in first):
        yield from read_conll(path, label, columns)
        return
    columns.refuse(path)
    named = ((_name(block, label), block) for block in read_blocks(path))
    for name, blocks in groupby(named, key=lambda pair: pair[0]):
        yield _Open(name, [block for _, block in blocks]).finish()


def parse_bits(bits: list[tuple[Place, str]]) -> list[tuple[int, int, str]]:
    """Start, end (exclusive) and label of every phrase of a sentence, each before those within it.

    >>> parse_bits([(Place("a", 1), "(S(NP*"), (Place("a", 2), "*)"), (Place("a", 3), "(VP*))")])
    [(0, 3, 'S'), (0, 2, 'NP'), (2, 3, 'VP')]
    """
    starts: list[tuple[int, int, str]] = []
    phrases: list[tuple[int, int, str]] = []
    for word, (place, bit) in enumerate(bits):
        if not _FORM.fullmatch(bit):
            raise place.error(f"a bit of a parse such as (NP* or *)) is expected, not '{bit[:60]}'")
        for opened in _OPEN.findall(bit):
            starts.append((len(phrases), word, opened))
            phrases.append((word, word, opened))
        for _ in range(bit.count(")")):
            if not starts:
                raise place.error("a phrase is closed here, but none is open")
            number, start, opened = starts.pop()
            phrases[number] = (start, word + 1, opened)
    if starts:
        raise bits[starts[-1][1]][0].error(f"the phrase '{starts[-1][2]}' that opens here is never closed")
    return phrases


class _Open:
    """A document while it is read."""

    def __init__(self, name: str, blocks: list[list[Line]]) -> None:
        self._draft, self._phrases = Draft(name), list[tuple[int, int, str]]()
        for block in blocks:
            with self._draft.failing():
                self._add([line for line in block if not line[1].startswith("#")])

    def finish(self) -> Document | Broken:
        return self._draft.finish(self._document)

    def _add(self, lines: list[Line]) -> None:
        rows = [(place, content.split("\t") if "\t" in content else split_spaced(content))
                for place, content in lines]  # fmt: skip
        for place, columns in rows:
            if len(columns) < _FEWEST:
                raise place.error(f"{len(columns)} columns; {_FEWEST} or more are expected, the parse last")
        base = self._draft.size
        phrases = parse_bits([(place, columns[_BIT]) for place, columns in rows])
        self._phrases += [(start + base, end + base, label) for start, end, label in phrases]
        words, tags = ([columns[place] for _, columns in rows] for place in (_WORD, _TAG))
        self._draft.break_line()
        self._draft.add(Sentence(words, [" "] * len(words), tags=tags))

    def _document(self) -> Document:
        marks = self._draft.coreference(())
        spans = np.array([phrase[:2] for phrase in self._phrases], np.int64).reshape(-1, 2)
        labels = tuple(label for _, _, label in self._phrases)
        return replace(self._draft.document(), phrases=Phrases(spans, labels, marks.sentences, marks.tags))


def _name(block: list[Line], label: str) -> str:
    """The document that a sentence belongs to."""
    matches = (_NAME.fullmatch(content) for _, content in block)
    return next((match[1] for match in matches if match), f"{label}:{block[0][0].line}")
