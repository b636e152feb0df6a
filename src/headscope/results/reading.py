"""Values of tables for reading: shares in percent, differences in points, counts in full."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from string import Formatter
from typing import Any

import numpy as np
import pandas as pd

from headscope.results.declaration import POINTS, SHARE, Column, Declaration

UNKNOWN = "not known"
WIDTH = 1.96
"""Standard errors on each side of a 95 % interval."""

LONGEST = 120
"""Letters of a text that are read; a word may be as long as a page."""


def read(value: Any, column: Column, more: int = 0) -> str:
    """One value in words; more: digits of a share beyond those that it has otherwise.

    >>> read(0.434, Column("share", unit=SHARE)), read(-0.0123, Column("change", unit=POINTS))
    ('43 %', '-1.2 points')
    >>> [read(share, Column("share", unit=SHARE)) for share in (0.996, 0.9999, 1.0, 0.0001)]
    ['99.6 %', 'over 99.9 %', '100 %', 'under 0.1 %']
    >>> read(12345, Column("words")), read(12345.0, Column("words")), read(0.01234, Column("loss", "nats"))
    ('12,345', '12,345', '0.0123 nats')
    >>> read(-0.29613, Column("difference", signed=True)), read(12, Column("distance", signed=True))
    ('-0.296', '+12')
    """
    if value is None or value is pd.NA or (isinstance(value, Real) and math.isnan(value)):
        return UNKNOWN
    if isinstance(value, bool) or not isinstance(value, Real):
        text = column.words.get(str(value), str(value))
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    if column.unit == SHARE:
        return f"{_percent(100 * float(value), more)} %"
    if column.unit == POINTS:
        return f"{_rounded(100 * float(value), 1, sign=True)} points"
    if column.signed:
        return f"{value:+{'' if float(value).is_integer() else '.3'}g}" if value else "0"
    if isinstance(value, Integral):
        number = f"{value:,}"
    else:
        number = f"{float(value):,.0f}" if float(value).is_integer() else f"{float(value):.3g}"
    return f"{number} {column.unit}".strip()


def read_interval(low: Any, high: Any, column: Column, more: int = 0) -> str:
    """An interval in words, with its unit once; one without both ends is not known.

    >>> read_interval(0.88, 0.934, Column("share", unit=SHARE))
    '88 to 93 %'
    >>> read_interval(0.0001, 0.002, Column("share", unit=SHARE))
    'under 0.1 to 0.2 %'
    """
    first, last = read(low, column, more), read(high, column, more)
    if UNKNOWN in (first, last):
        return UNKNOWN
    unit = {SHARE: "%", POINTS: "points"}.get(column.unit, column.unit)
    return f"{first.removesuffix(f' {unit}') if unit else first} to {last}"


def ends(value: Any, error: Any, column: Column) -> tuple[Any, Any]:
    """The ends of a 95 % interval by a standard error, numbers or arrays; of a share, within 0 and 1.

    >>> low, high = ends(np.array([0.5, 0.1]), np.array([0.1, 0.1]), Column("share", unit=SHARE))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.304, 0.0], [0.696, 0.296])
    """
    if column.unit == SHARE:
        return share_ends(value, error)
    return value - WIDTH * error, value + WIDTH * error


def share_ends(value: Any, error: Any) -> tuple[Any, Any]:
    """The ends of a 95 % interval of a number from 0 to 1; no number where there is no error.

    >>> low, high = share_ends(np.array([0.05, 0.99, 0.5]), np.array([0.05, 0.05, np.nan]))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.892, nan], [0.148, 1.0, nan])
    """
    return np.maximum(value - WIDTH * error, 0.0), np.minimum(value + WIDTH * error, 1.0)


def plural(noun: str) -> str:
    """A noun for several.

    >>> plural("head"), plural("pass"), plural("branch")
    ('heads', 'passes', 'branches')
    """
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def counted(count: float, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "document"), counted(1200, "document"), counted(0.5, "point")
    ('1 document', '1,200 documents', '0.5 points')
    """
    number = f"{count:g}" if isinstance(count, float) else f"{count:,}"
    return f"{number} {noun if count == 1 else plural(noun)}"


def both(first: str, second: str, joint: str = " / ") -> str:
    """What two halves of the data chose, once where they agree.

    >>> both("L3H8", "L2H2"), both("L3H8", "L3H8")
    ('L3H8 / L2H2', 'L3H8')
    """
    return first if first == second else f"{first}{joint}{second}"


class Cells(dict[str, "Cell"]):
    """A row of a table as a format takes it: {effect} reads the value.

    {effect:full} reads it with its interval, where that is known; {effect:size} without its sign;
    {heads:n head} a count with its noun. read: the texts that were filled in, in their order; columns: those
    that they are of.
    """

    def __init__(self, row: Mapping[str, Any], declaration: Declaration) -> None:
        self._filled: list[tuple[str, str]] = []
        columns = {name: declaration.column(name) for name in row}
        super().__init__(
            {name: Cell(row, name, columns[name], value, self._filled) for name, value in row.items()}
        )

    @property
    def read(self) -> list[str]:
        return [text for text, _ in self._filled]

    @property
    def columns(self) -> list[str]:
        return [name for _, name in self._filled]

    def fill(self, text: str) -> str:
        """A text with its braces filled; whatever a cell holds stays text."""
        return Formatter().vformat(text, (), self)


@dataclass(frozen=True)
class Cell:
    """One value of a row; what stands beside it is read from the row too."""

    row: Mapping[str, Any]
    name: str
    column: Column
    value: Any
    filled: list[tuple[str, str]]

    def __format__(self, how: str) -> str:
        text = self._text(how)
        self.filled.append((text, self.name))
        return text

    def _text(self, how: str) -> str:
        value = read(self.value, self.column)
        if value == UNKNOWN or not how:
            return value
        if how == "full":
            return self._with_interval()
        if how.startswith("n "):
            return f"{value} {how[2:] if self.value == 1 else plural(how[2:])}"
        if how == "size":
            return read(abs(self.value), self.column).removeprefix("+")
        raise ValueError(f"a cell cannot be read as {how!r}; known are full, size and n NOUN")

    def _with_interval(self) -> str:
        """With the interval, in digits that tell its ends apart; without it, where no digits do."""
        for more in (0, 1):
            first, last = (read(end, self.column, more) for end in self.interval)
            if UNKNOWN not in (first, last) and first != last:
                interval = read_interval(*self.interval, self.column, more)
                return f"{read(self.value, self.column, more)} ({interval})"
        return read(self.value, self.column)

    @property
    def interval(self) -> tuple[Any, Any]:
        """Its ends, from columns of their own or from a standard error; None where there are none."""
        error = self._beside("error")
        if error is not None:
            return ends(self.value, error, self.column)
        return self._beside("low"), self._beside("high")

    @property
    def baseline(self) -> Any:
        """What it stands beside; None where there is nothing."""
        return self._beside("baseline")

    def _beside(self, what: str) -> Any:
        """What stands in the column that is so much to this one; None, where there is none."""
        return self.row.get(self.column.beside.get(what, ""))


def _percent(percent: float, more: int) -> str:
    """Almost all is not all, and next to nothing is not nothing."""
    least = min(percent, 100 - percent)
    if 0 < least < 0.05:
        return "under 0.1" if percent < 50 else "over 99.9"
    return _rounded(percent, max(more, int(0 < least < 1)))


def _rounded(value: float, digits: int, sign: bool = False) -> str:
    """Without a minus before nothing."""
    rounded = round(value, digits) + 0.0
    return f"{rounded:+.{digits}f}" if sign and rounded else f"{rounded:.{digits}f}"
