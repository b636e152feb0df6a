"""What each layer holds of each task: weights of the mix (pale) and what a layer adds (dark), by task.

After figure 2 of Tenney et al. 2019; tasks in the order of their expected layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, INK, SMALL, TINY, Symbol, new_figure, paler
from headscope.results.result import Result

_ROW, _FRAME = 0.62, 0.55  # inches: a task; the axis below
_BAR = 0.8
_ROOM = 0.22  # above the bars, for a number
_WEIGHT, _GAIN = paler(Symbol(COLOURS[0], "o")).colour, COLOURS[1]


def needs(result: Result) -> bool:
    """Whether the result has scores by layer."""
    return "layer_scores" in result.tables and "layer_tasks" in result.tables


def draw(result: Result) -> Figure:
    """Draw the tables `layer_scores` and `layer_tasks`: to the left weights, to the right gains in points."""
    tasks, layers = result.table("layer_tasks"), result.table("layer_scores")
    legend = Legend(_entries(), DOUBLE - 0.2)
    figure = new_figure(DOUBLE, _FRAME + legend.height + _ROW * len(tasks))
    panels = figure.subplots(len(tasks), 2, squeeze=False, sharex=True)
    for (left, right), (_, task) in zip(panels, tasks.iterrows(), strict=True):
        own = layers[layers["task"] == task["task"]]
        _bars(left, own, "weight", _WEIGHT)
        _bars(right, own, "gain", _GAIN)
        _mark(left, task["gravity"], f"{task['gravity']:.2f}")
        _mark(right, task["expected"], f"{task['expected']:.2f}", task["low"], task["high"])
        left.set_ylabel(readable(str(task["task"])), rotation=0, ha="right", va="center", fontsize=SMALL)
    panels[0, 0].set_title("weight in the mix of all layers (%)", loc="left")
    panels[0, 1].set_title("what the layer adds (points)", loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("layer (0: embeddings)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend.add_to(figure)
    return figure


def _bars(axes: Axes, own: pd.DataFrame, column: str, colour: str) -> None:
    values = 100 * own[column].to_numpy(float)
    errors: dict[str, Any] = {}
    if column == "gain" and own["gain_low"].notna().any():
        ends = 100 * own[["gain_low", "gain_high"]].to_numpy(float)
        sides = np.clip(np.stack([values - ends[:, 0], ends[:, 1] - values]), 0, None)
        errors = {"yerr": np.nan_to_num(sides), "error_kw": {"linewidth": 0.6, "ecolor": INK}}
    axes.bar(own["layer"], np.nan_to_num(values), _BAR, color=colour, **errors)
    axes.axhline(0, color=INK, linewidth=0.5)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=3))
    axes.tick_params(labelsize=TINY)


def _mark(axes: Axes, place: float, text: str, low: float = np.nan, high: float = np.nan) -> None:
    """A line at a mean layer, with its number, and its interval as a band where there is one."""
    if not np.isfinite(place):
        return
    if np.isfinite([low, high]).all():
        axes.axvspan(low, high, color="#DDDDDD", zorder=0, linewidth=0)
    axes.axvline(place, color=INK, linewidth=0.9, linestyle="--")
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, top + _ROOM * (top - bottom))
    axes.annotate(
        *(text, (place, 1.0)), xycoords=("data", "axes fraction"), xytext=(2, 0),
        textcoords="offset points", va="top", fontsize=TINY,
    )  # fmt: skip


def _entries() -> list[Any]:
    line: dict[str, Any] = {"linestyle": "--", "linewidth": 0.9}
    return [
        entry("weight", _WEIGHT, "s", linestyle="", markersize=5),
        entry("gain, with its interval", _GAIN, "s", linestyle="", markersize=5),
        entry("center of gravity, expected layer", INK, **line),
        entry("interval of the expected layer", "#DDDDDD", linewidth=5),
    ]
