"""Tables of what was measured, for pages of verbs: written from the rows that the evidence has kept.

docs/measured.toml says, for each block of a page, the part of the evidence and which of its rows are shown:
those whose names begin alike, or a table of labels and names, also by columns. `python -m docs.writing` fills
the blocks in. A row that its part does not have (any more) is an error; of a part that has not been measured
that is said.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.evidence import COMPLETE
from benchmarks.kept import Kept, read
from benchmarks.page import measured as facts
from benchmarks.page import readable, value_with_unit
from benchmarks.parts import PARTS, load
from benchmarks.rows import Row, written
from docs.blocks import anchor, filled, table_of
from docs.drawn import findings, rows_of_pictures
from docs.reproduced import PICTURES, carried, value_of
from headscope.errors import HeadscopeError

DOCS = Path(__file__).parent
TABLES = DOCS / "measured.toml"
NOT_MEASURED = "Not measured on this code yet"


@dataclass(frozen=True)
class Table:
    """A block of a page.

    part: of the evidence, or `pictures` for rows that are read off the runs that pictures are drawn from.
    cell: the name of the row that a cell shows; behind ` = ` what its value is like, where a part of it is
    shown (nothing, where the name alone is). `@row` and `@column` stand for what `rows` and `columns` have
    behind their labels, `*` for anything, `{}` for what is shown, `#2` at its end for the second
    row of that name.
    begins: instead, how the names of the rows begin; one that ends with a space is left out of them.
    facts: instead of a table, when, where and with what the part was measured.
    findings: instead, the sentences of a run that pictures are drawn from, on the verb that part names.
    """

    block: str
    part: str
    cell: str = "@row"
    rows: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    begins: tuple[str, ...] = ()
    facts: bool = False
    findings: str = ""

    def written(self) -> str:
        """What stands in the block, and where it is from."""
        if self.findings:
            sentences = findings()[self.findings][self.part]["findings"]
            return "\n".join(f"- {sentence}" for sentence in sentences)
        if self.part == PICTURES:
            return (
                f"{table_of(self.lines(rows_of_pictures()))}\n\nFrom the runs of [the gallery](gallery.md)."
            )
        if self.part not in PARTS:
            raise self._error(f"there is no part '{self.part}' of the evidence")
        kept = read(self.part, COMPLETE.kept)
        if kept is None:
            link = f"[{load(self.part).title}](evidence.md#{anchor(load(self.part).title)})"
            return f"{NOT_MEASURED}: `python -m benchmarks.evidence --part {self.part}` does ({link})."
        return facts(kept) if self.facts else f"{table_of(self.lines(kept.rows))}\n\n{source(kept)}"

    def lines(self, rows: Sequence[Row]) -> list[list[str]]:
        """The head of the table, and its rows."""
        if self.begins:
            return [["measured", "value"], *self._beginning(rows)]
        columns = self.columns or {"measured": ""}
        body = [
            [label, *(self._cell(rows, row, column) for column in columns.values())]
            for label, row in self.rows.items()
        ]
        return [["", *columns], *body]

    def _beginning(self, rows: Sequence[Row]) -> list[list[str]]:
        for begins in self.begins:
            if not any(row["name"].startswith(begins) for row in rows):
                raise self._error(f"no row of {self.part} begins with '{begins}'")
        without = self.begins[0] if self.begins[0].endswith(" ") else ""
        named = [row for row in rows if row["name"].startswith(self.begins)]
        return [[row["name"].removeprefix(without), value_with_unit(row)] for row in named]

    def _cell(self, rows: Sequence[Row], row: str, column: str) -> str:
        asked = self.cell.replace("@row", row).replace("@column", column)
        asked, _, place = asked.partition("#")
        name, *value = asked.split(" = ")
        shown = [cell for one in rows if (cell := self._shown(one, name, *value)) is not None]
        if len(shown) != 1 and not 0 < int(place or 0) <= len(shown):
            raise self._error(f"{len(shown)} rows of {self.part} are '{name}', expected 1")
        cell = readable(shown[int(place or 1) - 1])
        return "–" if re.fullmatch(r"– \S+", cell) else cell

    def _shown(self, row: Row, name: str, value: str | None = None) -> str | None:
        """What a cell shows of a row, if the row has that name."""
        whole = value_of(row, name) if value != "" else value_of(_named(row["name"]), name)
        if whole is None or not value:
            return whole
        part = value_of(_named(written(row["value"])), value)
        if part is None:
            raise self._error(f"'{row['value']}' of '{row['name']}' is not like '{value}'")
        return part

    def _error(self, text: str) -> HeadscopeError:
        return HeadscopeError(f"docs/{TABLES.name}: {self.block}: {text}")


def _named(name: str) -> Row:
    """A row without a value, whose name alone is looked at."""
    return {"name": name, "value": "", "unit": "", "target": "", "limit": "", "passed": True}


def source(kept: Kept) -> str:
    """Where a table is from.

    >>> machine = {"date": "2026-01-02 03:04", "commit": "1a2b"}
    >>> source(Kept("Speed: all", "", True, 1.0, machine, None, {}, []))
    'From [Speed: all](evidence.md#speed-all), measured 2026-01-02 at 1a2b.'
    """
    day, commit = kept.machine["date"].split()[0], kept.machine["commit"]
    return (
        f"From [{kept.title}](evidence.md#{anchor(kept.title)}), measured {day} at {commit}{carried(kept)}."
    )


def tables() -> dict[str, list[Table]]:
    """The tables of each page, by its name."""
    content = tomllib.loads(TABLES.read_text("utf-8"))
    return {page: [_table(one) for one in found] for page, found in content.items()}


def _table(given: dict[str, Any]) -> Table:
    return Table(**{**given, "begins": tuple(given.get("begins", ()))})


def with_tables(text: str, page: str) -> str:
    """The text of a page with its tables."""
    missing: set[str] = set()
    for table in tables().get(page, []):
        content = table.written() if table.part not in missing else f"{NOT_MEASURED}, see above."
        if content.startswith(NOT_MEASURED):
            missing.add(table.part)
        text = filled(text, table.block, content, f"docs/{page}.md")
    return text
