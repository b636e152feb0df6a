"""Whether heads matter alike on two data sets: effect against effect (Michel et al. 2019, figure 2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.glyphs import readable
from headscope.drawing.naming import name_points
from headscope.drawing.stacks import scatter_by_stack
from headscope.drawing.style import FAINT, SINGLE, SMALL, new_figure
from headscope.results.result import Result

_NAMED = 6
_STANDS_OUT = 3.0  # times the usual distance from no effect


def needs(result: Result) -> bool:
    """Whether the result has effects on two data sets."""
    effects = result.tables.get("ablation_both")
    return effects is not None and bool(effects[["effect", "other_effect"]].notna().all(axis=1).any())


def draw(result: Result) -> Figure:
    """Draw `effect` against `other_effect`, a point per head; those far from no effect have their names."""
    effects = result.table("ablation_both").dropna(subset=["effect", "other_effect"])
    figure = new_figure(SINGLE, SINGLE + 0.15)
    axes = figure.subplots()
    places = 100 * effects[["effect", "other_effect"]].to_numpy(float)
    scatter_by_stack(axes, effects["stack"].to_numpy(str), places, 14, "lower right")
    _set_range(axes, places)
    agreement = result.tables.get("ablation_agreement")
    names = _names(agreement)
    axes.set_xlabel(f"change on {names[0]} (points)")
    axes.set_ylabel(f"change on {names[1]} (points)")
    if agreement is not None:
        axes.set_title(_correlations(agreement), loc="left", fontsize=SMALL)
    figure.draw_without_rendering()  # names go where there is room, which only the layout tells
    name_points(axes, places, _standing_out(effects["head"].to_numpy(), places))
    return figure


def _set_range(axes: Axes, places: np.ndarray) -> None:
    """Both axes alike, with 0 and the line of equal effects in them."""
    low, high = min(places.min(), 0.0), max(places.max(), 0.0)
    room = max(0.08 * (high - low), 0.05)
    ends = (low - room, high + room)
    axes.plot(ends, ends, color=FAINT, linewidth=0.7, linestyle="--", zorder=1, label="equal")
    axes.axhline(0.0, color=FAINT, linewidth=0.4, zorder=0)
    axes.axvline(0.0, color=FAINT, linewidth=0.4, zorder=0)
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))


def _standing_out(heads: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Names (head,) of the heads farthest from no effect, empty for the others."""
    far = np.abs(places).max(1)
    farthest = np.argsort(-far, kind="stable")[:_NAMED]
    is_named = np.isin(np.arange(len(far)), farthest)
    is_named &= far > _STANDS_OUT * max(float(np.median(far)), 1e-12)
    return np.where(is_named, heads, "")


def _names(agreement: pd.DataFrame | None) -> tuple[str, str]:
    if agreement is None or agreement.empty:
        return "this data", "other data"
    return readable(agreement["data"].iloc[0], 22), readable(agreement["other"].iloc[0], 22)


def _correlations(agreement: pd.DataFrame) -> str:
    """The correlations with their intervals."""
    names = {"pearson": "r", "spearman": "rank ρ"}
    rows = agreement.dropna(subset=["value"]).itertuples()
    return "    ".join(
        f"{names.get(str(row.measure), row.measure)} {row.value:.2f} ({row.low:.2f} to {row.high:.2f})"
        for row in rows
    ).replace("-", "−")
