"""A finished (or half finished) run folder, opened for reading."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from headscope.errors import RunError, choose_from
from headscope.results.arrays import read_arrays
from headscope.results.declaration import Declaration
from headscope.results.folder import RunFolder
from headscope.results.intact import check_intact, place_of_arrays
from headscope.results.record import Entry
from headscope.results.result import Result
from headscope.results.tables import place_of_table, read_table


def open(path: str | os.PathLike[str]) -> Run:
    """Open a run folder; `open(path).table("heads")` is a DataFrame."""
    return Run(path)


class Run:
    """What a run folder holds, read when asked for."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise RunError(f"{self.path}: there is no such run folder")
        self._verbs = RunFolder(self.path).record().verbs

    @property
    def verbs(self) -> list[str]:
        """The verbs that wrote here, finished or not."""
        return list(self._verbs)

    @property
    def unfinished(self) -> list[str]:
        """The verbs that have no result yet."""
        return [verb for verb, entry in self._verbs.items() if not entry.finished]

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return [name for entry in self._verbs.values() for name in entry.tables]

    def table(self, name: str, verb: str | None = None) -> pd.DataFrame:
        """The table of that name; name the verb too where several have one."""
        owner = self._owner("table", name, verb)
        check_intact(self.path, self._verbs[owner].checksums, place_of_table(owner, name))
        return read_table(self.path, owner, name)

    def declaration(self, name: str, verb: str | None = None) -> Declaration:
        """What that table says about itself."""
        return self._verbs[self._owner("table", name, verb)].tables[name]

    def arrays(self, name: str, verb: str | None = None) -> xr.Dataset:
        """The labelled arrays of that name; name the verb too where several have one."""
        owner = self._owner("array", name, verb)
        check_intact(self.path, self._verbs[owner].checksums, place_of_arrays(owner, name))
        return read_arrays(self.path, owner, name)

    def asked(self, verb: str) -> dict[str, Any]:
        """What the verb was asked."""
        return self.entry(verb).asked

    def notes(self, verb: str) -> list[str]:
        """What a reader of the verb's result must know."""
        return self.entry(verb).notes

    def entry(self, verb: str) -> Entry:
        """All that run.json keeps of the verb."""
        if verb not in self._verbs:
            raise RunError(f"{self.path}: {choose_from('verb', verb, self._verbs)}")
        return self._verbs[verb]

    def result(self, verb: str) -> Result:
        """The verb's whole result."""
        return RunFolder(self.path).read_result(verb)

    def __repr__(self) -> str:
        verbs = ", ".join(self._described()) or "nothing yet"
        return f"Run({str(self.path)!r}: {verbs}; tables: {', '.join(self.tables) or 'none'})"

    def _repr_html_(self) -> str:
        verbs = "".join(f"<li>{escape(text)}</li>" for text in self._described())
        tables = escape(", ".join(self.tables) or "none")
        return f"<b>Run {escape(str(self.path))}</b><ul>{verbs}</ul>Tables: {tables}"

    def _owner(self, kind: str, name: str, verb: str | None) -> str:
        """The one verb that has a table or array of that name."""
        held = {own: entry.tables if kind == "table" else entry.arrays for own, entry in self._verbs.items()}
        owners = [own for own, names in held.items() if name in names and verb in (None, own)]
        if not owners:
            names = [
                each if verb is None else f"{own}/{each}" for own, inside in held.items() for each in inside
            ]
            wanted = name if verb is None else f"{verb}/{name}"
            raise RunError(f"{self.path}: {choose_from(kind, wanted, names)}{self._waiting()}")
        if len(owners) > 1:
            raise RunError(f"{self.path}: {', '.join(owners)} each have the {kind} {name!r}; name the verb")
        return owners[0]

    def _described(self) -> list[str]:
        return [verb if entry.finished else f"{verb} (unfinished)" for verb, entry in self._verbs.items()]

    def _waiting(self) -> str:
        return f" (unfinished: {', '.join(self.unfinished)})" if self.unfinished else ""
