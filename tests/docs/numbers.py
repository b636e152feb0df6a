"""Numbers of pages, and whether they stand in the evidence."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "docs" / "evidence"
_NUMBER = re.compile(r"(?<![\w.,-])(\d[\d,]*(?:\.\d+)?|\.\d+)(?![\w-])( ?[%x])?")
_IN_EVIDENCE = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?|\.\d+")
_YEAR = re.compile(r"(19|20)\d\d")


def claimed(text: str) -> Iterator[str]:
    """Numbers of a page that say how much: with a decimal point, a percent sign or an x, or of three digits.

    Code, addresses of links and years are not looked at; smaller numbers count things that anyone can count.

    >>> list(claimed("L2H8 of 6 layers is right in 94.3 % (2019), `9.9`, .5 or [12,544](a-77.1.md), 8 %"))
    ['94.3', '.5', '12,544', '8']
    """
    for part in (r"^```.*?^```$", r"`[^`\n]*`", r"(?<=\])\([^)]*\)", r"<!--.*?-->"):
        text = re.sub(part, "", text, flags=re.DOTALL | re.MULTILINE)
    for match in _NUMBER.finditer(text):
        number = match[1].rstrip(",")
        large = "." in number or match[2] or len(number.replace(",", "")) > 2
        if large and not _YEAR.fullmatch(number):
            yield number


class Measured:
    """Numbers that were measured, and their percents."""

    def __init__(self, texts: Iterable[str]) -> None:
        found = [float(number.replace(",", "")) for text in texts for number in _IN_EVIDENCE.findall(text)]
        self._values = sorted({*found, *(100 * value for value in found)})

    def has(self, number: str) -> bool:
        """Whether some value is this number, rounded as it is written.

        >>> [Measured(["0.8716 s"]).has(number) for number in ("0.87", "87.2", "0.88")]
        [True, True, False]
        """
        plain = number.replace(",", "")
        half = 0.5 * 10 ** -len(plain.partition(".")[2]) + 1e-9
        place = bisect_left(self._values, float(plain) - half)
        return place < len(self._values) and self._values[place] <= float(plain) + half


def measured_in(*parts: str) -> Measured:
    """The rows of parts of the evidence; where none is named, of all of them, and all that pictures keep."""
    paths = [EVIDENCE / "measured" / f"{part}.json" for part in parts]
    if not parts:
        paths = sorted((EVIDENCE / "measured").glob("*.json"))
        return Measured([*map(_rows, paths), *(path.read_text("utf-8") for path in _pages())])
    return Measured(map(_rows, paths))


def _rows(path: Path) -> str:
    rows = json.loads(path.read_text("utf-8"))["rows"]
    return " ".join(f"{row['name']} {row['value']}" for row in rows)


def _pages() -> tuple[Path, ...]:
    return EVIDENCE / "drawn.json", ROOT / "docs" / "evidence.md", ROOT / "docs" / "papers" / "rows.toml"
