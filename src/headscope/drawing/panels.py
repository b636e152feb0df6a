"""Panels under each other, one column per stack: a point per head at its layer, and each layer's mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from headscope.drawing.glyphs import readable
from headscope.drawing.stacks import LAYER_LABEL, by_stack, layer_means, set_layer_axis
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, SMALL, Symbol, legend_columns, new_figure

_PANEL, _LINE, _FOOT = 1.35, 0.15, 0.45  # inches: a panel, a line of its legend, the axis label below all
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


def draw_panels(heads: xr.Dataset, panels: Sequence[Panel]) -> Figure:
    """Draw the panels under each other, with one column per stack and each legend above its panel."""
    stacks = by_stack(heads)
    many = len(stacks) > 1 or len(np.unique(heads["layer"])) > _MANY_LAYERS
    width = DOUBLE if many else SINGLE
    legends = [_entries(panel) for panel in panels]
    columns = [legend_columns(_labels(entries), width - 0.55) for entries in legends]
    heads_up = [
        _LINE * (1.3 + -(-len(entries) // across)) for entries, across in zip(legends, columns, strict=True)
    ]
    figure = new_figure(width, sum(heads_up) + _PANEL * len(panels) + _FOOT)
    grid = figure.add_gridspec(
        2 * len(panels), len(stacks), height_ratios=[part for up in heads_up for part in (up, _PANEL)]
    )
    for row, panel in enumerate(panels):
        header = figure.add_subplot(grid[2 * row, :])
        _write_header(header, panel.title, legends[row], columns[row])
        first: Axes | None = None
        for column, (stack, part) in enumerate(stacks):
            axes = figure.add_subplot(grid[2 * row + 1, column], sharey=first)
            _fill(axes, part, panel)
            _label(axes, stack if len(stacks) > 1 else "", first is None, panel, row == len(panels) - 1)
            first = first or axes
        if first is not None:
            first.set_ylim(0.0, min(panel.ceiling, 1.06 * max(first.get_ylim()[1], 1e-12)))
    return figure


def _entries(panel: Panel) -> list[Line2D]:
    lines = [
        Line2D([], [], color=one.symbol.colour, marker=one.symbol.marker, label=readable(one.label))
        for one in panel.series
    ]
    if any(one.uniform is not None for one in panel.series):
        lines.append(Line2D([], [], color=FAINT, linestyle="--", linewidth=0.8, label="if uniform"))
    return lines


def _labels(entries: list[Line2D]) -> list[str]:
    return [str(line.get_label()) for line in entries]


def _write_header(axes: Axes, title: str, entries: list[Line2D], columns: int) -> None:
    axes.set_axis_off()
    legend = axes.legend(
        entries,
        _labels(entries),
        loc="lower left",
        ncols=columns,
        title=title,
        alignment="left",
        borderaxespad=0.0,
    )
    legend.get_title().set_fontweight("bold")
    legend.set_in_layout(False)  # its place is measured already; a long title must not narrow the panels


def _fill(axes: Axes, heads: xr.Dataset, panel: Panel) -> None:
    layers = heads["layer"].values
    step = min(0.16, 0.6 / max(len(panel.series), 1))
    for place, one in enumerate(panel.series):
        values = one.values.sel(head=heads["head"]).values
        shift = step * (place - (len(panel.series) - 1) / 2) if panel.points else 0.0
        if panel.points:
            _scatter(axes, layers + shift, values, one)
        unique, means = layer_means(layers, values)
        marker = "" if panel.points else one.symbol.marker
        halo = [withStroke(linewidth=2.4, foreground="white")] if panel.points else None
        axes.plot(
            unique + shift,
            means,
            color=one.symbol.colour,
            marker=marker,
            label=f"mean {one.label}",
            zorder=3,
            path_effects=halo,
        )
        if one.uniform is not None:
            _, level = layer_means(layers, one.uniform.sel(head=heads["head"]).values)
            axes.plot(
                *_widen(unique, level),
                color=one.symbol.colour,
                alpha=0.6,
                linewidth=0.8,
                linestyle="--",
                zorder=1,
            )
    if not any(one.values.sel(head=heads["head"]).notnull().any() for one in panel.series):
        axes.text(
            0.5, 0.5, "not defined here", transform=axes.transAxes, ha="center", color=FAINT, fontsize=SMALL
        )
    set_layer_axis(axes, layers)


def _scatter(axes: Axes, places: np.ndarray, values: np.ndarray, one: Series) -> None:
    known = np.isfinite(values)
    axes.scatter(
        places[known],
        values[known],
        s=7 if len(values) <= _MANY_POINTS else 3,
        color=one.symbol.colour,
        marker=one.symbol.marker,
        alpha=0.55 if len(values) <= _MANY_POINTS else 0.3,
        linewidths=0,
        label=one.label,
        rasterized=len(values) > _MANY_POINTS,
    )


def _widen(layers: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draw the level a little beyond the outermost layers, so that a single layer has a line too."""
    places = np.concatenate([[layers[0] - 0.5], layers, [layers[-1] + 0.5]])
    return places, np.concatenate([level[:1], level, level[-1:]])


def _label(axes: Axes, stack: str, is_first: bool, panel: Panel, is_lowest: bool) -> None:
    if stack:
        axes.set_title(stack, fontsize=SMALL, loc="left", color=FAINT)
    if is_first:
        axes.set_ylabel(panel.ylabel)
    else:
        axes.tick_params(labelleft=False)
    if is_lowest:
        axes.set_xlabel(LAYER_LABEL)
    else:
        axes.tick_params(labelbottom=False)
