"""How much faster a model is without heads, beside the most that can be won (Michel et al. 2019, table 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headscope.drawing.legends import entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, TINY, kind_symbol, new_figure
from headscope.results.result import Result

_HEIGHT = 2.3
_HALF = 0.28  # of a batch size's place: the mark of the ceiling
_CEILING: dict[str, Any] = {"linestyle": ":", "linewidth": 1.0}


def needs(result: Result) -> bool:
    """Whether the result measured speed before and after."""
    return any(_known(result, name) is not None for name in ("speed", "speed_curve"))


def draw(result: Result) -> Figure:
    """Draw `ratio` with its interval and `ceiling`: against `share` for a batch size, and by batch size."""
    curve, speed = _known(result, "speed_curve"), _known(result, "speed")
    count = sum(table is not None for table in (curve, speed))
    figure = new_figure(SINGLE if count == 1 else DOUBLE, _HEIGHT)
    panels = list(figure.subplots(1, count, squeeze=False, sharey=True)[0])
    first = panels[0]
    if curve is not None:
        _draw_curve(panels.pop(0), curve)
    if speed is not None:
        _draw_sizes(panels.pop(0), speed)
    first.set_ylabel("speed, before = 1")
    first.yaxis.set_major_locator(MaxNLocator(nbins=6))
    measured = entry("measured, with its spread", COLOURS[0], "o", markersize=4.0, linewidth=1.2)
    ceiling = entry("the most that could be won", INK, **_CEILING)
    figure.legend(handles=[measured, ceiling], loc="outside upper left", ncols=2)
    return figure


def _known(result: Result, name: str) -> pd.DataFrame | None:
    table = result.tables.get(name)
    if table is None or table["ratio"].isna().all():
        return None
    return table.dropna(subset=["ratio"])


def _draw_curve(axes: Axes, curve: pd.DataFrame) -> None:
    sizes = list(dict.fromkeys(curve["batch_size"]))
    axes.axhline(1.0, color=FAINT, linewidth=0.6, zorder=0)
    for position, size in enumerate(sizes):
        speeds = curve[curve["batch_size"] == size].set_index("share").sort_index()
        shares, (colour, marker) = speeds.index, kind_symbol(position)
        spread = speeds["ratio_low"], speeds["ratio_high"]
        axes.fill_between(shares, *spread, color=colour, alpha=0.2, linewidth=0)
        axes.plot(shares, speeds["ratio"], color=colour, marker=marker, label=f"batch of {size}")
        axes.plot(shares, speeds["ceiling"], color=colour, label="ceiling", **_CEILING)
    if len(sizes) == 1:
        axes.set_title(f"batches of {sizes[0]}", loc="left")
    else:
        axes.legend(handles=axes.lines[1::2], loc="upper left")
    axes.set_xlim(left=0.0)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.set_xlabel("heads removed")


def _draw_sizes(axes: Axes, speed: pd.DataFrame) -> None:
    places = np.arange(len(speed), dtype=float)
    axes.axhline(1.0, color=FAINT, linewidth=0.6, zorder=0)
    axes.hlines(speed["ceiling"], places - _HALF, places + _HALF, color=INK, label="ceiling", **_CEILING)
    axes.vlines(places, speed["ratio_low"], speed["ratio_high"], color=COLOURS[0], linewidth=1.2, zorder=1)
    axes.plot(places, speed["ratio"], "o", color=COLOURS[0], markersize=4.5, zorder=2, label="ratio")
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": TINY, "textcoords": "offset points"}
    for place, ratio, high in zip(places, speed["ratio"], speed["ratio_high"], strict=True):
        text = f"{100 * (ratio - 1):+.1f} %".replace("-", "−")
        axes.annotate(text, (place, high), (0, 2), **style)
    rows = zip(speed["batch_size"], speed["before"], speed["after"], strict=True)
    axes.set_xticks(places, [f"{size}\n{_rate(before)} → {_rate(after)}" for size, before, after in rows])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.5, len(places) - 0.3)
    if "share" in speed:
        axes.set_title(f"{100 * speed['share'].iloc[0]:.0f} % of the heads removed", loc="left")
    axes.set_xlabel("batch size; examples per second, before → after")


def _rate(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"
