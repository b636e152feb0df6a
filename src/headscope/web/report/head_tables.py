"""Which tables of a run are about heads, and about which head each row is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from pandas.api.types import infer_dtype

from headscope.errors import OptionError
from headscope.heads import STACKS, Head
from headscope.web.report.tables import RunTable, kind_of

PLACE = ("stack", "layer", "index")
NAMING = ("head", *PLACE, "one_based", "role_rule", "name", "x", "y")
"""Columns that name a head, explain it or place it, and measure nothing."""

ABOUT_OTHERS = ("relations", "readings", "published", "coref_types", "divergences")
"""Tables with a head in each row that are about something else, or about two heads at once."""


@dataclass(frozen=True)
class HeadTable:
    """A table about heads; heads: that of each row. keys: the columns that tell rows of one head apart."""

    verb: str
    name: str
    table: pd.DataFrame
    heads: list[Head]
    keys: list[str]


def names_of_heads(tables: Iterable[RunTable]) -> dict[str, Head]:
    """Every head that a table tells in full, under the name that tables give it."""
    names: dict[str, Head] = {}
    for _, _, table in tables:
        if "head" in table and _tells_places(table):
            heads = _placed(table)
            names |= dict(zip(table["head"].astype(str), heads, strict=True)) if heads else {}
    return names


def tables_of_heads(tables: Iterable[RunTable], known: Mapping[str, Head]) -> list[HeadTable]:
    """The tables about heads; known: heads by the names of tables that do not tell more."""
    head_tables = []
    for verb, name, whole in tables:
        if name in ABOUT_OTHERS or not _names_a_head_in_each_row(whole):
            continue
        table = _without_lists(whole)
        heads = _placed(table) if _tells_places(table) else _named(table["head"], known)
        keys = None if heads is None else _keys(table, heads)
        if heads is not None and keys is not None:
            head_tables.append(HeadTable(verb, name, table, heads, keys))
    return head_tables


def _names_a_head_in_each_row(table: pd.DataFrame) -> bool:
    if "head" not in table or not table.columns.is_unique:
        return False
    return len(table) > 0 and not table["head"].isna().any()


def _without_lists(table: pd.DataFrame) -> pd.DataFrame:
    """The columns of single values; lists and records neither measure a head nor tell rows apart."""
    return table.loc[:, [infer_dtype(table[name]) != "mixed" for name in table]]


def _tells_places(table: pd.DataFrame) -> bool:
    return set(PLACE) <= set(table.columns)


def _placed(table: pd.DataFrame) -> list[Head] | None:
    """The head of each row by its place in the model; None if one is no place."""
    stacks, numbers = table["stack"], table[["layer", "index"]]
    if not stacks.isin(STACKS).all() or any(kind_of(numbers[name]) != "number" for name in numbers):
        return None
    if numbers.isna().to_numpy().any():
        return None
    layers, indices = (numbers[name].astype(int).tolist() for name in numbers)
    return [Head(*each) for each in zip(stacks.tolist(), layers, indices, strict=True)]


def _named(names: pd.Series, known: Mapping[str, Head]) -> list[Head] | None:
    """The head of each row by its name; None if one is no head."""
    try:
        return [known.get(name) or Head.parse(name) for name in names.astype(str)]
    except OptionError:
        return None


def _keys(table: pd.DataFrame, heads: Sequence[Head]) -> list[str] | None:
    """The columns, words before whole numbers, that tell the rows of one head apart; None: there are none."""
    names = [str(name) for name in table if name not in NAMING]
    words = [name for name in names if kind_of(table[name]) == "text"]
    numbers = [name for name in names if table[name].dtype.kind in "iu"]
    rows = table[[*words, *numbers]].assign(**{"head": [f"{head.stack}:{head}" for head in heads]})
    keys: list[str] = []
    for column in [*words, *numbers]:
        if not rows.duplicated(["head", *keys]).any():
            break
        if rows[column].nunique() > 1:
            keys.append(column)
    return None if rows.duplicated(["head", *keys]).any() else keys
