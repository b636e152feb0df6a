"""The words of one sentence in CoNLL-U: numbered lines of ten columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from headscope.text.lines import Place
from headscope.text.readers.blocks import Line
from headscope.text.readers.draft import Sentence
from headscope.text.readers.looks import parse_looks
from headscope.text.readers.trees import parse_heads

_COLUMNS = 10
_FORM, _UPOS, _XPOS, _FEATS, _HEAD, _RELATION, _MISC = 1, 3, 4, 5, 6, 7, 9
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_EMPTY = re.compile(r"([0-9]{1,9})\.[0-9]{1,9}")


class Note(NamedTuple):
    """The Entity value of a line: mentions that open there begin at ``start``, others end at ``end``.

    Both count words of the sentence; they are equal for an empty node, which is no word and always noted.
    """

    place: Place
    start: int
    end: int
    value: str


def parse_words(rows: Iterable[Line]) -> tuple[Sentence, list[Note]]:
    """Read a sentence, with the notes of its words and of its empty nodes.

    The words are the syntactic ones. Those of a multiword token follow each other without a space, even
    where the token itself is spelled otherwise (the German ``im`` becomes ``indem``).
    """
    words = _Words()
    for place, content in rows:
        words.take(place, content)
    return words.sentence(), words.notes


class _Words:
    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._rows: list[list[str]] = []
        self._places: list[Place] = []
        self._gaps: list[str] = []
        self._token_end, self._token_gap, self._token_place = 0, " ", Place("")

    def take(self, place: Place, content: str) -> None:
        columns = content.split("\t")
        if len(columns) != _COLUMNS:
            raise place.error(f"{len(columns)} columns, but CoNLL-U has {_COLUMNS}, parted by tabs")
        if token := _TOKEN.fullmatch(columns[0]):
            self._take_token(place, int(token[1]), int(token[2]), columns[_MISC])
        elif empty := _EMPTY.fullmatch(columns[0]):
            self._expect(place, columns[0], int(empty[1]) == len(self._rows))
            self.notes.append(Note(place, len(self._rows), len(self._rows), _entity(columns[_MISC])))
        else:
            self._take_word(place, columns)

    def _take_token(self, place: Place, first: int, last: int, misc: str) -> None:
        fits = first == len(self._rows) + 1 and first > self._token_end and last > first
        self._expect(place, f"{first}-{last}", fits)
        self._token_end, self._token_gap, self._token_place = last, _gap(misc), place

    def _take_word(self, place: Place, columns: list[str]) -> None:
        number = len(self._rows) + 1
        self._expect(place, columns[0], columns[0] == str(number))
        if not columns[_FORM]:
            raise place.error(f"word {number} has an empty form; the second column holds it")
        if not columns[_RELATION].strip():
            raise place.error(f"word {number} has an empty relation; the eighth column (DEPREL) holds it")
        if entity := _entity(columns[_MISC]):
            self.notes.append(Note(place, number - 1, number, entity))
        self._rows.append(columns)
        self._places.append(place)
        if number > self._token_end:
            self._gaps.append(_gap(columns[_MISC]))
        else:
            self._gaps.append(self._token_gap if number == self._token_end else "")

    def _expect(self, place: Place, number: str, fits: bool) -> None:
        if not fits:
            raise place.error(
                f"number '{number[:60]}' is out of order after {len(self._rows)} words of this sentence; "
                "a blank line parts sentences"
            )

    def sentence(self) -> Sentence:
        if self._token_end > len(self._rows):
            raise self._token_place.error(
                f"a token reaches to word {self._token_end}, but its sentence has {len(self._rows)} words"
            )
        if not self._rows:
            raise self.notes[0].place.error("a sentence without words; only empty nodes are here")
        return Sentence(
            self._column(_FORM),
            self._gaps,
            parse_heads(self._places, self._column(_HEAD)),
            self._column(_RELATION),
            [_known(tag) for tag in self._column(_XPOS)],
            [_known(tag) for tag in self._column(_UPOS)],
            [_known(feats) for feats in self._column(_FEATS)],
            parse_looks(self._places, self._column(_MISC)),
        )

    def _column(self, index: int) -> list[str]:
        return [row[index] for row in self._rows]


def _gap(misc: str) -> str:
    return "" if "SpaceAfter=No" in misc.split("|") else " "


def _entity(misc: str) -> str:
    values = (pair.removeprefix("Entity=") for pair in misc.split("|") if pair.startswith("Entity="))
    return next(values, "")


def _known(tag: str) -> str:
    return "" if tag == "_" else tag
