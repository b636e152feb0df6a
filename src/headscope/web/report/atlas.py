"""The atlas of a run: every head with all that was measured of it, by any verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headscope.heads import STACKS, Head
from headscope.web.look_wire import HeadName
from headscope.web.report.head_cards import cards_of
from headscope.web.report.head_measures import measures_of
from headscope.web.report.head_tables import HeadTable, names_of_heads, tables_of_heads
from headscope.web.report.tables import RunTable
from headscope.web.report_wire import Atlas, Place
from headscope.web.rounding import all_rounded


def atlas_of(
    tables: Sequence[RunTable],
    known: Mapping[str, Head] | None = None,
    models: Mapping[str, str] | None = None,
) -> Atlas | None:
    """The atlas of a run's tables; None where none is about heads.

    known: heads by names of tables. models: whose heads each verb is about.
    """
    about = tables_of_heads(tables, {**(known or {}), **names_of_heads(tables)}, models or {})
    names = _names(about)
    if not names:
        return None
    heads = list(names)
    return Atlas(
        [HeadName(name, head.stack, head.layer, head.index) for head, name in names.items()],
        [
            measure
            for head_table, asked in zip(about, _asked(about), strict=True)
            for measure in measures_of(head_table, heads, asked)
        ],
        _places(about, heads),
        cards_of(names, about, tables),
    )


def _asked(about: Sequence[HeadTable]) -> list[str]:
    """What was asked for each table: its verb, and of which model where the run is about several."""
    several = len({table.model for table in about}) > 1
    return [f"{table.verb} of {table.model}" if several and table.model else table.verb for table in about]


def _names(about: Sequence[HeadTable]) -> dict[Head, str]:
    """All heads with their names, by stack, layer and index.

    Models of a run may have heads of one name; the second is then named with its stack.
    """
    names: dict[Head, str] = {}
    for head_table in about:
        for head, name in zip(head_table.heads, head_table.table["head"].astype(str), strict=True):
            names.setdefault(head, name)
    order = sorted(names, key=lambda head: (STACKS.index(head.stack), head.layer, head.index))
    taken: dict[str, Head] = {}
    for head in order:
        taken.setdefault(names[head], head)
    return {head: names[head] if taken[names[head]] == head else f"{head.stack}:{head}" for head in order}


def _places(about: Sequence[HeadTable], heads: list[Head]) -> list[Place]:
    """Where a table says that the heads lie on a map; heads without a place are not on it."""
    for head_table in about:
        columns = head_table.says.places
        if columns is None or not set(columns) <= set(head_table.table):
            continue
        number = {head: place for place, head in enumerate(heads)}
        spots = (all_rounded(head_table.table[name].astype("float64")) for name in columns)
        places = zip(head_table.heads, *spots, strict=True)
        return [Place(number[h], x, y) for h, x, y in places if x is not None and y is not None]
    return []
