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
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, INK, SMALL, TINY, Symbol, new_figure, paler
from headscope.results.result import Result

_MEASURES = {"uas": "UAS (%)", "uuas": "UUAS (%)"}
_ROW, _FRAME = 0.3, 0.85  # inches: a probe; axis, titles and legend
_APART = 0.2  # of a row: words by themselves above, trees below
_MARGIN = 4  # points to the left and, twice, to the right
_KINDS = {
    "": ("each word by itself", Symbol(COLOURS[0], "o")),
    "_tree": ("best tree", Symbol(COLOURS[1], "s")),
}
_BETWEEN: dict[str, Any] = {"color": "#EDEDED", "linewidth": 0.5, "zorder": 0}
_PUBLISHED: dict[str, Any] = {
    "linestyle": "",
    "marker": "d",
    "markersize": 4.2,
    "markerfacecolor": "white",
    "markeredgewidth": 0.8,
    "zorder": 5,
}


def needs(result: Result) -> bool:
    """Whether the result compares probes."""
    return "probe_summary" in result.tables and "probes" in result.tables


def draw(result: Result) -> Figure:
    """Draw UAS and UUAS of the tables `probes` and `probe_summary`, one row per probe."""
    summary, probes = result.table("probe_summary"), result.table("probes")
    names = list(dict.fromkeys(summary["probe"]))
    legend = Legend(_entries(summary), DOUBLE - 0.2)
    figure = new_figure(DOUBLE, _FRAME + legend.height + _ROW * len(names))
    panels = figure.subplots(1, len(_MEASURES), squeeze=False, sharey=True)[0]
    for axes, (measure, label) in zip(panels, _MEASURES.items(), strict=True):
        _fill(axes, summary, probes, names, measure)
        axes.set_xlabel(label)
    panels[0].set_yticks(np.arange(len(names)), [readable(name) for name in names], fontsize=SMALL)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    legend.add_to(figure)
    return figure


def _fill(axes: Axes, summary: pd.DataFrame, probes: pd.DataFrame, names: list[str], measure: str) -> None:
    axes.hlines(np.arange(len(names)) + 0.5, 0, 1, transform=axes.get_yaxis_transform(), **_BETWEEN)
    place = {name: float(row) for row, name in enumerate(names)}
    for side, (kind, (_, symbol)) in zip((-1, 1), _KINDS.items(), strict=True):
        means = summary[(summary["measure"] == measure + kind) & summary["mean"].notna()]
        rows = _rows(means, place) + side * _APART
        seeds = probes[probes["probe"].isin(means.loc[means["runs"] > 1, "probe"])]
        seed_rows = _rows(seeds, place) + side * _APART
        pale = paler(symbol).colour
        axes.hlines(rows, 100 * means["low"], 100 * means["high"], color=pale, linewidth=3.2, zorder=1)
        style: dict[str, Any] = {"linestyle": "", "color": symbol.colour, "zorder": 3}
        axes.plot(100 * seeds[measure + kind], seed_rows, marker="|", markersize=4.5, **style)
        axes.plot(100 * means["mean"], rows, marker=symbol.marker, markersize=2.8, **style)
        for mean, row in zip(means["mean"], rows, strict=True):
            _write(axes, f"{100 * mean:.1f}", row, symbol.colour)
    theirs = summary[(summary["measure"] == measure) & summary["published"].notna()]
    axes.plot(100 * theirs["published"], _rows(theirs, place), color=INK, **_PUBLISHED)
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


def _entries(summary: pd.DataFrame) -> list[Line2D]:
    entries = [entry(label, *symbol, linestyle="", markersize=3.2) for label, symbol in _KINDS.values()]
    if (summary["runs"] > 1).any():
        entries.append(entry("each seed or twin", INK, "|", linestyle="", markersize=5))
    if summary["low"].notna().any():
        entries.append(entry("interval over documents", "#C9C9C9", linewidth=3.2))
    return [*entries, entry("Clark et al. 2019", INK, **_PUBLISHED)]
