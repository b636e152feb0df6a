"""Words in running lines, each on a colour: as dark as it matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle

from headscope.drawing.style import SMALL, ink_on

LINE = 0.19
"""Inches of a line of text."""

BLUE = "#0072B2"
_LETTER, _GAP = 0.062, 0.06  # inches: a letter at most, between words


def flow(words: Sequence[str], width: float) -> np.ndarray:
    """Where each word begins and on which line of so many inches, and how wide it is, (word, 3)."""
    places, left, line = [], 0.0, 0
    for word in words:
        wide = _LETTER * len(word) + 0.03
        if left and left + wide > width:
            left, line = 0.0, line + 1
        places.append((left, line, wide))
        left += wide + _GAP
    return np.array(places).reshape(-1, 3)


def write_word(
    axes: Axes, word: str, left: float, line: float, wide: float, shade: float, colour: str = BLUE
) -> None:
    """Write a word on white that is mixed with a colour, shade from 0 to 1; a line is 1 high."""
    mixed = to_hex((1 - shade) * np.ones(3) + shade * np.array(to_rgb(colour)))  # type: ignore[arg-type]
    axes.add_patch(Rectangle((left, line + 0.06), wide, 0.8, facecolor=mixed, linewidth=0))
    axes.text(
        left + wide / 2,
        line + 0.46,
        word,
        ha="center",
        va="center",
        fontsize=SMALL - 0.5,
        color=ink_on(mixed),
    )
