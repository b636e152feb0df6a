"""What the screens of several questions have in common: a table with a title, and numbers as words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from headscope.results.declaration import POINTS, SHARE, Column, Declaration
from headscope.results.reading import both
from headscope.results.result import Result

ROWS, BESIDE, TOKENS = 12, 5, 20
"""Rows of a table, ways to explain beside each other, and tokens that they explain."""


class Shown(NamedTuple):
    """A table as it is printed after a run, or a sentence alone."""

    title: str
    table: pd.DataFrame | None = None


def shown(result: Result, name: str, columns: Sequence[str] | None = None) -> Shown:
    """A table under its own title; columns: which, by default all."""
    says = result.declaration(name)
    return Shown(says.title, readable(result.table(name), says, columns))


def first_rows(result: Result) -> Iterator[Shown]:
    """What is shown of a result whose question says no more: each table, as far as it fits."""
    for name, table in result.tables.items():
        says = result.declaration(name)
        yield Shown(f"{says.title}: {len(table)} rows", readable(table.head(ROWS), says))


def readable(table: pd.DataFrame, says: Declaration, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Columns as they are printed: shares in percent, differences in points, each with its interval.

    columns: which, by default all; the ends of an interval need not be named.

    >>> from headscope.results.declaration import Column
    >>> says = Declaration("", (), {"share": Column("", "share", low="low", high="high"), "n": Column("")})
    >>> readable(pd.DataFrame({"n": [3], "share": [0.4337], "low": [0.4], "high": [0.5]}), says)
       n              share %
    0  3  43.4 (40.0 to 50.0)
    """
    names = [str(name) for name in table.columns] if columns is None else list(columns)
    beside = {column for name in names for column in says.column(name).beside.values()}
    shown: dict[str, pd.Series[Any]] = {}
    for name in names:
        column = says.column(name)
        if name in beside and columns is None:
            continue
        if pd.api.types.is_bool_dtype(table[name]):
            shown[name.replace("_", " ")] = table[name].map({True: "yes", False: ""})
            continue
        label = name.replace("_", " ") + _UNITS.get(column.unit, f" ({column.unit})" if column.unit else "")
        low, high = column.low, column.high
        has_interval = low in table and high in table
        if column.unit not in (SHARE, POINTS) and not column.signed and not has_interval:
            shown[label] = table[name]
            continue
        words = partial(_printed, column=column)
        text = table[name].map(words)
        if has_interval:
            ends = table[low].map(words) + " to " + table[high].map(words)
            text = text + (" (" + ends + ")").where(table[low].notna(), "")
        shown[label] = text.where(table[name].notna(), "")
    return pd.DataFrame(shown, index=table.index)


_UNITS = {SHARE: " %", POINTS: " (points)"}


def _printed(value: float, column: Column) -> str:
    if column.unit == SHARE:
        return percent(value)
    if column.unit == POINTS:
        return points(value)
    return f"{value:+g}" if column.signed and value else f"{value:.3g}"


def both_of(table: pd.DataFrame, name: str) -> pd.Series[Any]:
    """What two halves of the data chose; name: of the first column."""
    pairs = zip(table[name], table[f"other_{name}"], strict=True)
    texts = [both(*("" if pd.isna(one) else str(one) for one in pair)) for pair in pairs]
    return pd.Series(texts, table.index, dtype=object)


def points(value: float) -> str:
    """A difference of shares in points, nothing where there is none.

    >>> points(-0.0123), points(float("nan"))
    ('-1.23', '')
    """
    return "" if value != value else f"{100 * value:+.2f}"


def percent(value: float) -> str:
    """A share in percent, nothing where there is none.

    >>> percent(0.4337), percent(float("nan"))
    ('43.4', '')
    """
    return "" if value != value else f"{100 * value:.1f}"


def between(low: pd.Series[Any], high: pd.Series[Any], joint: str = " to ") -> pd.Series[Any]:
    """An interval of shares in percent, nothing where there is none."""
    return (low.map(percent) + joint + high.map(percent)).where(low.notna(), "")


def shares_beside(rows: pd.DataFrame, answer: str, unit: str) -> Shown:
    """Importances of one answer in percent: a row for each token, a column for each explainer.

    A minus stands before what speaks against the answer. Of a long text, the tokens that matter most by any
    of these explainers are shown. answer: what it is called; unit: what a token is.
    """
    ways = list(dict.fromkeys(rows["explainer"]))
    names = ways[:BESIDE]
    own = rows[rows["explainer"].isin(names)]
    most = own.groupby("place")["share"].max().fillna(0.0).nlargest(TOKENS).index
    kept = own[own["place"].isin(most)]
    table = pd.DataFrame({unit: kept.loc[kept["explainer"] == names[0], "token"].tolist()})
    for name in names:
        table[name] = _signed_percents(kept[kept["explainer"] == name])
    title, count = f"{answer}: part of each {unit} in %", own["place"].nunique()
    signs = ", minus speaks against it" if (kept["importance"] < 0).any() else ""
    cut = f"; the {len(most)} of {count} that matter most" if len(most) < count else ""
    few = f"; {len(names)} of {len(ways)} ways" if len(names) < len(ways) else ""
    return Shown(f"{title}{signs}{cut}{few}", table)


def _signed_percents(rows: pd.DataFrame) -> list[str]:
    """Shares in percent, with a minus before those of what speaks against the answer."""
    pairs = zip(rows["share"], rows["importance"], strict=True)
    return [("-" if share > 0 > importance else "") + percent(share) for share, importance in pairs]
