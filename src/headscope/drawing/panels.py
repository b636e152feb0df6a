"""Panels under each other, one column per stack: a point per head at its layer, and each layer's mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import LINE, Legend, entry
from headscope.drawing.stacks import LAYER_LABEL, by_stack, layer_means, set_layer_axis
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, SMALL, Symbol, new_figure

_PANEL, _FOOT = 1.35, 0.45  # inches: a panel, the axis label below all
_ASIDE = 0.66  # of a layer's width, over which the points of its series stand beside each other
_BAND = "#F4F4F4"  # behind every other layer, so that points moved sideways are seen to be of it
_MANY_POINTS = 1000
_MANY_LAYERS = 16


@dataclass(frozen=True)
class Series:
    """One measure of every head: values of shape (head,), and the same under uniform attention."""

    label: str
    values: xr.DataArray
    symbol: Symbol
    uniform: xr.DataArray | None = None


@dataclass(frozen=True)
class Panel:
    """What one row shows; without `points`, the layers' means alone."""

    title: str
    ylabel: str
    series: Sequence[Series]
    points: bool = True
    ceiling: float = np.inf

    def has_numbers(self, heads: xr.Dataset) -> bool:
        """Whether any of these heads has one."""
        return any(series.values.sel(head=heads["head"]).notnull().any() for series in self.series)


def draw_panels(heads: xr.Dataset, panels: Sequence[Panel]) -> Figure:
    """Draw the panels under each other, with one column per stack and each legend above its panel.

    What has no numbers has no place: no panel, and no axes in the column of a stack.
    """
    panels = [panel for panel in panels if panel.has_numbers(heads)]
    stacks = by_stack(heads)
    many = len(stacks) > 1 or len(np.unique(heads["layer"])) > _MANY_LAYERS
    width = DOUBLE if many else SINGLE
    legends = [_legend(panel, width - 0.55) for panel in panels]
    headers = [LINE * (1.3 + legend.rows) for legend in legends]
    figure = new_figure(width, sum(headers) + _PANEL * len(panels) + _FOOT)
    heights = [height for header in headers for height in (header, _PANEL)]
    grid = figure.add_gridspec(2 * len(panels), len(stacks), height_ratios=heights)
    lowest: dict[str, Axes] = {}
    for row, panel in enumerate(panels):
        _write_header(figure.add_subplot(grid[2 * row, :]), panel.title, legends[row])
        first: Axes | None = None
        for column, (stack, own) in enumerate(stacks):
            if panel.has_numbers(own):
                axes = figure.add_subplot(grid[2 * row + 1, column], sharey=first)
                _fill(axes, own, panel)
                _label(axes, stack if len(stacks) > 1 else "", first is None, panel)
                first, lowest[stack] = first or axes, axes
        if first is not None:
            first.set_ylim(0.0, min(panel.ceiling, 1.06 * max(first.get_ylim()[1], 1e-12)))
    for axes in lowest.values():
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(LAYER_LABEL)
    return figure


def _legend(panel: Panel, width: float) -> Legend:
    entries = [entry(readable(series.label), *series.symbol) for series in panel.series]
    if any(series.uniform is not None for series in panel.series):
        entries.append(entry("if uniform", FAINT, linestyle="--", linewidth=0.8))
    return Legend(entries, width)


def _write_header(axes: Axes, title: str, legend: Legend) -> None:
    axes.set_axis_off()
    style: dict[str, Any] = {"loc": "lower left", "alignment": "left", "borderaxespad": 0.0}
    header = axes.legend(handles=legend.entries, ncols=legend.columns, title=title, **style)
    header.get_title().set_fontweight("bold")
    header.set_in_layout(False)  # its place is measured already; a long title must not narrow the panels


def _fill(axes: Axes, heads: xr.Dataset, panel: Panel) -> None:
    """Means at their layer, points of several series beside each other around it."""
    layers = heads["layer"].values
    for place, series in enumerate(panel.series):
        values = series.values.sel(head=heads["head"]).values
        if panel.points:
            aside = _ASIDE * ((place + 0.5) / len(panel.series) - 0.5)
            _scatter(axes, layers + aside, values, series)
        unique, means = layer_means(layers, values)
        colour, marker = series.symbol
        halo = [withStroke(linewidth=2.4, foreground="white")]
        style = {"path_effects": halo} if panel.points else {"marker": marker}
        axes.plot(unique, means, color=colour, zorder=3, label=f"mean {series.label}", **style)
        if series.uniform is not None:
            _, level = layer_means(layers, series.uniform.sel(head=heads["head"]).values)
            faint: dict[str, Any] = {"alpha": 0.6, "linewidth": 0.8, "linestyle": "--", "zorder": 1}
            axes.plot(*_widen(unique, level), color=colour, **faint)
    if panel.points and len(panel.series) > 1:
        for layer in np.unique(layers)[::2]:
            axes.axvspan(layer - 0.5, layer + 0.5, color=_BAND, linewidth=0, zorder=0)
    set_layer_axis(axes, layers)


def _scatter(axes: Axes, places: np.ndarray, values: np.ndarray, series: Series) -> None:
    known = np.isfinite(values)
    colour, marker = series.symbol
    many: dict[str, Any] = {"s": 3, "alpha": 0.3, "rasterized": True}
    few: dict[str, Any] = {"s": 7, "alpha": 0.55}
    size = few if len(values) <= _MANY_POINTS else many
    axes.scatter(
        places[known], values[known], color=colour, marker=marker, linewidths=0, label=series.label, **size
    )


def _widen(layers: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draw the level a little beyond the outermost layers, so that a single layer has a line too."""
    places = np.concatenate([[layers[0] - 0.5], layers, [layers[-1] + 0.5]])
    return places, np.concatenate([level[:1], level, level[-1:]])


def _label(axes: Axes, stack: str, is_first: bool, panel: Panel) -> None:
    if stack:
        axes.set_title(stack, fontsize=SMALL, loc="left", color=FAINT)
    if is_first:
        axes.set_ylabel(panel.ylabel)
    else:
        axes.tick_params(labelleft=False)
    axes.tick_params(labelbottom=False)
