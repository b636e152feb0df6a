"""What is left of the score as more and more heads are removed, by order (Michel et al. 2019, figure 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, Symbol, kind_symbol, new_figure
from headscope.questions.prune.options import RANDOM
from headscope.results.result import Result

_BAND = "#D9D9D9"
_SYMBOLS = {
    "importance": Symbol(COLOURS[0], "o"),
    "importance, recomputed": Symbol(COLOURS[5], "s"),
    "single-head effect": Symbol(COLOURS[2], "^"),
    "gates": Symbol(COLOURS[1], "D"),
    "reversed": Symbol(COLOURS[3], "v"),
}
_PANEL = 2.1  # inches
_RANDOM: dict[str, Any] = {"linestyle": "--", "linewidth": 1.0}


def needs(result: Result) -> bool:
    """Whether the result follows the score while heads are removed."""
    table = result.tables.get("pruning")
    return table is not None and bool(table["score"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `score` against `share`, a panel per task, a line per order; random ones as median and band."""
    table = result.table("pruning").dropna(subset=["score"])
    tasks = list(dict.fromkeys(table["task"]))
    orders = _orders(table)
    across = min(len(tasks), 2)
    down = -(-len(tasks) // across)
    width = SINGLE if across == 1 else DOUBLE
    legend = Legend(_entries(table, orders), width - 0.1)
    figure = new_figure(width, _PANEL * down + 0.2 + legend.height)
    panels = figure.subplots(down, across, squeeze=False)
    for axes, task in zip(panels.flat, tasks, strict=False):
        _fill(axes, table[table["task"] == task], orders)
        axes.set_title(readable(task) if len(tasks) > 1 else "", loc="left", fontweight="bold")
    for axes in panels.flat[len(tasks) :]:
        axes.set_visible(False)
    for axes in panels.flat[max(len(tasks) - across, 0) : len(tasks)]:
        axes.set_xlabel("heads removed")
    legend.add_to(figure)
    return figure


def _orders(table: pd.DataFrame) -> dict[str, Symbol]:
    """The symbols of orders that are not random: known ones first, always the same."""
    present = [name for name in dict.fromkeys(table["order"]) if name != RANDOM]
    known = {name: symbol for name, symbol in _SYMBOLS.items() if name in present}
    others = [name for name in present if name not in _SYMBOLS]
    return known | {name: kind_symbol(len(_SYMBOLS) + place) for place, name in enumerate(others)}


def _fill(axes: Axes, table: pd.DataFrame, orders: dict[str, Symbol]) -> None:
    untouched = table[table["removed"] == 0]
    if len(untouched):
        base = 100 * float(untouched["score"].iloc[0])
        axes.axhline(base, color=FAINT, linewidth=0.6, zorder=0, label="base")
    drawn = table[table["order"] == RANDOM].groupby("share")["score"]
    if drawn.ngroups:
        low, middle, high = (100 * drawn.quantile(level) for level in (0.025, 0.5, 0.975))
        axes.fill_between(low.index, low, high, color=_BAND, linewidth=0, zorder=0.5)
        axes.plot(middle.index, middle, color=FAINT, zorder=1, label=RANDOM, **_RANDOM)
    for name, (colour, marker) in orders.items():
        means = 100 * table[table["order"] == name].groupby("share")["score"].mean()
        axes.plot(means.index, means, color=colour, marker=marker, markersize=3.0, zorder=2, label=name)
    axes.set_ylabel(f"{table['metric'].iloc[0]} (points)")
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))


def _entries(table: pd.DataFrame, orders: dict[str, Symbol]) -> list[Line2D | Patch]:
    entries: list[Line2D | Patch] = [
        entry(readable(name), *symbol, markersize=3.0) for name, symbol in orders.items()
    ]
    drawn = table.loc[table["order"] == RANDOM, "run"].nunique()
    if drawn:
        entries.append(entry(f"{drawn} random orders, median", FAINT, **_RANDOM))
    if drawn > 1:
        entries.append(Patch(color=_BAND, linewidth=0, label="central 95 % of them"))
    return [*entries, entry("whole model", FAINT, linewidth=0.6)]
