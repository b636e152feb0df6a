"""How many links each head gets wrong, by weights and norms, at the output and the input token."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.stacks import LAYER_LABEL, set_layer_axis
from headscope.drawing.style import DOUBLE, FAINT, SMALL, Symbol, new_figure
from headscope.questions.align.readings import BEST_FIXED, GOLD, HMM, IBM1
from headscope.results.result import Result

_HEIGHT = 2.1
_HEADS, _LAYERS = Symbol(COLOURS[0], "o"), Symbol(COLOURS[1], "D")
_LINES = {IBM1: (COLOURS[2], "--"), HMM: (COLOURS[3], "-."), BEST_FIXED: (FAINT, ":")}


def needs(result: Result) -> bool:
    """Whether the result scores heads on linking words."""
    return {"align_heads", "align_layers", "aligners"} <= result.tables.keys()


def draw(result: Result) -> Figure:
    """Draw `error` of each head and layer from `align_heads` and `align_layers`, by its layer."""
    heads, layers, aligners = (result.table(name) for name in ("align_heads", "align_layers", "aligners"))
    reference = heads["reference"].iloc[0]
    heads, layers, aligners = (each[each["reference"] == reference] for each in (heads, layers, aligners))
    lines = aligners[(aligners["how"] == "target to source") | (aligners["aligner"] == BEST_FIXED)]
    if heads["index"].nunique() == 1:  # its layer is the head again
        layers = layers.head(0)
    entries = [entry("head", *_HEADS, linestyle="")]
    entries += [entry("whole layer", *_LAYERS, linestyle="")] if len(layers) else []
    entries += [entry(name, _LINES[name][0], linestyle=_LINES[name][1]) for name in lines["aligner"]]
    legend = Legend(entries, DOUBLE - 0.2)
    readings = list(product(heads["measure"].unique(), heads["token"].unique()))
    figure = new_figure(DOUBLE, _HEIGHT + legend.height)
    panels = figure.subplots(1, len(readings), squeeze=False, sharey=True)[0]
    for axes, (measure, token) in zip(panels, readings, strict=True):
        own, whole = (
            each[(each["measure"] == measure) & (each["token"] == token)] for each in (heads, layers)
        )
        _draw_panel(axes, own, whole, lines)
        axes.set_title(f"{measure}, {token} token", fontsize=SMALL)
    panels[0].set_ylabel("error rate" if reference == GOLD else f"error rate, against {reference}")
    panels[0].yaxis.set_major_formatter(PercentFormatter(1.0))
    panels[0].set_ylim(-0.03, 1.03)
    legend.add_to(figure)
    return figure


def _draw_panel(axes: Axes, heads: pd.DataFrame, layers: pd.DataFrame, lines: pd.DataFrame) -> None:
    spread = np.where(heads["index"].max() > 0, heads["index"] / max(1, heads["index"].max()) - 0.5, 0.0)
    axes.scatter(heads["layer"] + 0.5 * spread, heads["error"], s=9, color=_HEADS.colour, linewidths=0)
    colour, marker = _LAYERS
    axes.scatter(layers["layer"], layers["error"], s=16, color=colour, marker=marker, linewidths=0)
    for name, error in zip(lines["aligner"], lines["error"], strict=True):
        axes.axhline(error, color=_LINES[name][0], linestyle=_LINES[name][1], linewidth=0.9, zorder=0)
    set_layer_axis(axes, heads["layer"].to_numpy())
    axes.set_xlabel(LAYER_LABEL)
