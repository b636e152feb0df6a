"""Coreference in the Entity values of CoNLL-U, as GUM and CorefUD write it.

A comment ``# global.Entity = GRP-etype-...-minspan-...`` names the fields of a mention; the first is its
entity. Without that comment Entity values are names of another kind, and no coreference. Mentions in several
parts (``[1/2]``) and those of empty nodes alone are left out; bridging and split antecedents are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from headscope.errors import InputError, located
from headscope.text.layers import Mention
from headscope.text.readers.blocks import NUMBER
from headscope.text.readers.brackets import Bracketed, Brackets
from headscope.text.readers.conllu_words import Note

_PART = re.compile(r".*\[[0-9]+/[0-9]+\]")
_HEAD_FIELDS = ("minspan", "head")


class Entities:
    """The mentions of one document; ``layout`` names the fields of a mention, parted by hyphens."""

    def __init__(self, path: Path, layout: str) -> None:
        self._path = path
        fields = layout.split("-")
        self._head_field = next((fields.index(name) for name in _HEAD_FIELDS if name in fields), None)
        self._brackets = Brackets(path, _entity)
        self._empty: list[int] = []  # words before each empty node

    def take(self, notes: Iterable[Note], base: int) -> None:
        """Take the notes of a sentence that begins at word ``base`` of the document."""
        for line, start, end, value in notes:
            if start == end:
                self._empty.append(base + start)
            self._brackets.feed(value, line, base + start, base + end)

    def mentions(self, heads: np.ndarray) -> list[Mention]:
        """All mentions; ``heads`` (word,) are those of the document."""
        found = [one for one in self._brackets.finish() if one.start < one.end and not _is_part(one)]
        return [Mention(one.start, one.end, _entity(one.label), self._head(one, heads)) for one in found]

    def _head(self, one: Bracketed, heads: np.ndarray) -> int:
        """The word that the head field names; without a single one, the first whose head is outside."""
        fields = one.label.split("-")
        named = "" if self._head_field is None else "".join(fields[self._head_field : self._head_field + 1])
        # Corpora differ in whether such an index counts the empty nodes.
        if NUMBER.fullmatch(named) and not any(one.start <= place <= one.end for place in self._empty):
            if not 1 <= int(named) <= one.end - one.start:
                problem = f"word {named} is to be the head of a mention of {one.end - one.start} words"
                raise InputError(located(self._path, one.line, problem))
            return one.start + int(named) - 1
        inside = heads[one.start : one.end]
        return one.start + int(np.argmax((inside < one.start) | (inside >= one.end)))


def _entity(label: str) -> str:
    return label.partition("-")[0]


def _is_part(one: Bracketed) -> bool:
    return bool(_PART.fullmatch(_entity(one.label)))
