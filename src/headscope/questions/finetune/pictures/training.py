"""How a training went: loss and score at each evaluation, and the weights that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.legends import LINE, Legend
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SMALL, new_figure
from headscope.results.result import Result

_HEIGHT = 2.3  # inches
_ROOM = 0.1  # of the range of scores, above and below
_KEPT: dict[str, Any] = {"color": FAINT, "linewidth": 0.6, "linestyle": (0, (3, 2)), "zorder": 0}
_ON_WHITE: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}


def needs(result: Result) -> bool:
    """Whether the result follows a training."""
    return "training" in result.tables and "finetuned" in result.tables


def draw(result: Result) -> Figure:
    """Draw `training`, losses on the left and the dev score on the right, with the scores of `finetuned`."""
    course, scores = result.table("training"), result.table("finetuned")
    figure = new_figure(DOUBLE, _HEIGHT + 2 * LINE)
    losses, score = figure.subplots(1, 2)
    kept_epoch = float(course.loc[course["chosen"], "epoch"].iloc[0])
    train: dict[str, Any] = {"color": COLOURS[1], "marker": "s", "markersize": 2.8}
    dev: dict[str, Any] = {"color": COLOURS[0], "marker": "o", "markersize": 2.8}
    losses.plot(course["epoch"], course["train_loss"], label="training data, with dropout", **train)
    losses.plot(course["epoch"], course["dev_loss"], label="dev data", **dev)
    losses.set_ylabel("loss (nats per example)")
    losses.set_ylim(bottom=0)
    score.plot(course["epoch"], 100.0 * course["dev_score"], **dev)
    _add_test(score, scores, kept_epoch)
    _set_range(score, course, scores)
    _add_best_label(score, scores)
    score.set_ylabel(f"{scores['metric'].iloc[0]} (%)")
    for axes in (losses, score):
        axes.axvline(kept_epoch, label="weights kept" if axes is losses else None, **_KEPT)
        axes.set_xlabel("epoch")
        axes.set_xlim(0, 1.02 * course["epoch"].max())
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    handles = [handle for axes in (losses, score) for handle in axes.get_legend_handles_labels()[0]]
    Legend(handles, DOUBLE - 0.2).add_to(figure)
    return figure


def _add_test(axes: Axes, scores: pd.DataFrame, epoch: float) -> None:
    """The test score with its interval, at the weights that were kept."""
    test = 100 * scores.loc[scores["data"] == "test", ["score", "low", "high"]].to_numpy(float)
    for value, low, high in test:
        axes.vlines(epoch, low, high, color=COLOURS[2], linewidth=1.0, zorder=2)
        style: dict[str, Any] = {"color": COLOURS[2], "marker": "D", "linestyle": "", "markersize": 3.6}
        axes.plot([epoch], [value], label=f"test data: {value:.1f} %", **style)


def _set_range(axes: Axes, course: pd.DataFrame, scores: pd.DataFrame) -> None:
    test = scores.loc[scores["data"] == "test", ["low", "high"]].to_numpy(float)
    shown = 100 * np.concatenate([course["dev_score"].to_numpy(float), test.ravel()])
    low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
    margin = _ROOM * max(high - low, 1.0)
    axes.set_ylim(max(low - margin, -1), min(high + margin, 101))


def _add_best_label(axes: Axes, scores: pd.DataFrame) -> None:
    """The baseline: a line, or what it is at the edge beyond which it lies, as it would flatten the curve."""
    alone = 100 * float(scores["constant"].iloc[-1])
    if np.isnan(alone):
        return
    name, (low, high) = f"best label alone: {alone:.1f} %", axes.get_ylim()
    if low <= alone <= high:
        axes.axhline(alone, color=INK, linewidth=0.6, linestyle=":", zorder=0, label=name)
    else:
        place, arrow = ((0.98, 0.03), "↓") if alone < low else ((0.98, 0.93), "↑")
        style: dict[str, Any] = {"ha": "right", "fontsize": SMALL, "color": FAINT, "bbox": _ON_WHITE}
        axes.text(*place, f"{arrow} {name}", transform=axes.transAxes, **style)
