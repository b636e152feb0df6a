"""Every explanation: how far the probability falls as words go in its order, how soon the answer changes,
and how far it agrees with leave-one-out."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SMALL, new_figure
from headscope.results.result import Result

_PANELS = {
    "aopc": ("fall of the probability (points)", 100.0),
    "until": ("share of words until it changes (%)", 100.0),
    "tau": ("tau with leave-one-out", 1.0),
}
_ROW, _AROUND = 0.16, 0.55  # inches


def needs(result: Result) -> bool:
    """Whether explanations were put to the test."""
    table = result.tables.get("faithfulness")
    return table is not None and bool(table["aopc"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `aopc`, `until` and `tau` with their intervals, a row for each explanation, the best on top."""
    table = result.table("faithfulness")
    # Means over other texts cannot stand beside each other.
    table = table[table["answers"] == table["answers"].max()].sort_values("aopc", kind="stable")
    figure = new_figure(DOUBLE, _ROW * len(table) + _AROUND)
    panels = figure.subplots(1, len(_PANELS), sharey=True)
    for axes, (measure, (label, scale)) in zip(panels, _PANELS.items(), strict=True):
        _fill(axes, table, measure, scale)
        axes.set_xlabel(label, fontsize=SMALL)
    panels[0].set_yticks(np.arange(len(table)), [readable(name) for name in table["explanation"]])
    for label, on_trial in zip(panels[0].get_yticklabels(), table["on_trial"], strict=True):
        label.set(color=COLOURS[1] if on_trial else INK, fontweight="bold" if on_trial else "normal")
    panels[0].set_ylim(-0.7, len(table) - 0.3)
    return figure


def _fill(axes: Axes, table: pd.DataFrame, measure: str, scale: float) -> None:
    places = np.arange(len(table))
    colours = np.where(table["on_trial"], COLOURS[1], COLOURS[0])
    low, high = (scale * table[f"{measure}_{end}"].to_numpy(float) for end in ("low", "high"))
    axes.hlines(places, low, high, colors=colours.tolist(), linewidth=1.0)
    axes.scatter(scale * table[measure], places, c=colours.tolist(), s=12, zorder=2)
    chance = table.loc[table["explanation"] == "random", measure]
    if len(chance) and chance.notna().all():
        axes.axvline(scale * float(chance.iloc[0]), color=FAINT, linewidth=0.6, linestyle="--", zorder=0)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.4)
