"""Tables of what was measured, for pages of verbs: written from the rows that parts of the evidence have kept.

docs/measured.toml says, for each block of a page, the part and which rows it shows: those whose names begin
alike (`begins`), or a table of labels and names (`rows`), also by columns. `python -m docs.writing` fills the
blocks in. A row that its part does not have (any more) is an error; a part without a measurement says so.
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
from benchmarks.parts import PARTS, load
from benchmarks.rows import Row, written
from docs.blocks import filled
from docs.drawn import findings, rows_of_pictures
from docs.reproduced import PICTURES, value_of
from headscope.errors import HeadscopeError

DOCS = Path(__file__).parent
TABLES = DOCS / "measured.toml"
NOT_MEASURED = "Not measured on this code yet"


@dataclass(frozen=True)
class Table:
    """A block of a page.

    cell: the name of the row that a cell shows, and behind ` = `, where it shows a part of the value, what the value
    is like (nothing, where the name alone is shown). `@row` and `@column` stand for what `rows` and `columns` have behind their labels, `*` for anything and
    `{}` for what is shown. begins: instead, how the names of the rows begin; one that ends with a space is left out in
    the table. facts: instead of a table, when, where and with what it was measured.
    findings: instead, what a run that pictures are drawn from found, in its sentences.
    part: of the evidence, or `pictures` for rows that are read off the runs that pictures are drawn from; with
    findings, the verb.
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
        """The table as Markdown, and where it is from."""
        if self.findings:
            return "\n".join(f"- {sentence}" for sentence in findings()[self.findings][self.part]["findings"])
        if self.part == PICTURES:
            return f"{_table(self.lines(rows_of_pictures()))}\n\nFrom the runs of [the gallery](gallery.md)."
        if self.part not in PARTS:
            raise HeadscopeError(f"{TABLES.name}: there is no part '{self.part}' of the evidence")
        kept = read(self.part, COMPLETE.kept)
        if kept is None:
            title = load(self.part).title
            command = f"python -m benchmarks.evidence --part {self.part}"
            return f"{NOT_MEASURED}: `{command}` does ([{title}](evidence.md#{_anchor(title)}))."
        return facts(kept) if self.facts else f"{_table(self.lines(kept.rows))}\n\n{source(kept)}"

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
                raise HeadscopeError(f"{TABLES.name}: no row of {self.part} begins with '{begins}'")
        without = self.begins[0] if self.begins[0].endswith(" ") else ""
        named = [row for row in rows if row["name"].startswith(self.begins)]
        return [[row["name"].removeprefix(without), value(row)] for row in named]

    def _cell(self, rows: Sequence[Row], row: str, column: str) -> str:
        name, *rest = self.cell.replace("@row", row).replace("@column", column).split(" = ")
        value = rest[0] if rest else None
        found = [shown for one in rows if (shown := _shown(one, name, value)) is not None]
        if len(found) != 1:
            raise HeadscopeError(f"{TABLES.name}: {len(found)} rows of {self.part} are '{name}', expected 1")
        return "" if re.fullmatch(r"nan( \S+)?", found[0]) else found[0]


def _shown(row: Row, name: str, value: str | None) -> str | None:
    """What a cell shows of a row, if the row has that name."""
    if value == "":
        return value_of({**row, "value": "", "unit": ""}, name)
    shown = value_of(row, name)
    if shown is None or value is None:
        return shown
    part = value_of({**row, "name": written(row["value"]), "value": "", "unit": ""}, value)
    if part is None:
        raise HeadscopeError(f"{TABLES.name}: '{row['value']}' of '{row['name']}' is not like '{value}'")
    return part


def value(row: Row) -> str:
    """The value of a row with its unit."""
    return f"{written(row['value'])} {row['unit']}".strip()


def _table(lines: list[list[str]]) -> str:
    head, *body = lines
    every = [head, ["---"] * len(head), *body]
    return "\n".join(
        "| " + " | ".join(re.sub(r"[|*]", r"\\\g<0>", cell) for cell in line) + " |" for line in every
    )


def source(kept: Kept) -> str:
    """Where a table is from.

    >>> source(Kept("Speed: all", "", True, 1.0, {"date": "2026-01-02 03:04", "commit": "1a2b"}, None, {}, []))
    'From [Speed: all](evidence.md#speed-all), measured 2026-01-02 at 1a2b.'
    """
    day, commit = kept.machine["date"].split()[0], kept.machine["commit"]
    return f"From [{kept.title}](evidence.md#{_anchor(kept.title)}), measured {day} at {commit}."


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tables() -> dict[str, list[Table]]:
    """The tables of each page, by its name."""
    content = tomllib.loads(TABLES.read_text("utf-8"))
    return {page: [_read(one) for one in found] for page, found in content.items()}


def _read(one: dict[str, Any]) -> Table:
    return Table(**{**one, "begins": tuple(one.get("begins", ()))})


def with_tables(text: str, page: str) -> str:
    """The text of a page with its tables."""
    missing: set[str] = set()
    for table in tables().get(page, []):
        content = table.written() if table.part not in missing else ""
        if content.startswith(NOT_MEASURED):  # once on a page is enough
            missing.add(table.part)
        text = filled(text, table.block, content, f"docs/{page}.md")
    return text
