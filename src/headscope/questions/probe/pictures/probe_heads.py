"""Which heads a probe leans on: what it loses without each, as a grid of layers and heads."""

from __future__ import annotations

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, HIGHEST, ONE_COLUMN, draw_cells, fits, run_down, shape_of
from headscope.drawing.glyphs import readable
from headscope.drawing.stacks import LAYER_LABEL, by_stack, has
from headscope.drawing.style import DOUBLE, SINGLE, TINY, ink_on, new_figure
from headscope.results.result import Result

_FRAME, _BAR, _SIDE = 0.75, 0.55, 0.5  # inches: title and axis, the colour bar, left of each grid
_LEAST = 0.1  # points: the scale is never finer
_LETTERS = 4
_COLOURS = "RdBu_r"


def needs(result: Result) -> bool:
    """Whether the result tells what probes lose without each head."""
    return has(result, "drop")


def draw(result: Result) -> Figure:
    """Draw `drop` (head, probe) in points of UAS, one grid per probe.

    Bold is a head whose own interval leaves out 0; with many heads, some do so by chance.
    """
    ((_, heads),) = by_stack(result.arrays["heads"])  # only the stack that reads the text is probed
    probes = [str(name) for name in heads["probe"].values]
    rows, columns = shape_of(heads)
    width = DOUBLE if len(probes) > 1 or columns > ONE_COLUMN else SINGLE
    across = len(probes) if columns <= 2 * ONE_COLUMN else 1
    down = -(-len(probes) // across)
    figure = new_figure(width, down * (max(HIGHEST * rows, 0.5) + _FRAME))
    room = (width - _BAR) / across - _SIDE
    height = figure.get_figheight() / down - _FRAME
    norm = _scale(heads["drop"].values)
    panels = figure.subplots(down, across, squeeze=False, sharey=True)
    for axes, probe in zip(panels.flat, probes, strict=True):
        grid = heads.sel(probe=probe)
        mesh = draw_cells(axes, grid, 100 * grid["drop"].values, cmap=_COLOURS, norm=norm, linewidth=0.6)
        if fits((room / columns, height / rows), _LETTERS):
            _write(axes, grid, norm)
        axes.set_title(readable(probe), loc="left", fontweight="bold")
        axes.set_xlabel(HEAD_LABEL)
        run_down(axes, heads)
    for axes in panels[:, 0]:
        axes.set_ylabel(LAYER_LABEL)
    add_bar(figure, mesh, panels, "UAS lost (points)", height)
    return figure


def _scale(drop: np.ndarray) -> TwoSlopeNorm:
    """White at no loss, and both colours up to the largest one."""
    known = np.abs(100 * drop[np.isfinite(drop)])
    largest = max(float(known.max()) if known.size else 0.0, _LEAST)
    return TwoSlopeNorm(0.0, -largest, largest)


def _write(axes: Axes, heads: xr.Dataset, norm: TwoSlopeNorm) -> None:
    colours = matplotlib.colormaps[_COLOURS]
    names = ("layer", "index", "drop", "drop_low", "drop_high")
    for layer, index, drop, low, high in zip(*(heads[name].values for name in names), strict=True):
        if not np.isfinite(drop):
            continue
        points = 100 * drop
        text = f"{points:.1f}".replace("-0.0", "0.0")
        ink = ink_on(colours(norm(points)))
        weight = "bold" if low > 0 or high < 0 else "normal"
        axes.text(index, layer, text, ha="center", va="center", fontsize=TINY, color=ink, fontweight=weight)
