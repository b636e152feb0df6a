"""Measures of heads from the columns of a table about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from headscope.heads import Head
from headscope.web.report.head_tables import NAMING, HeadTable
from headscope.web.report.tables import kind_of
from headscope.web.report.wording import LEVELS, NUMBERED, SHARE_TABLES, SHARES, group_of, label_of, word_of
from headscope.web.rounding import all_rounded
from headscope.web.wire import Categories, Numbers

MOST_GROUPS, MOST_LEVELS = 400, 20
"""A table that falls into more groups is for reading only; a column of more words is text, no category."""

WIDTH = 1.96
"""Standard errors on each side of a 95 % interval."""

_BESIDE = re.compile(r"(?:.*[ _])?(low|high|se|uniform|baseline)")


@dataclass
class Measured:
    """A column of numbers, with the columns that stand behind it and say how far to trust it."""

    column: str
    beside: dict[str, str] = field(default_factory=dict)


def measures_of(
    about: HeadTable, heads: Sequence[Head], levels: Mapping[str, Sequence[str]] = LEVELS
) -> list[Numbers | Categories]:
    """Every measure of a table, each with a value for each of `heads`; what says nothing is left out."""
    place = {head: number for number, head in enumerate(heads)}
    numbers = {number.column: number for number in measured_columns(about.table, about.keys)}
    names = [str(name) for name in about.table]
    columns = [name for name in names if name in numbers or _is_category(about, name, levels)]
    measures: list[Numbers | Categories] = []
    for group in _groups(about, [place[head] for head in about.heads]):
        for name in columns:
            is_first = name == columns[0]
            if name in numbers:
                measures.append(group.numbers(numbers[name], is_first, len(heads)))
            else:
                measures.append(group.categories(name, is_first, len(heads), levels.get(name, ())))
    return [measure for measure in measures if _says_something(measure)]


def measured_columns(table: pd.DataFrame, keys: Sequence[str]) -> list[Measured]:
    """The columns of numbers; intervals and baselines go with the number that they stand behind.

    >>> table = pd.DataFrame({"head": ["L0H0"], "share": [0.5], "se": [0.1], "loss_effect": [1.0]})
    >>> measured_columns(table, [])
    [Measured(column='share', beside={'se': 'se'}), Measured(column='loss_effect', beside={})]
    """
    columns: list[Measured] = []
    for name in table:
        if name in (*NAMING, *keys, *NUMBERED) or kind_of(table[name]) != "number":
            continue
        beside = _BESIDE.fullmatch(str(name))
        if beside is not None and columns:
            columns[-1].beside[beside[1]] = str(name)
        else:
            columns.append(Measured(str(name)))
    return columns


@dataclass(frozen=True)
class _Group:
    """The rows of a table under one value of its keys; places: where each row's head stands."""

    about: HeadTable
    rows: pd.DataFrame
    places: list[int]
    label: str | None
    others: list[str]

    def numbers(self, measured: Measured, first: bool, size: int) -> Numbers:
        column, beside = measured.column, measured.beside
        values = self._values(column, size)
        low, high = (self._values(beside[edge], size) if edge in beside else None for edge in ("low", "high"))
        if "se" in beside:
            reach = WIDTH * self._values(beside["se"], size)
            low, high = values - reach, values + reach
        baseline = next((beside[name] for name in ("uniform", "baseline") if name in beside), None)
        return Numbers(
            *self._names(column, first),
            all_rounded(values),
            None if low is None else all_rounded(low),
            None if high is None else all_rounded(high),
            None if baseline is None else all_rounded(self._values(baseline, size)),
            column in SHARES or self.about.name in SHARE_TABLES,
        )

    def categories(self, column: str, first: bool, size: int, order: Sequence[str]) -> Categories:
        values: list[str | None] = [None] * size
        for place, value in zip(self.places, self.rows[column], strict=True):
            values[place] = _word(value)
        # A number that is a name sorts as a number.
        used = sorted({value for value in values if value is not None}, key=lambda word: (len(word), word))
        levels = [level for level in order if level in used]
        levels += [level for level in used if level not in levels]
        return Categories(*self._names(column, first), values, levels)

    def _values(self, column: str, size: int) -> np.ndarray:
        values = np.full(size, np.nan)
        values[self.places] = self.rows[column].astype("float64")
        return values

    def _names(self, column: str, first: bool) -> tuple[str, str, str]:
        """Name, label and group; the first column of a table in groups needs no name of its own."""
        verb, table = self.about.verb, self.about.name
        group = group_of(verb, table)
        if self.label is None:
            return f"{verb}.{table}.{column}", label_of(column), group
        name = ".".join([verb, table, column, *self.others, self.label])
        return name, self.label, ", ".join([group, *([] if first else [label_of(column)]), *self.others])


def _groups(about: HeadTable, places: list[int]) -> Iterator[_Group]:
    """The table by the values of its keys; that with most values names the groups, the others follow."""
    table, keys = about.table, about.keys
    if not keys:
        yield _Group(about, table, places, None, [])
        return
    main = max(keys, key=lambda key: table[key].nunique())
    grouped = table.assign(**{"head": places}).groupby(keys, sort=False, dropna=False)
    if grouped.ngroups > MOST_GROUPS:
        return
    for values, rows in grouped:
        said = {key: word_of(value) for key, value in zip(keys, values, strict=True)}
        yield _Group(about, rows, rows["head"].tolist(), said.pop(main), list(said.values()))


def _is_category(about: HeadTable, name: str, levels: Mapping[str, Sequence[str]]) -> bool:
    if name in (*NAMING, *about.keys):
        return False
    column = about.table[name]
    if name not in NUMBERED and kind_of(column) == "number":
        return False
    # What all rows share, such as the name of the data, tells nothing of a head; that all are harmless does.
    fewest = 1 if name in levels or kind_of(column) == "truth" else 2
    return fewest <= column.nunique() <= MOST_LEVELS


def _word(value: Any) -> str | None:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return None if pd.isna(value) or value == "" else str(value)


def _says_something(measure: Numbers | Categories) -> bool:
    """Whether any head has it, and, of numbers, whether heads differ in it."""
    known = [value for value in measure.values if value is not None]
    if isinstance(measure, Categories) or len(known) < 2:
        return bool(known)
    return len(set(known)) > 1
