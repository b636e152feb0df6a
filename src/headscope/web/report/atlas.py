"""The atlas of a run: every head with all that was measured of it, by any verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headscope.heads import STACKS, Head
from headscope.web.report.baselines import with_baselines
from headscope.web.report.head_cards import cards_of
from headscope.web.report.head_measures import measures_of
from headscope.web.report.head_tables import HeadTable, names_of_heads, tables_of_heads
from headscope.web.report.tables import RunTable
from headscope.web.report.wording import LEVELS
from headscope.web.rounding import all_rounded
from headscope.web.wire import Atlas, Categories, HeadName, Numbers, Place


def atlas_of(tables: Sequence[RunTable], known: Mapping[str, Head] | None = None) -> Atlas | None:
    """The atlas of a run's tables; None where none is about heads. known: heads by names of tables."""
    named = {**(known or {}), **names_of_heads(tables)}
    about = tables_of_heads(with_baselines(tables), named)
    names = _names(about)
    if not names:
        return None
    heads = list(names)
    levels = {**LEVELS, "role": _roles(tables)}
    measures = [measure for head_table in about for measure in measures_of(head_table, heads, levels)]
    return Atlas(
        [HeadName(name, head.stack, head.layer, head.index) for head, name in names.items()],
        _without_twins(measures),
        _places(about, heads),
        cards_of(names, about, tables),
    )


def _names(about: Sequence[HeadTable]) -> dict[Head, str]:
    """All heads with their names, by stack, layer and index."""
    names: dict[Head, str] = {}
    for head_table in about:
        for head, name in zip(head_table.heads, head_table.table["head"].astype(str), strict=True):
            names.setdefault(head, name)
    order = sorted(names, key=lambda head: (STACKS.index(head.stack), head.layer, head.index))
    return {head: names[head] for head in order}


def _roles(tables: Sequence[RunTable]) -> list[str]:
    """The roles in the order of their rules, as the survey lists them."""
    listed = [table for _, name, table in tables if name == "roles" and "role" in table]
    return listed[0]["role"].astype(str).tolist() if listed else []


def _without_twins(measures: list[Numbers | Categories]) -> list[Numbers | Categories]:
    """Of equal measures that two tables have, the one that tells most, in the place of the first."""
    fullest: dict[tuple[object, ...], Numbers | Categories] = {}
    for measure in measures:
        key = (measure.kind, measure.label, *measure.values)
        if key not in fullest or _columns_beside(measure) > _columns_beside(fullest[key]):
            fullest[key] = measure
    return list(fullest.values())


def _columns_beside(measure: Numbers | Categories) -> int:
    if isinstance(measure, Categories):
        return 0
    return sum(column is not None for column in (measure.low, measure.baseline))


def _places(about: Sequence[HeadTable], heads: list[Head]) -> list[Place]:
    """Where the survey's map has the heads; heads without a place are not on it."""
    for head_table in about:
        spots = head_table.table.filter(["x", "y"]).select_dtypes("number").astype("float64")
        if head_table.name == "heads" and spots.shape[1] == 2:
            number = {head: place for place, head in enumerate(heads)}
            places = zip(head_table.heads, all_rounded(spots["x"]), all_rounded(spots["y"]), strict=True)
            return [Place(number[h], x, y) for h, x, y in places if x is not None and y is not None]
    return []
