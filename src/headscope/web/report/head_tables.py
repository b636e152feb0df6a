"""The tables of a run that say they are about heads, and about which head each row is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from headscope.errors import OptionError
from headscope.heads import STACKS, Head
from headscope.results.declaration import HEAD, Declaration
from headscope.web.report.tables import RunTable, kind_of

PLACE = tuple(name for name in HEAD if name != "head")


@dataclass(frozen=True)
class HeadTable:
    """A table about heads; heads: that of each row. keys: the columns that tell rows of one head apart.

    model: whose heads they are; empty if the run does not say.
    """

    verb: str
    table: pd.DataFrame
    says: Declaration
    name: str
    heads: list[Head]
    model: str = ""

    @property
    def keys(self) -> list[str]:
        """A key with one value alone tells nothing."""
        several = [name for name in self.says.row if self.table[name].nunique(dropna=False) > 1]
        return [name for name in several if name not in HEAD]


def names_of_heads(tables: Iterable[RunTable]) -> dict[str, Head]:
    """Every head that a table tells in full, under the name that tables give it."""
    names: dict[str, Head] = {}
    for run_table in tables:
        table = run_table.table
        if "head" in table and _tells_places(table):
            heads = _placed(table)
            names |= dict(zip(table["head"].astype(str), heads, strict=True)) if heads else {}
    return names


def tables_of_heads(
    tables: Iterable[RunTable], known: Mapping[str, Head], models: Mapping[str, str]
) -> list[HeadTable]:
    """The tables about heads; known: heads by the names of tables that do not tell more. models: by verb.

    One whose rows are not what it says, as somebody may have changed it, is for reading only.
    """
    head_tables = []
    for verb, name, table, says in tables:
        if not says.about_heads or not _is_as_it_says(table, says):
            continue
        heads = _placed(table) if _tells_places(table) else _named(table["head"], known)
        if heads is not None:
            head_tables.append(HeadTable(verb, table, says, name, heads, models.get(verb, "")))
    return head_tables


def _is_as_it_says(table: pd.DataFrame, says: Declaration) -> bool:
    """Whether there are rows, and the columns that shall tell them apart do."""
    if not len(table) or not table.columns.is_unique or not set(says.row) <= set(table):
        return False
    return not table["head"].isna().any() and not table.duplicated(list(says.row)).any()


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
