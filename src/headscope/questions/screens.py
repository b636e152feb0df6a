"""What the screens of several questions have in common: a table with a title, and numbers as words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from headscope.results.result import Result

ROWS = 12


class Shown(NamedTuple):
    """A table as it is printed after a run, or a sentence alone."""

    title: str
    table: pd.DataFrame | None = None


def first_rows(result: Result) -> Iterator[Shown]:
    """What is shown of a result whose question says no more: each table, as far as it fits."""
    for name, table in result.tables.items():
        yield Shown(f"{name.replace('_', ' ')}: {len(table)} rows", table.head(ROWS))


def percent(value: float) -> str:
    """A share in percent, nothing where there is none.

    >>> percent(0.4337), percent(float("nan"))
    ('43.4', '')
    """
    return "" if value != value else f"{100 * value:.1f}"


def between(low: pd.Series[Any], high: pd.Series[Any], joint: str = " to ") -> pd.Series[Any]:
    """An interval of shares in percent, nothing where there is none."""
    return (low.map(percent) + joint + high.map(percent)).where(low.notna(), "")
