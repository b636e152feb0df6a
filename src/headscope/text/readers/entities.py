"""Coreference in the Entity values of CoNLL-U, as GUM and CorefUD write it.

A comment ``# global.Entity = GRP-etype-...-minspan-...`` names the fields of a mention; the first is its
entity. Without that comment Entity values are names of another kind, and no coreference. Mentions in several
pieces (``[1/2]``) and those of empty nodes alone are left out; bridging and split antecedents are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from headscope.text.edges import Edge
from headscope.text.head_words import topmost
from headscope.text.layers import Mention
from headscope.text.readers.blocks import NUMBER
from headscope.text.readers.brackets import Bracketed, Brackets
from headscope.text.readers.conllu_words import Note

_PIECE = re.compile(r".*\[[0-9]+/[0-9]+\]")
_HEAD_FIELDS, _KIND_FIELD = ("minspan", "head"), "etype"

ENTITIES = "entities"
"""The kind of labels that say what sort of entity words name."""


class Entities:
    """The mentions of one document; ``layout`` names the fields of a mention, parted by hyphens."""

    def __init__(self, layout: str) -> None:
        fields = layout.split("-")
        self._head_field = next((fields.index(name) for name in _HEAD_FIELDS if name in fields), None)
        self._kind_field = fields.index(_KIND_FIELD) if _KIND_FIELD in fields else None
        self._brackets = Brackets(_entity)
        self._found: list[Bracketed] | None = None
        self._empty: list[int] = []  # words before each empty node

    def take(self, notes: Iterable[Note], base: int) -> None:
        """Take the notes of a sentence that begins at word ``base`` of the document."""
        for place, start, end, value in notes:
            if start == end:
                self._empty.append(base + start)
            self._brackets.feed(value, place, base + start, base + end)

    def mentions(self, heads: np.ndarray) -> list[Mention]:
        """All mentions; ``heads`` (word,) are those of the document."""
        return [
            Mention(mention.start, mention.end, _entity(mention.label), self._head(mention, heads))
            for mention in self._finished()
        ]

    def kinds(self) -> list[Edge] | None:
        """What sort of entity each mention names; None where the fields do not say it."""
        if self._kind_field is None:
            return None
        named = [(mention, mention.label.split("-")[self._kind_field :]) for mention in self._finished()]
        return [
            Edge(ENTITIES, fields[0], mention.start, mention.end)
            for mention, fields in named
            if fields and fields[0]
        ]

    def _finished(self) -> list[Bracketed]:
        if self._found is None:
            self._found = self._brackets.finish(_is_whole)
        return self._found

    def _head(self, mention: Bracketed, heads: np.ndarray) -> int:
        """The word that the head field names; without a single one, the first whose head is outside."""
        fields = mention.label.split("-")
        named = "" if self._head_field is None else "".join(fields[self._head_field : self._head_field + 1])
        # Corpora differ in whether such an index counts the empty nodes.
        unclear = any(mention.start <= place <= mention.end for place in self._empty)
        if NUMBER.fullmatch(named) and not unclear:
            size = mention.end - mention.start
            if not 1 <= int(named) <= size:
                raise mention.place.error(f"word {named} is to be the head of a mention of {size} words")
            return mention.start + int(named) - 1
        return topmost(heads, mention.start, mention.end)


def _is_whole(mention: Bracketed) -> bool:
    """Whether it has words, and is not one piece of several."""
    return mention.start < mention.end and not _PIECE.fullmatch(_entity(mention.label))


def _entity(label: str) -> str:
    return label.partition("-")[0]
