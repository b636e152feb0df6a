"""Tables and sentences in the width that there is: no word is broken, nor a number from its unit, and columns
that do not fit stand in a band below."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, chop_cells

BETWEEN = 2
"""Blanks between two columns."""
LONGEST_WORD = 30
"""Letters of a word that is kept whole."""

UNITS = ("%", "points", "nats")
"""What stands in one line with the number before it."""

Band = list[tuple[int, int]]
"""Columns that stand beside each other: the number and the width of each."""


def bands(columns: Sequence[Sequence[str]], width: int) -> list[Band]:
    """Which columns stand beside each other; the first one, which names the rows, stands in every band.

    columns: the texts of each, its name first. A column is as wide as its longest word at least.

    >>> bands([["head", "L0H0"], ["rule", "most of it on itself"]], 20)
    [[(0, 4), (1, 14)]]
    >>> bands([["head", "L0H0"], ["divergence", "0.1"], ["entropy", "2"]], 16)
    [[(0, 4), (1, 10)], [(0, 4), (2, 7)]]
    """
    least = [max(map(_longest_word, texts)) for texts in columns]
    most = [max(map(cell_len, texts)) for texts in columns]
    parted = [[0]]
    for number in range(1, len(columns)):
        beside = [*parted[-1], number]
        if len(beside) > 2 and _total([least[place] for place in beside]) > width:
            parted.append([0, number])
        else:
            parted[-1] = beside
    return [_shared(band, least, most, width) for band in parted]


def folded(text: str, width: int) -> str:
    """A text in lines of at most so many columns, a number and its unit in one; a huge word is cut.

    >>> folded("It is right in 98 % of cases.", 17)
    'It is right in\\n98 % of cases.'
    """
    lines = [""]
    for word in _words(text):
        line = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(line) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = line
        *whole, lines[-1] = chop_cells(lines[-1], width) or [""]
        lines[-1:-1] = whole
    return "\n".join(lines)


def _words(text: str) -> list[str]:
    """Words, with a unit that follows a number."""
    words: list[str] = []
    for word in text.split():
        if words and word.rstrip(".,;:)") in UNITS and words[-1][-1:].isdigit():
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _shared(band: list[int], least: list[int], most: list[int], width: int) -> Band:
    """Columns as wide as their texts, the widest ones narrower until all fit."""
    widths = {number: most[number] for number in band}
    while _total(list(widths.values())) > width:
        loose = [number for number in band if widths[number] > least[number]]
        if not loose:
            break
        widths[max(loose, key=lambda number: widths[number])] -= 1
    return list(widths.items())


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + BETWEEN * (len(widths) - 1)


def _longest_word(text: str) -> int:
    return max((min(cell_len(word), LONGEST_WORD) for word in text.split()), default=1)
