"""What probes say of single targets, layer by layer: the probability of each label as bars.

After figure 3 of Tenney et al. 2019; the true label is dark, and its bars are framed where a probe says it.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, INK, SMALL, TALLEST, TINY, Symbol, new_figure, paler
from headscope.results.result import Result

_LABEL, _FRAME, _TITLE, _AXIS = 0.2, 0.2, 0.13, 0.35  # inches: a label, around a case, a line of its text
_LETTERS, _LINES = 108, 3
_HIGH = 0.8
_TRUE, _OTHER = COLOURS[1], paler(Symbol(COLOURS[0], "o")).colour


def needs(result: Result) -> bool:
    """Whether the result has single cases."""
    return "layer_cases" in result.tables


def draw(result: Result) -> Figure:
    """Draw the most telling case of each task of the table `layer_cases`."""
    cases = result.table("layer_cases")
    shown = [own for _, own in cases[cases["case"] == 1].groupby("task", sort=False)]
    titles = [_title(own) for own in shown]
    heights = [
        _LABEL * own["label"].nunique() + _FRAME + _TITLE * len(title)
        for own, title in zip(shown, titles, strict=True)
    ]
    legend = Legend(_entries(), DOUBLE - 0.1)
    figure = new_figure(DOUBLE, min(sum(heights) + _AXIS + legend.height, TALLEST))
    panels = figure.subplots(len(shown), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    for axes, own, title in zip(panels, shown, titles, strict=True):
        _fill(axes, own)
        axes.set_title("\n".join(title), loc="left", fontsize=SMALL)
    panels[-1].set_xlabel("layers up to this one (0: embeddings)")
    legend.add_to(figure)
    return figure


def _entries() -> list[Any]:
    bars: dict[str, Any] = {"marker": "s", "markersize": 6, "linestyle": "none"}
    return [
        entry("probability of the true label", _TRUE, **bars),
        entry("of another", _OTHER, **bars),
        entry("what the probe says", "white", **bars, markeredgecolor=INK),
    ]


def _title(own: pd.DataFrame) -> list[str]:
    text = readable(f"{own['task'].iloc[0]}: {own['text'].iloc[0]}", _LINES * _LETTERS)
    return wrap(text, _LETTERS)[:_LINES]


def _fill(axes: Axes, own: pd.DataFrame) -> None:
    """A row for each label, a bar for each layer."""
    labels = list(dict.fromkeys(own["label"]))
    for row, label in enumerate(labels):
        bars = own[own["label"] == label]
        is_true = bool(bars["true"].any())
        frames = np.where(bars["said"], INK, "none")
        axes.bar(
            bars["layer"], _HIGH * bars["probability"].fillna(0), 0.8, bottom=len(labels) - 1 - row,
            color=_TRUE if is_true else _OTHER, edgecolor=frames.tolist(), linewidth=0.7,
        )  # fmt: skip
        axes.axhline(len(labels) - 1 - row, color=INK, linewidth=0.3)
    names = [readable(str(label)) for label in reversed(labels)]
    axes.set_yticks(np.arange(len(labels)) + _HIGH / 2, names, fontsize=SMALL)
    axes.set_xticks(sorted(own["layer"].unique()))
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=TINY)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0, len(labels))
