"""What the score loses or wins without each head, by layer and head (Michel et al. 2019, table 1)."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, HIGHEST, draw_cells, fits, frame_cell, run_down, shape_of
from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.stacks import LAYER_LABEL, by_stack
from headscope.drawing.style import DOUBLE, EMPTY, INK, SINGLE, SMALL, TALLEST, TINY, ink_on, new_figure
from headscope.drawing.verdicts import (
    EFFECT_COLOURS,
    PALE,
    SIGNIFICANT,
    effect_scale,
    points_of,
    points_text,
)
from headscope.results.result import Result
from headscope.results.vocabulary import BETTER, HARMLESS, UNDECIDED, WORSE

_SIDE, _BETWEEN, _ABOVE, _LINE = 0.95, 0.2, 0.42, 0.16  # inches: beside all, between, over a grid, of text
_MARKS = 3  # lines of the legend, at most
_LARGE = 0.36  # inches: a cell that takes larger letters


class _Layout(NamedTuple):
    """How grids stand: under each other or not, in which width, with cells of so many inches.

    digits: those after the point, -1 where no number fits.
    """

    is_down: bool
    width: float
    cell: tuple[float, float]
    digits: int


def needs(result: Result) -> bool:
    """Whether the result tells what removing each head does."""
    heads = result.arrays.get("ablation")
    return heads is not None and "effect" in heads and bool(heads["effect"].notnull().any())


def draw(result: Result) -> Figure:
    """Draw `effect` (head,) in points and mark `verdict` (head,), one grid per stack."""
    heads = result.arrays["ablation"]
    stacks = by_stack(heads)
    layout = _lay_out(heads)
    legend = Legend(_entries(heads, layout.digits >= 0), layout.width - 0.1)
    rows, across = zip(*(shape_of(grid) for _, grid in stacks), strict=True)
    tall = [layout.cell[1] * count for count in rows]
    height = sum(tall) + _ABOVE * len(stacks) if layout.is_down else max(tall) + _ABOVE
    figure = new_figure(layout.width, height + _foot(legend.rows))
    if layout.is_down:
        panels = figure.subplots(len(stacks), 1, squeeze=False, height_ratios=tall)[:, 0]
    else:
        panels = figure.subplots(1, len(stacks), squeeze=False, width_ratios=across)[0]
    norm, ends = effect_scale(*(heads[name].values for name in ("effect", "low", "high")))
    for place, (axes, (stack, grid)) in enumerate(zip(panels, stacks, strict=True)):
        _fill(axes, grid, norm, layout)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
        if layout.is_down or place == 0:
            axes.set_ylabel(LAYER_LABEL)
        if not layout.is_down or place == len(stacks) - 1:
            axes.set_xlabel(HEAD_LABEL)
    figure.suptitle(_title(heads), x=0.01, ha="left", fontweight="bold")
    shown = ScalarMappable(norm, matplotlib.colormaps[EFFECT_COLOURS])
    add_bar(figure, shown, panels, "without the head (points)", height - 0.4, extend=ends)
    legend.add_to(figure, "outside lower left")
    return figure


def _foot(marks: int) -> float:
    """Inches for the axis, the title and a legend of so many lines."""
    return 0.5 + _LINE * marks


def _lay_out(heads: xr.Dataset) -> _Layout:
    """The first way to arrange the grids in which two digits fit, or that in which most fit."""
    rows, across = zip(*(shape_of(grid) for _, grid in by_stack(heads)), strict=True)
    layouts = []
    for is_down, width in product((False, True)[: len(rows)], (SINGLE, DOUBLE)):
        beside = max(across) if is_down else sum(across)
        wide = (width - _SIDE - (0 if is_down else _BETWEEN * (len(rows) - 1))) / beside
        room = TALLEST - _foot(_MARKS) - _ABOVE * (len(rows) if is_down else 1)
        cell = (wide, min(HIGHEST, room / (sum(rows) if is_down else max(rows))))
        layouts.append(_Layout(is_down, width, cell, _digits(heads["effect"].values, cell)))
    return max(layouts, key=lambda layout: (layout.digits, layout.digits < 0 and layout.width))


def _digits(effect: np.ndarray, cell: tuple[float, float]) -> int:
    """How many digits after the point, two at most, the widest number can have in a cell."""
    known = effect[np.isfinite(effect)]
    for digits in (2, 1, 0):
        widest = max((len(points_text(value, digits)) for value in known), default=1)
        if fits(cell, widest + 1):
            return digits
    return -1


def _fill(axes: Axes, heads: xr.Dataset, norm: Normalize, layout: _Layout) -> None:
    colours = matplotlib.colormaps[EFFECT_COLOURS].with_extremes(bad=EMPTY)
    line = 0.6 if heads.sizes["head"] <= 600 else 0.0
    strength = np.where(heads["verdict"].values == UNDECIDED, PALE, 1.0)
    draw_cells(axes, heads, 100 * heads["effect"].values, strength, cmap=colours, norm=norm, linewidth=line)
    run_down(axes, heads)
    columns = [heads[name].values for name in ("layer", "index", "effect", "verdict")]
    for layer, index, effect, verdict in zip(*columns, strict=True):
        if np.isfinite(effect):
            ink = INK if verdict == UNDECIDED else ink_on(colours(norm(100 * effect)))
            if layout.digits >= 0:
                _write(axes, (index, layer), points_text(effect, layout.digits), verdict, ink, layout.cell)
            elif verdict in SIGNIFICANT:
                frame_cell(axes, index, layer, INK, 0.9)
            _dot(axes, (index, layer), verdict, ink, layout)


def _write(
    axes: Axes, place: tuple[int, int], text: str, verdict: str, ink: str, cell: tuple[float, float]
) -> None:
    """Write a number, bold and underlined where the effect is significant."""
    is_sure = verdict in SIGNIFICANT
    size = SMALL - 0.5 if cell[0] >= _LARGE and cell[1] > 0.16 else TINY
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "color": ink}
    axes.text(*place, text, fontweight="bold" if is_sure else "normal", **style)
    if is_sure:
        half = min(0.46, 0.31 * size / 72 * len(text) / cell[0])
        below = place[1] + min(0.55 * size / 72 / cell[1], 0.42)
        axes.hlines(below, place[0] - half, place[0] + half, color=ink, linewidth=0.7, label=verdict)


def _dot(axes: Axes, place: tuple[int, int], verdict: str, ink: str, layout: _Layout) -> None:
    """A small dot for what is harmless: in the corner, or in the middle if no number stands there."""
    if verdict == HARMLESS:
        at = (place[0] + 0.5 - 0.05 / layout.cell[0], place[1] - 0.5 + 0.05 / layout.cell[1])
        x, y = at if layout.digits >= 0 else place
        axes.plot(x, y, marker="o", markersize=1.6, color=ink, markeredgewidth=0, label=verdict)


def _title(heads: xr.Dataset) -> str:
    about = heads.attrs
    name, data = readable(about.get("metric", "score"), 24), str(about.get("data", ""))
    base = f"{name} {100 * about['base']:.2f}" if "base" in about else name
    return f"{base} on {readable(data, 30)}" if data else base


def _entries(heads: xr.Dataset, has_numbers: bool) -> list[Line2D]:
    """Of the verdicts that occur, how each is marked."""
    verdicts = set(heads["verdict"].values.astype(str))
    margin = heads.attrs.get("margin")
    loss = "" if margin is None else f" (a loss of {points_of(margin)} is excluded)"
    significant = f"{WORSE} or {BETTER} (p ≤ 0.05, corrected)"
    sure: dict[str, Any] = {"marker": "_", "markersize": 7.0, "markeredgewidth": 1.2}
    framed: dict[str, Any] = {"marker": "s", "markersize": 5.0, "markerfacecolor": "white"}
    marks: list[tuple[bool, str, dict[str, Any]]] = [
        (not verdicts.isdisjoint(SIGNIFICANT), significant, sure if has_numbers else framed),
        (HARMLESS in verdicts, f"{HARMLESS}{loss}", {"marker": "o", "markersize": 1.8}),
        (UNDECIDED in verdicts, f"pale, no mark: {UNDECIDED}", {"marker": ""}),
    ]
    return [entry(label, INK, linestyle="", **mark) for is_there, label, mark in marks if is_there]
