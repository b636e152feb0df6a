"""The document ids that a file itself gives."""

from __future__ import annotations

from pathlib import Path

from headscope.errors import InputError, located


class Ids:
    """The ids of one file, which must differ."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: dict[str, int] = {}

    def claim(self, id: str, line: int) -> str:
        """Take an id, or refuse it where an earlier line of the file has it already."""
        if self._lines.setdefault(id, line) != line:
            problem = f"id '{id}' was already used in line {self._lines[id]}; ids must differ"
            raise InputError(located(self._path, line, problem))
        return id
