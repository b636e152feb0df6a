"""Numbers of texts and of rows of evidence, and whether what is written is what was measured."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchmarks.rows import Row

UNITS = {
    "points": "points", "point": "points", "x": "x", "times as": "x", "times faster": "x", "seconds": "s",
    "minutes": "min",
    **{unit: unit for unit in ("%", "ms", "s", "min", "hours", "nats", "bits", "kbit", "BLEU")},
    **{unit: unit for unit in ("KiB", "MiB", "GiB", "MB", "GB")},
}  # fmt: skip
"""Units of what is measured, by the words that stand for them."""
_UNIT = "|".join(map(re.escape, sorted(UNITS, key=len, reverse=True)))
_DIGITS = r"(\d[\d,]*(?:\.\d+)?|\.\d+)(?:e(-?\d+))?"
_BEFORE = r"(?<![\w.,#])(?<!\w-)(?<![a-zA-Z`]/)"  # no part of a word, of a number, or of a head such as 5-4
_NUMBER = re.compile(rf"{_BEFORE}{_DIGITS}(?![\w-]| layers of)(?:[  ]?({_UNIT})(?![\w-]))?")
_IN_ROW = re.compile(rf"{_DIGITS}(?:[  ]?({_UNIT})(?!\w))?")
_NOT_COUNTED = (
    r"\d+\.\d+\.\d+|Python \d\.\d+",  # versions
    r"(?:[Ss]ections?|[Ff]igures?|[Tt]ables?|[Ee]quations?) \d+(?:\.\d+)?",
    r"(?:95|97\.5) %(?= (?:\w+ )?intervals?)",  # how intervals are told everywhere
    r"(?<![\w.,])0\d+(?![\w.,])",  # names of pages
)
_NOT_READ = (r"^```.*?^```$", r"`[^`\n]*`", r"!\[[^\]]*\]\([^)]*\)", r"(?<=\])\([^)]*\)", r"<!--.*?-->")


class Number(NamedTuple):
    """A number as it is written, its value, how far off rounding may have made it, and its unit, if any."""

    written: str
    value: float
    half: float
    unit: str


def claimed(text: str, digits: int = 3) -> Iterator[Number]:
    """Numbers of a page that say how much: with a decimal point or a unit, or of so many digits.

    Code, pictures, addresses of links, years, versions, numbers of sections, and that an interval is of 95 %,
    are not looked at; smaller numbers count things that anyone can count.

    >>> text = "L2H8 of 6 layers is right in 94.3 % (2019), `9.9`, .5 or [12,544](a-7.1.md), 8 ms, v2.1.3"
    >>> [f"{number.written} {number.unit}".strip() for number in claimed(text)]
    ['94.3 %', '.5', '12,544', '8 ms']
    """
    for part in (*_NOT_READ, *_NOT_COUNTED):
        text = re.sub(part, " ", text, flags=re.DOTALL | re.MULTILINE)
    for match in _NUMBER.finditer(text):
        number = _number(match)
        plain = number.written.replace(",", "")
        large = "." in plain or "e" in plain or number.unit or len(plain) >= digits
        if large and not re.fullmatch(r"(19|20)\d\d", number.written):
            yield number


def _number(match: re.Match[str]) -> Number:
    digits, power = match[1].rstrip(","), int(match[2] or 0)
    plain = digits.replace(",", "")
    half = 0.5 * 10.0 ** (power - len(plain.partition(".")[2]))
    written = digits + (f"e{match[2]}" if match[2] else "")
    return Number(written, float(plain) * 10.0**power, half, UNITS.get(match[3] or "", ""))


class Measured:
    """Numbers that may be written, by unit; where no unit is written, all of them.

    A share of 1 may be written in percent, and seconds in minutes. A number of a row that has no unit of its
    own has those of the row; where the row has none, any.
    """

    def __init__(self, rows: Iterable[Row] = (), texts: Iterable[str] = ()) -> None:
        found: dict[str, set[float]] = {unit: set() for unit in ("", *UNITS.values())}
        for row in rows:
            _add_row(found, row)
        for text in texts:
            for match in _IN_ROW.finditer(text):
                number = _number(match)
                found[""].add(number.value)
                found[number.unit].add(number.value)
        self._values = {unit: sorted(values) for unit, values in found.items()}

    def has(self, number: Number) -> bool:
        """Whether some number that was measured is this one, rounded as it is written.

        >>> row: Row = {"name": "a", "value": 0.8716, "unit": "s", "target": "", "limit": "", "passed": True}
        >>> [Measured([row]).has(number) for number in claimed("0.87, 0.87 s, 0.88 s, 0.87 nats")]
        [True, True, False, False]
        """
        values = self._values[number.unit]
        slack = number.half + 1e-9 * (1 + number.value)
        return bisect_left(values, number.value - slack) < bisect_right(values, number.value + slack)

    def by_chance(self) -> float:
        """The share of 0.0, 0.1, ... 99.9 that would pass, without a unit.

        >>> Measured(texts=["1.04, 1.05 and 27"]).by_chance()
        0.002
        """
        every = (Number(f"{tenth / 10:.1f}", tenth / 10, 0.05 - 1e-6, "") for tenth in range(1000))
        return sum(map(self.has, every)) / 1000


def _add_row(found: dict[str, set[float]], row: Row) -> None:
    unit, value = row["unit"], row["value"]
    shown = f"{abs(value)!r} {unit}" if isinstance(value, int | float) else f"{value} {unit}"
    text = f"{row['name']}; {shown}; {row['target']} {row['limit']}"
    numbers = [_number(match) for match in _IN_ROW.finditer(text)]
    units = {number.unit for number in numbers if number.unit} | {UNITS[one] for one in _words(unit)}
    for number in numbers:
        of_number = {number.unit} if number.unit else units or set(UNITS.values())
        for name in ("", *of_number):
            found[name].add(number.value)
        if not units and number.value <= 1:
            found[""].add(100 * number.value)
            found["%"].add(100 * number.value)
        if "s" in of_number:
            found[""].add(number.value / 60)
            found["min"].add(number.value / 60)


def _words(unit: str) -> list[str]:
    return [word for word in unit.split() if word in UNITS]
