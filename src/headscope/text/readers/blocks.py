"""Lines of annotated files, in blocks that blank lines part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from headscope.text.lines import Place, read_lines

Line = tuple[Place, str]

# Long enough for any index, and short enough for `int`; other digits than these are no number here.
NUMBER = re.compile(r"[0-9]{1,9}")
_PARTING = re.compile(r"[ \t]+")


def read_blocks(path: Path) -> Iterator[list[Line]]:
    """Yield the lines between blank ones, each block as a list."""
    lines = ((Place(path, number), content) for number, content in enumerate(read_lines(path), start=1))
    for filled, block in groupby(lines, key=lambda line: bool(line[1].strip())):
        if filled:
            yield list(block)


def split_spaced(content: str) -> list[str]:
    """Split columns that spaces or tabs part; other white space, as in fractions, is part of a word."""
    return _PARTING.split(content.strip(" \t"))


def parse_number(place: Place, what: str, text: str) -> int:
    """Read an index, or say what it was to be.

    >>> parse_number(Place("a.conllu", 3), "a head", "12")
    12
    """
    if not NUMBER.fullmatch(text):
        raise place.error(f"{what} is expected, a whole number, not '{text[:60]}'")
    return int(text)
