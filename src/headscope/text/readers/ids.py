"""The document ids that a file itself gives."""

from __future__ import annotations

from headscope.text.lines import Place


class Ids:
    """The ids of one file, which must differ."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def claim(self, id: str, place: Place) -> str:
        """Take an id, or refuse it where an earlier line of the file has it already."""
        if self._places.setdefault(id, place) != place:
            raise place.error(f"id '{id}' was already used in line {self._places[id].line}; ids must differ")
        return id
