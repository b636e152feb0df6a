"""How well each task is read off each layer, by pooling and classifier, beside baselines and random twins."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import FAINT, INK, Symbol
from headscope.questions.sentences.pictures.grid import draw_tasks
from headscope.questions.sentences.published import LENGTH, LOGISTIC, MAJORITY, PERCEPTRON, VECTORS, WORDS
from headscope.results.result import Result

_POOLINGS = {
    "mean": Symbol(COLOURS[0], "o"),
    "first": Symbol(COLOURS[1], "s"),
    "last": Symbol(COLOURS[2], "^"),
    "max": Symbol(COLOURS[3], "v"),
}
_BASELINES: dict[str, Any] = {MAJORITY: ":", LENGTH: "-.", WORDS: (0, (1, 3)), VECTORS: (0, (5, 2))}
_TWIN: dict[str, Any] = {"color": FAINT, "marker": "x", "markersize": 3.0, "linewidth": 0.8}
_PERCEPTRON: dict[str, Any] = {"color": INK, "marker": "*", "markersize": 4.5, "linewidth": 0.8}


def needs(result: Result) -> bool:
    """Whether the result has layers to show."""
    return "sentence_layers" in result.tables and "sentence_baselines" in result.tables


def draw(result: Result) -> Figure:
    """Draw `accuracy` of `sentence_layers` and of `sentence_baselines`, a panel per task."""
    layers, baselines = result.table("sentence_layers"), result.table("sentence_baselines")
    best = result.table("sentence_scores").set_index("task")["pooling"]

    def fill(axes: Axes, task: str) -> None:
        own = layers[layers["task"] == task]
        _fill(axes, own, baselines[baselines["task"] == task], str(best[task]))

    def legend(width: float) -> Legend:
        return Legend(_entries(layers, baselines), width)

    return draw_tasks(list(best.index), legend, fill, "layer (0: embeddings)")


def _fill(axes: Axes, layers: pd.DataFrame, baselines: pd.DataFrame, best: str) -> None:
    for one in baselines.itertuples():
        style = {"color": FAINT, "linewidth": 0.8, "zorder": 0}
        axes.axhline(100 * float(one.accuracy), linestyle=_BASELINES[str(one.baseline)], **style)  # type: ignore[arg-type]
    for name, (colour, marker) in _POOLINGS.items():
        own = layers[(layers["classifier"] == LOGISTIC) & (layers["pooling"] == name)]
        if name == best:
            axes.fill_between(
                own["layer"], 100 * own["low"], 100 * own["high"], color=colour, alpha=0.18, linewidth=0
            )
            axes.plot(own["layer"], 100 * own["twin"], **_TWIN)
        axes.plot(own["layer"], 100 * own["accuracy"], color=colour, marker=marker, markersize=3.0)
    deeper = layers[layers["classifier"] == PERCEPTRON]
    axes.plot(deeper["layer"], 100 * deeper["accuracy"], **_PERCEPTRON)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, integer=True))


def _entries(layers: pd.DataFrame, baselines: pd.DataFrame) -> list[Line2D]:
    there = set(layers["pooling"])
    entries = [entry(name, *symbol, markersize=3.0) for name, symbol in _POOLINGS.items() if name in there]
    if (layers["classifier"] == PERCEPTRON).any():
        entries.append(Line2D([], [], label="perceptron, best pooling", **_PERCEPTRON))
    if layers["twin"].notna().any():
        entries.append(Line2D([], [], label="random twin, best pooling", **_TWIN))
    named = [name for name in _BASELINES if name in set(baselines["baseline"])]
    return entries + [entry(name, FAINT, linestyle=_BASELINES[name], linewidth=0.8) for name in named]
