"""How much of the trees probes find, beside baselines: each seed, the mean with its interval, published."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headscope.drawing.glyphs import readable
from headscope.drawing.style import (
    COLOURS,
    DOUBLE,
    INK,
    SMALL,
    TINY,
    Symbol,
    legend_columns,
    new_figure,
    paler,
)
from headscope.results.result import Result

_MEASURES = {"uas": "UAS (%)", "uuas": "UUAS (%)"}
_ROW, _FRAME = 0.3, 0.85  # inches: a probe; axis, titles and legend
_APART = 0.2  # of a row: words by themselves above, trees below
_MARGIN = 4  # points to the left and, twice, to the right
_KINDS = {"": ("each word by itself", COLOURS[0], "o"), "_tree": ("best tree", COLOURS[1], "s")}


def needs(result: Result) -> bool:
    """Whether the result compares probes."""
    return "probe_summary" in result.tables and "probes" in result.tables


def draw(result: Result) -> Figure:
    """Draw UAS and UUAS of the tables `probes` and `probe_summary`, one row per probe."""
    summary, probes = result.table("probe_summary"), result.table("probes")
    names = list(dict.fromkeys(summary["probe"]))
    entries = _entries(summary)
    labels = [str(entry.get_label()) for entry in entries]
    columns = legend_columns(labels, DOUBLE - 0.2)
    lines = -(-len(entries) // columns)
    figure = new_figure(DOUBLE, _FRAME + 0.15 * lines + _ROW * len(names))
    panels = figure.subplots(1, len(_MEASURES), squeeze=False, sharey=True)[0]
    for axes, (measure, label) in zip(panels, _MEASURES.items(), strict=True):
        _fill(axes, summary, probes, names, measure)
        axes.set_xlabel(label)
    panels[0].set_yticks(np.arange(len(names)), [readable(name) for name in names], fontsize=SMALL)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    figure.legend(entries, labels, loc="outside upper left", ncols=columns)
    return figure


def _fill(axes: Axes, summary: pd.DataFrame, probes: pd.DataFrame, names: list[str], measure: str) -> None:
    axes.hlines(np.arange(len(names)) + 0.5, 0, 1, transform=axes.get_yaxis_transform(), **_BETWEEN)
    place = {name: float(row) for row, name in enumerate(names)}
    for side, (kind, (_, colour, marker)) in zip((-1, 1), _KINDS.items(), strict=True):
        part = summary[(summary["measure"] == measure + kind) & summary["mean"].notna()]
        rows = _rows(part, place) + side * _APART
        drawn = probes[probes["probe"].isin(part.loc[part["runs"] > 1, "probe"])]
        seeds = _rows(drawn, place) + side * _APART
        pale = paler(Symbol(colour, marker)).colour
        axes.hlines(rows, 100 * part["low"], 100 * part["high"], color=pale, linewidth=3.2, zorder=1)
        style: dict[str, Any] = {"linestyle": "", "color": colour, "zorder": 3}
        axes.plot(100 * drawn[measure + kind], seeds, marker="|", markersize=4.5, **style)
        axes.plot(100 * part["mean"], rows, marker=marker, markersize=2.8, **style)
        for mean, row in zip(part["mean"], rows, strict=True):
            _write(axes, f"{100 * mean:.1f}", row, colour)
    theirs = summary[(summary["measure"] == measure) & summary["published"].notna()]
    axes.plot(100 * theirs["published"], _rows(theirs, place), **_published())
    _set_range(axes, summary[summary["measure"].isin([measure + kind for kind in _KINDS])])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _rows(table: pd.DataFrame, place: dict[str, float]) -> np.ndarray:
    """The row of each line of a table, (line,)."""
    return np.array([place[name] for name in table["probe"]], float)


def _write(axes: Axes, number: str, row: float, colour: str) -> None:
    """Write a number at the right edge, in line with the others."""
    style: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": TINY, "color": colour}
    axes.text(1.0, row, number, transform=axes.get_yaxis_transform(), **style)


def _set_range(axes: Axes, shown: pd.DataFrame) -> None:
    """From below the lowest number to beyond the highest, with room for the column of numbers."""
    values = 100 * shown[["mean", "low", "high", "published"]].to_numpy(float)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    axes.set_xlim(max(low - _MARGIN, -2), high + 2 * _MARGIN)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))


_BETWEEN: dict[str, Any] = {"color": "#EDEDED", "linewidth": 0.5, "zorder": 0}


def _published() -> dict[str, Any]:
    style = {"linestyle": "", "marker": "d", "markersize": 4.2, "markerfacecolor": "white", "zorder": 5}
    return {**style, "color": INK, "markeredgewidth": 0.8}


def _entries(summary: pd.DataFrame) -> list[Line2D]:
    lines = [
        Line2D([], [], color=colour, linestyle="", marker=marker, markersize=3.2, label=label)
        for label, colour, marker in _KINDS.values()
    ]
    if (summary["runs"] > 1).any():
        small: dict[str, Any] = {"linestyle": "", "marker": "|", "markersize": 5}
        lines.append(Line2D([], [], color=INK, label="each seed or twin", **small))
    if summary["low"].notna().any():
        lines.append(Line2D([], [], color="#C9C9C9", linewidth=3.2, label="interval over documents"))
    lines.append(Line2D([], [], label="Clark et al. 2019", **_published()))
    return lines
