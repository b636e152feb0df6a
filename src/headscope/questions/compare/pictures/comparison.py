"""Which heads differ most between runs: differences with their intervals, the largest first."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headscope.drawing.glyphs import measure_label, readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, SMALL, kind_symbol, new_figure
from headscope.results.result import Result

_MEASURES, _HEADS, _PAIRS = 4, 20, 4
_ROW = 0.125  # inches per head


def needs(result: Result) -> bool:
    """Whether the result compares runs head by head."""
    differences = result.arrays.get("differences")
    return differences is not None and bool(differences["difference"].notnull().any())


def draw(result: Result) -> Figure:
    """Draw `difference`, `low` and `high` (head, measure, pair); filled dots are significant."""
    data = result.arrays["differences"].transpose("head", "measure", "pair", ...)
    pairs = _largest(data["difference"], "pair", _PAIRS)
    data = data.sel(pair=pairs)
    measures = data["difference"].dropna("measure", how="all")["measure"].values[:_MEASURES]
    across, rows = min(2, len(measures)), -(-len(measures) // 2)
    width = SINGLE if across == 1 else DOUBLE
    legend = Legend(_entries([str(pair) for pair in pairs.values], "significant" in data), width - 0.2)
    tall = max(_ROW * min(_HEADS, data.sizes["head"]), 0.5) + 0.5
    figure = new_figure(width, rows * tall + 0.2 + legend.height)
    panels = figure.subplots(rows, across, squeeze=False)
    for axes, measure in zip(panels.flat, measures, strict=False):
        _fill(axes, data.sel(measure=measure))
        axes.set_xlabel(f"difference in {measure_label(measure)}")
    for axes in panels.flat[len(measures) :]:
        axes.set_visible(False)
    legend.add_to(figure)
    return figure


def _largest(values: xr.DataArray, along: str, most: int) -> xr.DataArray:
    """Name the places along one dimension whose largest |value| is largest, in their own order."""
    others = [dim for dim in values.dims if dim != along]
    size = abs(values).max(others).fillna(-1.0)
    largest = np.sort(np.argsort(-size.values, kind="stable")[:most])
    return size[along].isel({along: largest})


def _fill(axes: Axes, data: xr.Dataset) -> None:
    known = data.sel(head=data["difference"].notnull().any("pair"))
    size = abs(known["difference"]).max("pair").values
    known = known.isel(head=np.argsort(-size, kind="stable")[:_HEADS])
    rows = np.arange(known.sizes["head"], dtype=float)
    count = known.sizes["pair"]
    axes.axvline(0.0, color=FAINT, linewidth=0.6, zorder=0)
    for place in range(count):
        shift = 0.7 * (place - (count - 1) / 2) / count
        _draw_pair(axes, known.isel(pair=place), rows + shift, kind_symbol(place).colour)
    axes.set_yticks(rows, [readable(head) for head in known["head"].values], fontsize=SMALL - 1)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6))


def _draw_pair(axes: Axes, pair: xr.Dataset, rows: np.ndarray, colour: str) -> None:
    values = pair["difference"].values
    if "low" in pair and "high" in pair:
        axes.hlines(rows, pair["low"].values, pair["high"].values, color=colour, linewidth=0.8, zorder=1)
    sure = pair["significant"].values.astype(bool) if "significant" in pair else np.ones(len(values), bool)
    faces = np.where(sure, colour, "white")
    known = np.isfinite(values)
    axes.scatter(
        values[known],
        rows[known],
        s=11,
        c=list(faces[known]),
        edgecolors=colour,
        linewidths=0.8,
        zorder=2,
        label=str(pair["pair"].values),
    )


def _entries(pairs: list[str], is_tested: bool) -> list[Line2D]:
    entries = [
        entry(readable(pair), kind_symbol(place).colour, "o", linewidth=0.8)
        for place, pair in enumerate(pairs)
    ]
    if is_tested:
        entries.append(entry("significant", INK, "o", linestyle=""))
        entries.append(entry("not significant", INK, "o", linestyle="", markerfacecolor="white"))
    return entries
