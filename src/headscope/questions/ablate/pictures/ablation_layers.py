"""What is lost without all heads of a layer, and without all but one (Michel et al. 2019, tables 2 and 3)."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, SymmetricalLogLocator

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.stacks import LAYER_LABEL, set_layer_axis
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, TINY, Symbol, new_figure
from headscope.drawing.verdicts import verdict_entries, verdict_faces
from headscope.heads import STACKS
from headscope.results.result import Result

_KINDS = {"all heads": Symbol(COLOURS[1], "s"), "all but one": Symbol(COLOURS[0], "o")}
_LABELS = {
    "all heads": "all heads of the layer removed",
    "all but one": "all but one (named above) removed",
}
_APART = 0.18  # of a layer's place
_HEIGHT = 2.1  # inches
_MANY_LAYERS = 8
_WIDE = 10.0  # points: effects beyond need a scale that also shows small ones


def needs(result: Result) -> bool:
    """Whether the result tells what removing heads layer by layer does."""
    table = result.tables.get("ablation_layers")
    return table is not None and bool(table["effect"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `effect` with `low` and `high` by layer, one panel per stack; above it the head that was kept."""
    table = result.table("ablation_layers")
    stacks = [stack for stack in STACKS if (table["stack"] == stack).any()]
    kinds = {name: symbol for name, symbol in _KINDS.items() if (table["removed"] == name).any()}
    sizes = [int(table.loc[table["stack"] == stack, "layer"].nunique()) for stack in stacks]
    width = SINGLE if sum(sizes) <= _MANY_LAYERS else DOUBLE
    entries = [entry(_LABELS[name], *symbol, linewidth=0.9) for name, symbol in kinds.items()]
    legend = Legend(entries + verdict_entries(), width - 0.1)
    figure = new_figure(width, _HEIGHT + legend.height)
    ratios = [size + 0.5 for size in sizes]
    panels = figure.subplots(1, len(stacks), squeeze=False, sharey=True, width_ratios=ratios)[0]
    for axes, stack in zip(panels, stacks, strict=True):
        _fill(axes, table[table["stack"] == stack], kinds)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left", pad=12.0)
    _set_scale(panels[0], table)
    panels[0].set_ylabel(f"change of {_metric(result)} (points)")
    legend.add_to(figure)
    return figure


def _metric(result: Result) -> str:
    heads = result.arrays.get("ablation")
    return "score" if heads is None else str(heads.attrs.get("metric", "score"))


def _fill(axes: Axes, table: pd.DataFrame, kinds: dict[str, Symbol]) -> None:
    axes.axhline(0.0, color=FAINT, linewidth=0.6, zorder=0)
    for place, (name, symbol) in enumerate(kinds.items()):
        rows = table[(table["removed"] == name) & table["effect"].notna()]
        effect, low, high = (100 * rows[column] for column in ("effect", "low", "high"))
        places = rows["layer"].to_numpy(float) + _APART * (2 * place - (len(kinds) - 1))
        colour, marker = symbol
        axes.vlines(places, low, high, color=colour, linewidth=0.9, zorder=1)
        style: dict[str, Any] = {"marker": marker, "s": 15, "edgecolors": colour, "linewidths": 0.8}
        faces = verdict_faces(rows["verdict"].to_numpy(), colour)
        axes.scatter(places, effect, c=faces, zorder=2, label=name, **style)
        _name_kept(axes, rows, colour)
    set_layer_axis(axes, table["layer"].to_numpy())
    axes.set_xlabel(LAYER_LABEL)


def _name_kept(axes: Axes, rows: pd.DataFrame, colour: str) -> None:
    """Write above each layer which head was kept in it."""
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": TINY, "color": colour}
    for layer, head in zip(rows["layer"], rows["kept"].fillna(""), strict=True):
        if head:
            index = str(head).rpartition("H")[2]
            axes.text(layer, 1.01, f"H{index}", transform=axes.get_xaxis_transform(), **style)


def _set_scale(axes: Axes, table: pd.DataFrame) -> None:
    """Small effects can be told apart also beside very large ones."""
    ends = 100 * table[["low", "high"]].fillna(0.0).to_numpy(float)  # one example has no interval
    low, high = float(ends.min()), float(ends.max())
    if max(-low, high) > _WIDE:
        axes.set_yscale("symlog", linthresh=1.0, linscale=0.6)
        axes.set_ylim(min(1.5 * low, -1.0), max(1.5 * high, 1.0))
        axes.yaxis.set_major_locator(SymmetricalLogLocator(base=10, linthresh=1.0, subs=[1.0, 3.0]))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "−")))
