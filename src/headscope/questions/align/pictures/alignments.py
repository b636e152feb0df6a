"""What the best head attends to: target words down, source words across (Bahdanau et al. 2015, figure 3)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from headscope.drawing.cells import frame_cell
from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, SMALL, TINY, new_figure
from headscope.results.result import Result

_CELL, _WORDS, _TITLE = 0.17, 0.75, 0.3  # inches: a word, the words at the edge, the title
_ACCENT, _SIGNS = COLOURS[1], 14


def needs(result: Result) -> bool:
    """Whether the result holds maps of pairs."""
    shown = result.arrays.get("alignments")
    return shown is not None and shown["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, target, source), light is most, with `sure` and `possible` links as frames."""
    shown = result.arrays["alignments"]
    count = shown.sizes["example"]
    across = min(2, count)
    down = -(-count // across)
    rows = [
        max(_size(shown.isel(example=place), "target") for place in range(first, min(first + across, count)))
        for first in range(0, count, across)
    ]
    legend = Legend(_entries(result), (DOUBLE if across > 1 else SINGLE) - 0.2)
    heights = [each * _CELL + _WORDS + _TITLE for each in rows]
    figure = new_figure(DOUBLE if across > 1 else SINGLE, sum(heights) + legend.height)
    panels = figure.subplots(down, across, squeeze=False, height_ratios=heights).flat
    for axes in panels[count:]:
        axes.set_axis_off()
    for place in range(count):
        _draw_pair(panels[place], shown.isel(example=place))
    legend.add_to(figure)
    return figure


def _size(example: xr.Dataset, axis: str) -> int:
    return int((example[f"{axis}_word"].values != "").sum())


def _draw_pair(axes: Axes, example: xr.Dataset) -> None:
    rows, columns = _size(example, "target"), _size(example, "source")
    some = example.isel(target=slice(rows), source=slice(columns))
    weights = some["weights"].values
    highest = np.nanmax(weights, initial=0.0)
    axes.imshow(weights, cmap="gray", vmin=0.0, vmax=highest or 1.0, aspect="auto")
    for kind, style in (("possible", ":"), ("sure", "-")):
        links = some[kind].values & ~(some["sure"].values if kind == "possible" else False)
        for row, column in zip(*np.nonzero(links), strict=True):
            frame_cell(axes, column, row, _ACCENT, 1.0, clipped=False, style=style)
    for axis, name, count in ((axes.xaxis, "source", columns), (axes.yaxis, "target", rows)):
        words = [readable(str(word), _SIGNS) for word in some[f"{name}_word"].values]
        axis.set_ticks(np.arange(count), words, fontsize=SMALL)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.tick_params(axis="x", labelrotation=90)
    pair, by = (readable(str(some[name].values)) for name in ("pair", "by"))
    axes.set_xlabel(f"{pair}: {by}", fontsize=TINY, color=FAINT)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.spines[:].set_visible(False)


def _entries(result: Result) -> list[Line2D]:
    table = result.tables.get("alignment")
    name = "gold" if table is None or not len(table) else str(table["reference"].iloc[0])
    entries = [entry(f"link by {name}", _ACCENT, linestyle="-", linewidth=1.0)]
    shown = result.arrays["alignments"]
    if bool((shown["possible"] & ~shown["sure"]).any()):
        entries.append(entry("possible link", _ACCENT, linestyle=":", linewidth=1.0))
    return entries
