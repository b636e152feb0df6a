"""Trees with one short line per word, blank lines between the sentences.

Two columns are the word and ``head-relation``; three are word, tag and head, without relations. Heads count
from 1, and 0 is the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headscope.text.lines import Place
from headscope.text.noticing import Item
from headscope.text.readers.blocks import Line, read_blocks, split_spaced
from headscope.text.readers.columns import Columns
from headscope.text.readers.draft import Draft, Sentence
from headscope.text.readers.trees import parse_heads

_UNKNOWN_RELATION = "dep"


def read_dep(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield every sentence as a document of its own; its id is ``label`` and the number of its first line."""
    columns.refuse(path)
    for block in read_blocks(path):
        draft = Draft(f"{label}:{block[0][0].line}")
        with draft.failing():
            draft.add(_sentence(block))
        yield draft.finish(draft.with_trees)


def read_dp(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield the whole file, an article, as one document; each sentence is a line of its text."""
    columns.refuse(path)
    draft = Draft(label)
    for block in read_blocks(path):
        draft.break_line()
        with draft.failing():
            draft.add(_sentence(block))
    yield draft.finish(draft.with_trees)


def _sentence(block: list[Line]) -> Sentence:
    rows = [_row(place, content) for place, content in block]
    words, tags, heads, relations = (list(column) for column in zip(*rows, strict=True))
    parsed = parse_heads([place for place, _ in block], heads)
    return Sentence(words, [" "] * len(words), parsed, relations, tags, [""] * len(words))


def _row(place: Place, content: str) -> tuple[str, str, str, str]:
    """Word, tag, head and relation."""
    columns = split_spaced(content)
    if len(columns) == 3:
        return columns[0], columns[1], columns[2], _UNKNOWN_RELATION
    if len(columns) != 2:
        raise place.error(
            f"{len(columns)} columns; word and head-relation are expected, or word, tag and head"
        )
    head, _, relation = columns[1].partition("-")
    if not relation:
        raise place.error(f"a head and a relation such as 3-nsubj are expected, not '{columns[1][:60]}'")
    return columns[0], "", head, relation
