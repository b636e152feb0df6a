"""How often the best head finds an antecedent, beside simple rules (Clark et al. 2019, table 2)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SMALL, TINY, Symbol, new_figure
from headscope.results.reading import both
from headscope.results.result import Result

_STEP, _ASIDE = 0.145, 0.05
_HEIGHT = 2.5
_OPEN: dict[str, Any] = {"markerfacecolor": "white", "markersize": 3.5}


class _Mark(NamedTuple):
    """One way to find antecedents: its name, its symbol, its value, interval and paper's number by type."""

    label: str
    symbol: Symbol
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    paper: np.ndarray


_RULES = {
    "nearest": ("nearest mention", Symbol(FAINT, "v")),
    "head match": ("same head word", Symbol(COLOURS[5], "^")),
    "head match or nearest": ("same head word, else nearest", Symbol(COLOURS[2], "D")),
    "sieves": ("rules in four sieves", Symbol(COLOURS[3], "s")),
}


def needs(result: Result) -> bool:
    """Whether the result scores heads on finding antecedents."""
    return {"coref_types", "coref_baselines"} <= result.tables.keys()


def draw(result: Result) -> Figure:
    """Draw `accuracy` with its interval from `coref_types` and `coref_baselines`, one group per type."""
    types, baselines = result.table("coref_types"), result.table("coref_baselines")
    marks = _marks(types, baselines)
    legend = Legend(_entries(marks), DOUBLE - 0.2)
    figure = new_figure(DOUBLE, _HEIGHT + legend.height)
    axes = figure.subplots()
    for place, mark in enumerate(marks):
        _draw_mark(axes, mark, np.arange(len(types)) + _STEP * (place - (len(marks) - 1) / 2))
    _name_heads(axes, types, marks)
    _finish(axes, types)
    legend.add_to(figure)
    return figure


def _marks(types: pd.DataFrame, baselines: pd.DataFrame) -> list[_Mark]:
    """From the weakest to the strongest idea: twin, rules, the head."""
    nothing = np.full(len(types), np.nan)
    has_mentions = types["mentions"].to_numpy() > 0  # what was published of others would stand beside nothing
    twin = _Mark("random twin", Symbol("#B8B8B8", "x"), types["twin"].to_numpy(), nothing, nothing, nothing)
    rules = []
    for name, (label, symbol) in _RULES.items():
        rows = baselines[baselines["baseline"] == name].set_index("type").loc[types["type"]]
        rules.append(_mark(label, symbol, rows, np.where(has_mentions, rows["paper"], np.nan)))
    paper = np.where(has_mentions, types["paper_head"], np.nan)
    best = _mark("best head, chosen on other documents", Symbol(COLOURS[1], "o"), types, paper)
    marks = [twin, *rules, best]
    return [mark for mark in marks if np.isfinite(mark.value).any()]


def _mark(label: str, symbol: Symbol, rows: pd.DataFrame, paper: np.ndarray) -> _Mark:
    value, low, high = (rows[column].to_numpy() for column in ("accuracy", "low", "high"))
    return _Mark(label, symbol, value, low, high, paper)


def _draw_mark(axes: Axes, mark: _Mark, places: np.ndarray) -> None:
    colour, marker = mark.symbol
    known = np.isfinite(mark.low)
    axes.vlines(places[known], mark.low[known], mark.high[known], color=colour, linewidth=1.0, zorder=1)
    axes.plot(places, mark.value, marker, color=colour, markersize=4.5, zorder=3, label=mark.label)
    paper: dict[str, Any] = {"label": f"paper: {mark.label}", "markeredgewidth": 0.7, "zorder": 2, **_OPEN}
    axes.plot(places + _ASIDE, mark.paper, marker, color=colour, **paper)


def _name_heads(axes: Axes, types: pd.DataFrame, marks: list[_Mark]) -> None:
    """Write the chosen heads beside their marks, one under the other where the halves chose differently."""
    shift = _STEP * ((len(marks) - 1) / 2 + 0.45)
    rows = types[["chosen", "other_chosen", "accuracy"]].itertuples(index=False)
    for place, (name, other, value) in enumerate(rows):
        if np.isfinite(value):
            text = both(name, other, "\n")
            axes.text(place + shift, value, text, fontsize=TINY, va="center", ha="left", color=INK)


def _finish(axes: Axes, types: pd.DataFrame) -> None:
    names = [
        f"{name}\n{count:,} mentions" for name, count in zip(types["type"], types["mentions"], strict=True)
    ]
    axes.set_xticks(np.arange(len(types)), names, fontsize=SMALL)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.55, len(types) - 0.4)
    axes.set_ylim(-0.02, 1.0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(axis="y", color="#E4E4E4", linewidth=0.5)
    for edge in np.arange(len(types) - 1) + 0.53:
        axes.axvline(edge, color="#E4E4E4", linewidth=0.5, zorder=0)
    axes.set_ylabel("antecedent found")


def _entries(marks: list[_Mark]) -> list[Line2D]:
    entries = [entry(mark.label, *mark.symbol, markersize=4.5, linestyle="") for mark in marks]
    return [*entries, entry("open: Clark et al. 2019", INK, "o", linestyle="", **_OPEN)]
