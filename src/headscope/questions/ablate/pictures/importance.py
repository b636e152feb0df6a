"""How sensitive the loss is to each head, and whether that tells what removing it does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, draw_cells, run_down, shape_of
from headscope.drawing.glyphs import readable
from headscope.drawing.naming import name_points
from headscope.drawing.palette import COLOURS
from headscope.drawing.stacks import LAYER_LABEL, by_stack, scatter_by_stack
from headscope.drawing.style import DOUBLE, FAINT, HEAT, SMALL, TALLEST, new_figure
from headscope.results.result import Result

_CELL, _ABOVE, _FOOT = 0.18, 0.25, 0.55  # inches: a layer, over a grid, the axis below
_SCATTER, _ROW, _LEGEND = 2.4, 0.18, 0.7  # inches: the scatter; a row of correlations, what is around them
_HIGHEST = 4.2  # inches: a picture in which grids and correlations share a column
_NAMED, _DECADES = 5, 30.0
_SCORES = {
    "example": "importance",
    "example_normalised": "importance, by layer",
    "token": "importance by token",
    "token_normalised": "by token, by layer",
    "confidence": "confidence",
}
_AGAINST = {"loss": COLOURS[1], "metric": COLOURS[0]}


def needs(result: Result) -> bool:
    """Whether the result holds the importance of heads."""
    table = result.tables.get("importance")
    return table is not None and bool(table["example"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `example` as grids and against `loss_effect`, and the rank correlations of all scores."""
    table = result.table("importance")
    agreement = result.tables.get("importance_agreement")
    stacks = by_stack(_dataset(table))
    tall = [max(_CELL * shape_of(heads)[0], 0.35) for _, heads in stacks]
    left = sum(tall) + _ABOVE * len(stacks) + _FOOT
    below = _ROW * (0 if agreement is None else agreement["score"].nunique()) + _LEGEND
    is_under = left + below <= _HIGHEST  # else the correlations stand under the scatter
    height = left + below if is_under else max(left, _SCATTER + below)
    figure = new_figure(DOUBLE, min(height, TALLEST))
    sides: Any = figure.subfigures(1, 2, width_ratios=[1, 1.05])
    left_rows = [left, below] if is_under else [1.0]
    right_rows = [1.0] if is_under else [figure.get_figheight() - below, below]
    grids, *under = np.ravel(sides[0].subfigures(len(left_rows), 1, height_ratios=left_rows))
    cloud, *aside = np.ravel(sides[1].subfigures(len(right_rows), 1, height_ratios=right_rows))
    _draw_grids(grids, stacks, tall)
    scatter = cloud.subplots()
    _draw_scatter(scatter, table)
    if agreement is not None:
        _draw_forest([*under, *aside][0].subplots(), agreement)
    figure.draw_without_rendering()  # names go where there is room, which only the layout tells
    _name_heads(scatter, table)
    return figure


def _dataset(table: pd.DataFrame) -> xr.Dataset:
    names = ("head", "stack", "layer", "index")
    coords: dict[str, Any] = {name: ("head", table[name].to_numpy()) for name in names}
    return xr.Dataset({"example": ("head", table["example"].to_numpy(float))}, coords)


def _draw_grids(figure: SubFigure, stacks: list[tuple[str, xr.Dataset]], tall: list[float]) -> None:
    highest = max(float(heads["example"].max()) for _, heads in stacks)
    norm = PowerNorm(0.5, 0.0, highest if highest > 0 else 1.0)  # few heads have most of it
    panels = figure.subplots(len(stacks), 1, squeeze=False, height_ratios=tall)[:, 0]
    for axes, (stack, heads) in zip(panels, stacks, strict=True):
        line = 0.6 if heads.sizes["head"] <= 400 else 0.0
        draw_cells(axes, heads, heads["example"].values, cmap=HEAT, norm=norm, linewidth=line)
        run_down(axes, heads)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
        axes.set_ylabel(LAYER_LABEL if len(stacks) == 1 else "layer")
    panels[-1].set_xlabel(HEAD_LABEL)
    add_bar(figure, ScalarMappable(norm, HEAT), panels, "importance", sum(tall))


def _draw_scatter(axes: Axes, table: pd.DataFrame) -> None:
    places = table[["example", "loss_effect"]].to_numpy(float)
    scatter_by_stack(axes, table["stack"].to_numpy(str), places, 12, "upper left")
    known = table["example"].dropna()
    if known.min() > 0 and known.max() > _DECADES * known.min():
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.axhline(0.0, color=FAINT, linewidth=0.5, zorder=0)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
    axes.set_xlabel("importance")
    axes.set_ylabel("rise of the loss without it (nats)")


def _name_heads(axes: Axes, table: pd.DataFrame) -> None:
    """Name the heads without which the loss rises most, and the most important ones."""
    named = [*table["loss_effect"].nlargest(_NAMED).index, *table["example"].nlargest(2).index]
    names = np.where(table.index.isin(named), table["head"], "")
    name_points(axes, table[["example", "loss_effect"]].to_numpy(float), names)


def _draw_forest(axes: Axes, agreement: pd.DataFrame) -> None:
    """Rank correlation of each score with the harm of removing a head, a row per score."""
    present = set(agreement["score"])
    scores = [name for name in _SCORES if name in present] + sorted(present - set(_SCORES))
    place = {name: float(row) for row, name in enumerate(scores)}
    known = agreement[agreement["spearman"].notna()]  # of a score that no head changes, there is none
    sides = [name for name in _AGAINST if (known["against"] == name).any()]
    for shift, against in zip(np.linspace(-0.16, 0.16, 2), sides, strict=False):
        scored = known[known["against"] == against]
        rows = np.array([place[name] for name in scored["score"]]) + (shift if len(sides) > 1 else 0.0)
        colour = _AGAINST[against]
        axes.hlines(rows, scored["low"], scored["high"], color=colour, linewidth=1.0)
        axes.plot(scored["spearman"], rows, "o", color=colour, markersize=3.2, label=f"with the {against}")
        for row, value in zip(rows, scored["spearman"], strict=True):
            _write(axes, f"{value:.2f}".replace("-", "−"), row, colour)
    axes.axvline(0.0, color=FAINT, linewidth=0.5, zorder=0)
    axes.set_yticks(
        np.arange(len(scores)), [readable(_SCORES.get(name, name)) for name in scores], fontsize=SMALL
    )
    axes.set(ylim=(len(scores) - 0.4, -0.6), xlabel="rank correlation with harm")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlim(min(-0.1, float(agreement["low"].min(skipna=True)) - 0.05), 1.25)
    axes.set_xticks([tick for tick in (-1, -0.5, 0, 0.5, 1) if tick >= axes.get_xlim()[0]])
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, handletextpad=0.2)


def _write(axes: Axes, number: str, row: float, colour: str) -> None:
    style: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": SMALL - 1.5, "color": colour}
    axes.text(1.0, row, number, transform=axes.get_yaxis_transform(), **style)
