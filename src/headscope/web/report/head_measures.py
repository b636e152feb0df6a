"""Measures of heads: the columns of a table about them that say they tell heads apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd

from headscope.drawing.palette import KINDS, role_colours
from headscope.heads import Head
from headscope.results.declaration import SHARE, Column
from headscope.results.reading import ends, read
from headscope.results.vocabulary import ROLES, whole
from headscope.web.report.head_tables import HeadTable
from headscope.web.report_wire import Categories, Level, Numbers
from headscope.web.rounding import all_rounded

MOST_GROUPS, MOST_LEVELS = 400, 20
"""A table that falls into more groups is for reading only; a column of more words is text, no category."""

OVERVIEW = "overview"
"""The group of measures that have nothing in common."""


def measures_of(about: HeadTable, heads: Sequence[Head], asked: str) -> list[Numbers | Categories]:
    """Every measure of a table, each with a value for each of `heads`; what says nothing is left out.

    asked: what their groups begin with.
    """
    place = {head: number for number, head in enumerate(heads)}
    columns = list(about.says.measured(about.table))
    measures: list[Numbers | Categories] = []
    for group in _groups(about, [place[head] for head in about.heads], asked):
        for number, (name, column, kind) in enumerate(columns):
            make = group.numbers if kind == "number" else group.categories
            measures.append(make(name, column, number == 0, len(heads)))
    return [measure for measure in measures if _says_something(measure)]


@dataclass(frozen=True)
class _Group:
    """The rows of a table under one value of its keys; places: where each row's head stands."""

    about: HeadTable
    asked: str
    rows: pd.DataFrame
    places: list[int]
    label: str | None
    others: list[str]
    ordered: bool = False

    def numbers(self, name: str, column: Column, first: bool, size: int) -> Numbers:
        values, beside = self._values(name, size), self._beside(column, size)
        low, high = beside.get("low"), beside.get("high")
        if "error" in beside:
            low, high = ends(values, beside["error"], column)
        sides = (low, high, beside.get("baseline"))
        low_values, high_values, baseline = (None if side is None else all_rounded(side) for side in sides)
        return Numbers(
            *self._names(name, column, first),
            all_rounded(values),
            low_values,
            high_values,
            baseline,
            percent=column.unit == SHARE,
            along=self._along(name),
        )

    def categories(self, name: str, column: Column, first: bool, size: int) -> Categories:
        values: list[str | None] = [None] * size
        for place, value in zip(self.places, self.rows[name], strict=True):
            values[place] = _word(value)
        levels = _levels(self.about.table if self.ordered else self.rows, name, column)
        is_role = self.about.says.role is not None and self.about.says.role[0] == name
        made = _roles(levels) if is_role or _has_roles(column) else _kinds(levels)
        return Categories(*self._names(name, column, first), values, made, is_role, self._along(name))

    def _beside(self, column: Column, size: int) -> dict[str, np.ndarray]:
        beside = {what: name for what, name in column.beside.items() if name in self.rows}
        return {what: self._values(name, size) for what, name in beside.items()}

    def _values(self, name: str, size: int) -> np.ndarray:
        values = np.full(size, np.nan)
        values[self.places] = self.rows[name].astype("float64")
        return values

    def _along(self, name: str) -> str:
        """What this column has in common in all groups that follow each other."""
        return ".".join([self.about.verb, self.about.name, name, *self.others]) if self.ordered else ""

    def _names(self, name: str, column: Column, first: bool) -> tuple[str, str, str, str]:
        """Name, label, group, what the group says; the first column of a table in groups needs no name."""
        verb, table, says = self.about.verb, self.about.name, self.about.says
        if self.label is None:
            group = f"{self.asked}: {says.group or OVERVIEW}"
            return f"{verb}.{table}.{name}", column.says, group, says.group
        full = ".".join([verb, table, name, *self.others, self.label])
        about = ", ".join([says.group or says.title, *([] if first else [column.says]), *self.others])
        return full, self.label, f"{self.asked}: {about}", about


def _groups(about: HeadTable, places: list[int], asked: str) -> Iterator[_Group]:
    """The table by the values of its keys; one that is ordered, else that with most values, names groups."""
    table, keys = about.table, about.keys
    if not keys:
        yield _Group(about, asked, table, places, None, [])
        return
    ordered = [key for key in keys if about.says.column(key).ordered]
    main = ordered[0] if ordered else max(keys, key=lambda key: table[key].nunique())
    grouped = table.assign(**{"head": places}).groupby(keys, sort=False, dropna=False)
    if grouped.ngroups > MOST_GROUPS:
        return
    for values, rows in grouped:
        said = {key: read(value, about.says.column(key)) for key, value in zip(keys, values, strict=True)}
        label, others = said.pop(main), list(said.values())
        yield _Group(about, asked, rows, rows["head"].tolist(), label, others, bool(ordered))


def _levels(rows: pd.DataFrame, name: str, column: Column) -> list[str]:
    """The words of a category that rows have, in the order that is declared; steps share them."""
    # A number that is a name sorts as a number.
    words = {word for word in map(_word, rows[name]) if word is not None}
    used = sorted(words, key=lambda word: (len(word), word))
    levels = [level for level in column.levels if level in words]
    return levels + [word for word in used if word not in levels]


def _has_roles(column: Column) -> bool:
    """Whether a column declares that its words are roles, as those that stand beside a head's own."""
    declared = [level for level in column.levels if level]
    return bool(declared) and all(whole(level) in ROLES for level in declared)


def _roles(words: Sequence[str]) -> list[Level]:
    """Roles in the colours that they have in figures."""
    colours = role_colours(words)
    return [Level(word, colours[word], None if whole(word) == word else whole(word)) for word in words]


def _kinds(words: Sequence[str]) -> list[Level]:
    return [Level(word, colour) for word, colour in zip(words, cycle(KINDS), strict=False)]


def _word(value: Any) -> str | None:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return None if pd.isna(value) or value == "" else str(value)


def _says_something(measure: Numbers | Categories) -> bool:
    """Whether any head has it, and, of numbers, whether heads differ in it."""
    known = [value for value in measure.values if value is not None]
    if isinstance(measure, Categories):
        return bool(known) and len(measure.levels) <= MOST_LEVELS
    return len(set(known)) > 1 or len(known) == 1
