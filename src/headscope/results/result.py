"""What every question returns: labelled arrays, tidy tables, what was found, and where they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import xarray as xr

from headscope.errors import RunError, choose_from
from headscope.results.declaration import Declaration
from headscope.results.look import LookView

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def check_name(kind: str, name: str) -> str:
    """Return a name that can also be a file's name; refuse any other.

    >>> check_name("table", "heads")
    'heads'
    """
    if _NAME.fullmatch(name) is None:
        raise RunError(f"{kind} name {name!r} cannot be a file name; use letters, digits, '_', '-' and '.'")
    return name


@dataclass(frozen=True)
class Finding:
    """A sentence that a colleague would say, where its numbers stand, and what it points to.

    table, row: where its numbers stand. decided: whether it says what was found; if not, the sentence says
    that it is open. head: the head that it points to, if it is about one. columns: those whose cells were
    filled in, in their order; read: the texts of these cells, which live only in memory.
    """

    text: str
    table: str
    row: int
    decided: bool = True
    head: str | None = None
    columns: tuple[str, ...] = ()
    read: tuple[str, ...] = field(default=(), compare=False)


@dataclass(repr=False)
class Result:
    """The answer to one question.

    `arrays` holds labelled arrays by name, `tables` tidy tables by name, `asked` what was asked (plain JSON
    values: model, data, options, seeds, versions, timings), `notes` the sentences a reader must know, `roles`
    the name of the table that gives heads roles (head, role, name, score, rule), if there is one, `declared`
    what each table says about itself, `findings` what was found, in sentences, and `view` what a page can
    show of it; that one lives only in memory.

    >>> result = Result("survey", tables={"heads": pd.DataFrame({"layer": [0], "entropy": [0.5]})})
    >>> result
    Result('survey', arrays: none, tables: heads)
    >>> float(result.table("heads")["entropy"][0])
    0.5
    """

    verb: str
    arrays: dict[str, xr.Dataset] = field(default_factory=dict)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    roles: str | None = None
    declared: dict[str, Declaration] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    view: LookView | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_name("verb", self.verb)
        for name in self.arrays:
            check_name("array", name)
        self.tables = {check_name("table", name): _tidy(table) for name, table in self.tables.items()}

    def __repr__(self) -> str:
        arrays, tables = (", ".join(names) or "none" for names in (self.arrays, self.tables))
        return f"Result({self.verb!r}, arrays: {arrays}, tables: {tables})"

    def table(self, name: str) -> pd.DataFrame:
        """The table of that name."""
        if name not in self.tables:
            raise RunError(f"{self.verb}: {choose_from('table', name, self.tables)}")
        return self.tables[name]

    def declaration(self, name: str) -> Declaration:
        """What a table says about itself; one of which nothing was said is called as it is."""
        return self.declared.get(name) or Declaration(name.replace("_", " "), (), {})


def _tidy(table: pd.DataFrame) -> pd.DataFrame:
    """Number the rows from 0; a named index becomes columns, so that nothing is lost on disk."""
    unnamed = all(name is None for name in table.index.names)
    return table.reset_index(drop=unnamed)
