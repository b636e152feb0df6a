"""Mentions as brackets, opened and closed at words: ``(3``, ``3)`` and ``(3)``, several after each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from headscope.text.lines import Place

_NOTHING = ("", "-", "_")
_BRACKET = re.compile(r"\(([^()|]++)(\))?|([^()|]++)\)")
_FIELD = re.compile(r"(?:(?:\([^()|]++\)?|[^()|]++\))\|?)+")


class Bracketed(NamedTuple):
    """The words from start to end (exclusive) between two brackets, and the label and place of the first."""

    start: int
    end: int
    label: str
    place: Place


class Brackets:
    """The brackets of one document; ``name`` gives the entity of a label, opening and closing alike."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._open: dict[str, list[Bracketed]] = defaultdict(list)
        self._closed: list[Bracketed] = []

    def feed(self, field: str, place: Place, start: int, end: int) -> None:
        """Take the field of one word: what opens begins at ``start``, what closes ends at ``end``.

        Of several open mentions of an entity, the last one is closed first.
        """
        if field in _NOTHING:
            return
        if not _FIELD.fullmatch(field):
            raise place.error(f"mentions such as (3, 3) or (3) are expected, not '{field[:60]}'")
        for opening, at_once, closing in _BRACKET.findall(field):
            label = opening or closing
            entity = self._name(label)
            if not entity:
                raise place.error(f"the mention '{label[:60]}' names no entity")
            if opening:
                self._open[entity].append(Bracketed(start, end, label, place))
            if at_once or closing:
                if not self._open[entity]:
                    raise place.error(f"a mention of entity '{entity}' is closed here, but none is open")
                self._closed.append(self._open[entity].pop()._replace(end=end))

    def finish(self, counted: Callable[[Bracketed], bool] = lambda mention: True) -> list[Bracketed]:
        """The mentions that are counted; refused if one is still open, or is there twice."""
        for entity, waiting in self._open.items():
            for mention in waiting:
                raise mention.place.error(f"the mention of entity '{entity}' that opens here is never closed")
        mentions = [mention for mention in self._closed if counted(mention)]
        seen: set[tuple[int, int, str]] = set()
        for start, end, label, place in mentions:
            entity = self._name(label)
            if (start, end, entity) in seen:
                raise place.error(f"the words from here on are a mention of entity '{entity}' twice")
            seen.add((start, end, entity))
        return mentions
