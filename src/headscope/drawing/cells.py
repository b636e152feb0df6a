"""A grid of heads: one row per layer, one column per head, a cell each."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

ONE_COLUMN = 12  # heads beside each other that still fit into a paper's column
HIGHEST = 0.22  # inches: a cell's height
_LETTER, _LINE = 0.05, 0.11  # inches that a letter and a line of text need in a cell
_EDGED = 64  # heads beside each other that still have room for white edges
HEAD_LABEL = "head (from 0)"


def draw_cells(
    axes: Axes, heads: xr.Dataset, values: np.ndarray, strength: np.ndarray | None = None, **style: Any
) -> QuadMesh:
    """Draw `values` (head,) at the layer and index of each head; what is NaN or missing stays empty.

    strength: (head,), how much each keeps of its colour, from 0 to 1; the rest is white.
    """
    first, (rows, columns) = int(heads["layer"].min()), shape_of(heads)
    places = heads["layer"].values - first, heads["index"].values
    cells, kept = np.full((rows, columns), np.nan), np.ones((rows, columns))
    cells[places] = values
    if strength is not None:
        kept[places] = strength
        style["alpha"] = kept
    mesh = axes.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(first, first + rows + 1) - 0.5,
        np.ma.masked_invalid(cells),
        edgecolors="white" if columns <= _EDGED else "none",
        **style,
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=12, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return mesh


def shape_of(heads: xr.Dataset) -> tuple[int, int]:
    """How many rows and columns a grid has: layers from the first to the last, heads from 0 to the last."""
    return int(heads["layer"].max()) - int(heads["layer"].min()) + 1, int(heads["index"].max()) + 1


def frame_cell(
    axes: Axes, index: int, layer: int, colour: str, width: float, clipped: bool = True, style: str = "-"
) -> None:
    """Draw a frame around a head's cell."""
    place = index - 0.5, layer - 0.5
    frame = Rectangle(place, 1, 1, fill=False, edgecolor=colour, linewidth=width, linestyle=style, zorder=3)
    frame.set_clip_on(clipped)
    axes.add_patch(frame)


def run_down(axes: Axes, heads: xr.Dataset) -> None:
    """Put the first layer on top."""
    axes.set_ylim(int(heads["layer"].max()) + 0.5, int(heads["layer"].min()) - 0.5)


def fits(cell: tuple[float, float], letters: int) -> bool:
    """Whether a cell of so many inches can hold so many letters.

    >>> fits((0.2, 0.2), 4), fits((0.2, 0.1), 4), fits((0.1, 0.2), 4)
    (True, False, False)
    """
    return cell[0] >= letters * _LETTER and cell[1] >= _LINE
