"""How far ways to explain agree: Kendall's tau of each pair, mean over answers."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, SINGLE, TINY, new_figure
from headscope.results.result import Result

_FEW = 8
_SIDE, _ROOM = 0.24, 1.3  # inches of a cell, and for names and bar


def needs(result: Result) -> bool:
    """Whether two explainers or more ranked the same tokens."""
    table = result.tables.get("agreement")
    return table is not None and bool(table["tau"].notna().any())


def draw(result: Result) -> Figure:
    """Draw the matrix with its numbers; empty where a pair has none."""
    table = result.table("agreement")
    names = [str(name) for name in dict.fromkeys([*table["explainer"], *table["other"]])]
    matrix = np.full((len(names), len(names)), np.nan)
    for first, second, tau in table[["explainer", "other", "tau"]].itertuples(index=False):
        row, column = names.index(first), names.index(second)
        matrix[row, column] = matrix[column, row] = tau
    side = len(names) * _SIDE + _ROOM
    figure = new_figure(SINGLE if len(names) <= _FEW else DOUBLE, side)
    axes = figure.subplots()
    image = axes.imshow(np.ma.masked_invalid(matrix), cmap="RdBu", vmin=-1.0, vmax=1.0)
    for row, column in np.argwhere(~np.isnan(matrix)):
        dark = abs(matrix[row, column]) > 0.65
        axes.text(
            column, row, f"{matrix[row, column]:.2f}".replace("0.", ".", 1), ha="center", va="center",
            fontsize=TINY, color="white" if dark else "black",
        )  # fmt: skip
    labels = [readable(name) for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), labels)
    axes.tick_params(length=0, pad=2, labelsize=TINY)
    axes.spines[:].set_visible(False)
    add_bar(figure, image, axes, "tau", side - 0.8)
    return figure
