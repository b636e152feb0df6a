"""Legends outside the panels, in as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from headscope.drawing.style import SMALL

LINE = 0.15  # inches
Place = Literal["outside upper left", "outside lower left"]


def entry(label: str, colour: str, marker: str = "", **style: Any) -> Line2D:
    """One entry of a legend: a line, a marker, or both."""
    return Line2D([], [], label=label, color=colour, marker=marker, **style)


class Legend:
    """Entries with their labels, in columns that fit into `width` inches; it is `height` inches high."""

    def __init__(self, entries: Sequence[Artist], width: float) -> None:
        self.entries = list(entries)
        labels = [str(artist.get_label()) for artist in self.entries]
        self.columns = legend_columns(labels, width)
        self.rows = -(-len(labels) // self.columns)
        self.height = LINE * self.rows

    def add_to(self, figure: Figure, place: Place = "outside upper left", **style: Any) -> None:
        """Put it above or below all panels."""
        figure.legend(handles=self.entries, loc=place, ncols=self.columns, **style)


def legend_columns(labels: Sequence[str], width: float) -> int:
    """How many columns of legend entries fit into `width` inches.

    >>> legend_columns(["previous token", "next token", "mixed"], 6.8), legend_columns(["a" * 40] * 3, 3.3)
    (3, 1)
    """
    letters = np.array([len(label) for label in labels])
    for columns in range(len(labels), 1, -1):
        widest = sum(column.max() for column in np.array_split(letters, columns))
        # Beside its letters an entry has a handle of 1.6, a gap of 0.5 and a margin of 1.2 letter heights.
        if (widest * 0.58 + columns * 3.3 - 1.2) * SMALL / 72 <= width:
            rows = -(-len(labels) // columns)
            return -(-len(labels) // rows)  # as many as fill the rows evenly
    return 1
