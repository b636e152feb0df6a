"""What the page tells of one head beside its measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import pandas as pd

from headscope.heads import Head
from headscope.web.report.head_measures import WIDTH
from headscope.web.report.head_tables import HeadTable
from headscope.web.report.tables import RunTable
from headscope.web.report.wording import percent
from headscope.web.rounding import rounded
from headscope.web.wire import Bar, Fact, HeadCard

MOST_RELATIONS = 8
"""So many are told of one head, the surest and best first."""

BETWEEN = " / "
"""What parts the heads that the halves of the documents chose."""


def cards_of(
    names: Mapping[Head, str], about: Sequence[HeadTable], tables: Iterable[RunTable]
) -> list[HeadCard]:
    """A card for each head, in the order of `names`."""
    roles = _by_head(about, "heads", {"role", "role_rule"})
    offsets = _by_head(about, "offsets", {"distance", "share"})
    by_name = {name: table for _, name, table in tables}
    relations, coref = (_rows(by_name.get(name)) for name in ("relations", "coref_types"))
    return [
        HeadCard(
            *_role(roles.get(head, [])),
            [*_relations(name, relations), *_mentions(name, coref)],
            _bars(offsets.get(head, [])),
        )
        for head, name in names.items()
    ]


def _by_head(about: Sequence[HeadTable], name: str, needed: set[str]) -> dict[Head, list[dict[str, Any]]]:
    """The rows of each head in a table, if it has the columns that are needed."""
    rows: dict[Head, list[dict[str, Any]]] = {}
    for head_table in about:
        if head_table.name == name and needed <= set(head_table.table):
            for head, row in zip(head_table.heads, _rows(head_table.table), strict=True):
                rows.setdefault(head, []).append(row)
    return rows


def _rows(table: pd.DataFrame | None) -> list[dict[str, Any]]:
    if table is None:
        return []
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def _role(rows: list[dict[str, Any]]) -> tuple[str | None, str | None]:
    return (str(rows[0]["role"]), str(rows[0]["role_rule"])) if rows else (None, None)


def _relations(name: str, rows: list[dict[str, Any]]) -> list[Fact]:
    """The relations that the head was chosen for, with how often it is right where it was not chosen."""
    facts = []
    for row in rows:
        score, offset = _score(row, "accuracy"), _score(row, "offset_accuracy")
        if name in str(row.get("head", "")).split(BETWEEN) and score is not None and offset is not None:
            sure = bool(row.get("found", False))
            text = f"{percent(score)} right, a fixed offset {percent(offset)}"
            fact = Fact(str(row.get("relation", "")), text + (", more than chance" if sure else ""))
            facts.append((sure, score, fact))
    facts.sort(key=itemgetter(0, 1), reverse=True)
    return [fact for _, _, fact in facts[:MOST_RELATIONS]]


def _mentions(name: str, rows: list[dict[str, Any]]) -> list[Fact]:
    """The types of mention that the head was chosen for."""
    facts = []
    for row in rows:
        score, nearest = _score(row, "accuracy"), _score(row, "nearest")
        if name in str(row.get("chosen", "")).split(BETWEEN) and score is not None and nearest is not None:
            text = f"{percent(score)} right, the nearest mention {percent(nearest)}"
            facts.append(Fact(f"antecedents of {row.get('type', '')} mentions", text))
    return facts


def _bars(rows: list[dict[str, Any]]) -> list[Bar]:
    """How much goes to each distance, with its interval and what even attention gives."""
    bars = []
    for row in rows:
        at, share, error, even = (_score(row, key) for key in ("distance", "share", "se", "uniform"))
        if at is not None and share is not None:
            reach = None if error is None else rounded(WIDTH * error)
            bars.append(Bar(at, share, reach, even))
    return bars


def _score(row: Mapping[str, Any], key: str) -> float | None:
    value = row.get(key)
    return rounded(value) if isinstance(value, int | float) else None
