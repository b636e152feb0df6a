"""What the screens of several questions have in common: a table with a title, and numbers as words."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd


class Shown(NamedTuple):
    """A table as it is printed after a run, or a sentence alone."""

    title: str
    table: pd.DataFrame | None = None


def percent(value: float) -> str:
    """A share in percent, nothing where there is none.

    >>> percent(0.4337), percent(float("nan"))
    ('43.4', '')
    """
    return "" if value != value else f"{100 * value:.1f}"


def between(low: pd.Series[Any], high: pd.Series[Any], joint: str = " to ") -> pd.Series[Any]:
    """An interval of shares in percent, nothing where there is none."""
    return (low.map(percent) + joint + high.map(percent)).where(low.notna(), "")
