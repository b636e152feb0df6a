"""What the page tells of one head beside its measures: its role, the rows that name it, its profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from headscope.heads import Head
from headscope.results.declaration import Card, Declaration
from headscope.results.reading import UNKNOWN, WIDTH, Cells
from headscope.web.report.head_tables import HeadTable
from headscope.web.report.tables import RunTable
from headscope.web.report_wire import Bar, Fact, HeadCard
from headscope.web.rounding import rounded

MOST_FACTS = 8
"""So many rows of one table are told of one head, the surest first."""


def cards_of(
    names: Mapping[Head, str], about: Sequence[HeadTable], tables: Sequence[RunTable]
) -> list[HeadCard]:
    """A card for each head, in the order of `names`."""
    roles = {head: role for table in about for head, role in _roles(table)}
    models = _models(about)
    profiles = {head: bars for table in about for head, bars in _profiles(table).items()}
    facts = [_facts(table.table, table.says, table.says.card) for table in tables if table.says.card]
    return [
        HeadCard(
            role=roles.get(head, (None, None))[0],
            rule=roles.get(head, (None, None))[1],
            facts=[fact for by_name in facts for fact in by_name.get(name, [])[:MOST_FACTS]],
            profile=profiles.get(head, []),
            model=models.get(head, ""),
        )
        for head, name in names.items()
    ]


def _models(about: Sequence[HeadTable]) -> dict[Head, str]:
    """The model that each head is of: where a run is about several, the one that has its role."""
    models: dict[Head, str] = {}
    for table in sorted(about, key=lambda table: table.says.role is None):
        for head in table.heads:
            models.setdefault(head, table.model)
    return models


def _roles(about: HeadTable) -> Iterator[tuple[Head, tuple[str, str]]]:
    columns = about.says.role
    if columns is not None and set(columns) <= set(about.table):
        role, rule = (about.table[name].astype(str) for name in columns)
        rules = [told + beside for told, beside in zip(rule, _otherwise(about), strict=True)]
        yield from zip(about.heads, zip(role, rules, strict=True), strict=True)


def _otherwise(about: HeadTable) -> list[str]:
    """What the card says behind a rule of a head that has another role beside its own, for each row."""
    columns = about.says.otherwise
    if columns is None or not set(columns) <= set(about.table):
        return [""] * len(about.table)
    pairs = zip(*(about.table[name].fillna("").astype(str) for name in columns), strict=True)
    return [f"; otherwise: {role}, {rule}" if role else "" for role, rule in pairs]


def _facts(table: pd.DataFrame, says: Declaration, card: Card) -> dict[str, list[Fact]]:
    """What rows tell of each head that they name, those that are more than chance first."""
    if not len(table) or not {*card.heads, *([card.sure] if card.sure else [])} <= set(table):
        return {}
    facts: dict[str, list[Fact]] = {}
    rows = table if card.sure is None else table.sort_values(card.sure, ascending=False, kind="stable")
    for row in _rows(rows):
        cells = Cells(row, says)
        told = cells.fill(card.text) + (", more than chance" if card.sure and row[card.sure] else "")
        if UNKNOWN in cells.read:
            continue
        for name in dict.fromkeys(str(row[column]) for column in card.heads):
            facts.setdefault(name, []).append(Fact(cells.fill(card.title), told))
    return facts


def _profiles(about: HeadTable) -> dict[Head, list[Bar]]:
    """How much goes to each distance, with its interval and what even attention gives."""
    if not about.says.profile:
        return {}
    (key,) = (name for name in about.says.row if name != "head")
    if not about.says.column(key).signed:  # the page draws them before and after a token
        return {}
    profiles: dict[Head, list[Bar]] = {}
    name, column, _ = next(iter(about.says.measured(about.table)))
    for head, row in zip(about.heads, _rows(about.table), strict=True):
        at, value = _number(row, key), _number(row, name)
        error, even = (_number(row, beside) for beside in (column.error, column.baseline))
        if at is not None and value is not None:
            reach = None if error is None else rounded(WIDTH * error)
            profiles.setdefault(head, []).append(Bar(at, value, reach, even))
    return profiles


def _rows(table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in table.to_dict("records"):
        yield {str(key): value for key, value in row.items()}


def _number(row: Mapping[str, Any], key: str | None) -> float | None:
    value = None if key is None else row.get(key)
    return rounded(value) if isinstance(value, int | float) else None
