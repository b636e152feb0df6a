"""The page of evidence, written from what the parts have kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from benchmarks.carried import SIZES, TIMES
from benchmarks.kept import Kept, State
from benchmarks.parts import load
from benchmarks.rows import Row, written

STALE = "**Stale**"
_OPENING = (
    "# Evidence\n\n"
    "What headscope promises, as measured part by part with `python -m benchmarks.evidence`. A target is "
    "what we aim at; a limit fails the run. Each part says when, where and at which commit it was measured, "
    "and is marked stale where what it rests on has changed since. A part that takes long may be carried "
    "over to later code where short runs of both give the same; it then says so, and what was compared, and "
    "its limits of time and memory are marked as kept *then*."
)
_REDUCED = (
    "# Evidence, reduced\n\n"
    "A short run with rough timings and wider limits for them: it shows that everything runs, not how fast."
)


class Section(NamedTuple):
    """The name of a part, what it has kept, and its state."""

    name: str
    kept: Kept | None
    state: State


def page(sections: Iterable[Section], reduced: bool = False) -> str:
    """All of it as Markdown."""
    return "\n\n".join([_REDUCED if reduced else _OPENING, *map(_section, sections)]) + "\n"


def _section(section: Section) -> str:
    name, kept, state = section
    if kept is None:
        part = load(name)
        return f"## {part.title}\n\n{part.says}\n\nNo measurement is kept yet."
    stale = f"{STALE}: {state.why}." if state.word == "stale" else ""
    paragraphs = [
        f"## {kept.title}",
        kept.says,
        " ".join(filter(None, [measured(kept), kept.note])),
        stale,
        rows_table(kept.rows, carried=bool(kept.note)),
        *(_details(row) for row in kept.rows if row.get("details")),
    ]
    return "\n\n".join(filter(None, paragraphs))


def measured(kept: Kept) -> str:
    """When, where and with what.

    >>> machine = {"date": "today", "commit": "1a", "memory": "2 GiB", "load before": "0.1"}
    >>> measured(Kept("A", "", True, 3.2, machine, None, {}, []))
    'Measured today at 1a in 3.2 minutes; 2 GiB, load before 0.1.'
    """
    known = dict(kept.machine)
    first = f"Measured {known.pop('date')} at {known.pop('commit')}"
    if kept.minutes is not None:
        first += f" in {written(kept.minutes)} minutes"
    plain = ("processor", "memory")
    rest = [value if name in plain else f"{name} {value}" for name, value in known.items()]
    return "; ".join([first, ", ".join(rest)]) + "."


def rows_table(rows: Sequence[Row], carried: bool = False) -> str:
    """Rows as a table, in order; carried: over to later code, whose times and sizes nobody has measured."""
    lines = [["measured", "value", "target", "limit", "kept"], ["---"] * 5]
    lines += [_cells(row, carried and row["unit"] in TIMES | SIZES) for row in rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def value_with_unit(row: Row) -> str:
    """What a row tells, as a reader wants its numbers.

    >>> from benchmarks.rows import told
    >>> value_with_unit(told("time", 1.234, "s")), value_with_unit(told("even", "KL 4.92, tau nan"))
    ('1.23 s', 'KL 4.92, tau –')
    """
    return readable(f"{written(row['value'])} {row['unit']}".strip())


def readable(text: str) -> str:
    """A dash where there is no number, and no nothing below nothing.

    >>> readable("nan points, -0 points, -0.00, -0.4")
    '– points, 0 points, 0.00, -0.4'
    """
    return re.sub(r"(?<![\w.])-(0(\.0+)?)(?![\d.])", r"\1", re.sub(r"\bnan\b", "–", text))


def _cells(row: Row, then: bool) -> list[str]:
    value = value_with_unit(row)
    kept = "" if not row["limit"] else "yes" if row["passed"] else "**no**"
    kept += ", then" if kept and then else ""
    return [readable(row["name"]), value, row["target"], row["limit"], kept]


def _details(row: Row) -> str:
    """What a row counts: names without more to say in one line, the others with it."""
    details: Mapping[str, str] = row.get("details", {})
    plain = ", ".join(name for name, reason in details.items() if not reason)
    explained = "\n".join(f"- {name}: {reason}" for name, reason in details.items() if reason)
    heading = f"### {row['name'][0].upper()}{row['name'][1:]} ({len(details)})"
    return "\n\n".join(filter(None, [heading, plain, explained]))
