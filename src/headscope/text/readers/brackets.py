"""Mentions as brackets, opened and closed at words: ``(3``, ``3)`` and ``(3)``, several after each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from headscope.errors import InputError, located

_NOTHING = ("", "-", "_")
_BRACKET = re.compile(r"\(([^()|]++)(\))?|([^()|]++)\)")
_FIELD = re.compile(r"(?:(?:\([^()|]++\)?|[^()|]++\))\|?)+")


class Bracketed(NamedTuple):
    """The words from start to end (exclusive) between two brackets, and the label and line of the first."""

    start: int
    end: int
    label: str
    line: int


class _Opened(NamedTuple):
    start: int
    label: str
    line: int


class Brackets:
    """The brackets of one document; ``name`` gives the entity of a label, opening and closing alike."""

    def __init__(self, path: Path, name: Callable[[str], str]) -> None:
        self._path = path
        self._name = name
        self._open: dict[str, list[_Opened]] = defaultdict(list)
        self._closed: list[Bracketed] = []

    def feed(self, field: str, line: int, start: int, end: int) -> None:
        """Take the field of one word: what opens begins at ``start``, what closes ends at ``end``.

        Of several open mentions of an entity, the last one is closed first.
        """
        if field in _NOTHING:
            return
        if not _FIELD.fullmatch(field):
            problem = f"mentions such as (3, 3) or (3) are expected, not '{field[:60]}'"
            raise InputError(located(self._path, line, problem))
        for opening, at_once, closing in _BRACKET.findall(field):
            if opening:
                self._open[self._entity(opening, line)].append(_Opened(start, opening, line))
            if at_once or closing:
                self._close(opening or closing, line, end)

    def _close(self, label: str, line: int, end: int) -> None:
        entity = self._entity(label, line)
        if not self._open[entity]:
            problem = f"a mention of entity '{entity}' is closed here, but none is open"
            raise InputError(located(self._path, line, problem))
        opened = self._open[entity].pop()
        self._closed.append(Bracketed(opened.start, end, opened.label, opened.line))

    def _entity(self, label: str, line: int) -> str:
        entity = self._name(label)
        if not entity:
            raise InputError(located(self._path, line, f"the mention '{label[:60]}' names no entity"))
        return entity

    def finish(self) -> list[Bracketed]:
        """All mentions; refused if one is still open."""
        for entity, waiting in self._open.items():
            for opened in waiting:
                problem = f"the mention of entity '{entity}' that opens here is never closed"
                raise InputError(located(self._path, opened.line, problem))
        return self._closed
