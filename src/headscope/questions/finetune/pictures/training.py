"""How a training went: loss and score at each evaluation, and the weights that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.style import COLOURS, DOUBLE, FAINT, INK, legend_columns, new_figure
from headscope.results.result import Result

_HEIGHT, _LINE = 2.3, 0.15  # inches: panels; a line of the legend
_ROOM = 0.1  # of the range of scores, above and below
_KEPT: dict[str, Any] = {"color": FAINT, "linewidth": 0.6, "linestyle": (0, (3, 2)), "zorder": 0}


def needs(result: Result) -> bool:
    """Whether the result follows a training."""
    return "training" in result.tables and "finetuned" in result.tables


def draw(result: Result) -> Figure:
    """Draw `training`, losses on the left and the dev score on the right, with the scores of `finetuned`."""
    course, scores = result.table("training"), result.table("finetuned")
    figure = new_figure(DOUBLE, _HEIGHT + 2 * _LINE)
    losses, score = figure.subplots(1, 2)
    kept = float(course.loc[course["chosen"], "epoch"].iloc[0])
    _line(losses, course, "train_loss", 1.0, COLOURS[1], "s", "training data, with dropout")
    _line(losses, course, "dev_loss", 1.0, COLOURS[0], "o", "dev data")
    losses.set_ylabel("loss (nats per example)")
    losses.set_ylim(bottom=0)
    _line(score, course, "dev_score", 100.0, COLOURS[0], "o")
    _add_test(score, scores, kept)
    _set_range(score, course, scores)
    _add_majority(score, scores)
    score.set_ylabel(f"{scores['metric'].iloc[0]} (%)")
    for axes in (losses, score):
        axes.axvline(kept, label="weights kept" if axes is losses else None, **_KEPT)
        axes.set_xlabel("epoch")
        axes.set_xlim(0, 1.02 * course["epoch"].max())
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    _add_legend(figure, (losses, score))
    return figure


def _line(
    axes: Axes,
    course: pd.DataFrame,
    column: str,
    scale: float,
    colour: str,
    marker: str,
    label: str | None = None,
) -> None:
    values = scale * course[column]
    axes.plot(course["epoch"], values, color=colour, marker=marker, markersize=2.8, label=label)


def _add_test(axes: Axes, scores: pd.DataFrame, kept: float) -> None:
    """The test score with its interval, at the weights that were kept."""
    test = 100 * scores.loc[scores["data"] == "test", ["score", "low", "high"]].to_numpy(float)
    for value, low, high in test:
        axes.vlines(kept, low, high, color=COLOURS[2], linewidth=1.0, zorder=2)
        style: dict[str, Any] = {"color": COLOURS[2], "marker": "D", "linestyle": "", "markersize": 3.6}
        axes.plot([kept], [value], label=f"test data: {value:.1f} %", **style)


def _set_range(axes: Axes, course: pd.DataFrame, scores: pd.DataFrame) -> None:
    test = scores.loc[scores["data"] == "test", ["low", "high"]].to_numpy(float)
    shown = 100 * np.concatenate([course["dev_score"].to_numpy(float), test.ravel()])
    low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
    margin = _ROOM * max(high - low, 1.0)
    axes.set_ylim(max(low - margin, -1), min(high + margin, 101))


def _add_majority(axes: Axes, scores: pd.DataFrame) -> None:
    """The baseline; far below the curve it would flatten it, so there the legend alone tells it."""
    majority = 100 * float(scores["majority"].iloc[-1])
    if not np.isnan(majority):
        limits = axes.get_ylim()
        name = f"most frequent label: {majority:.1f} %"
        axes.axhline(majority, color=INK, linewidth=0.6, linestyle=":", zorder=0, label=name)
        axes.set_ylim(limits)


def _add_legend(figure: Figure, panels: tuple[Axes, ...]) -> None:
    found = [pair for axes in panels for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
    handles, labels = [handle for handle, _ in found], [label for _, label in found]
    columns = legend_columns(labels, DOUBLE - 0.2)
    figure.legend(handles, labels, loc="outside upper left", ncols=columns)
