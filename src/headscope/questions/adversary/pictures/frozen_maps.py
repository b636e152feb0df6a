"""What maps are worth to a fresh net that must look with them: mean score over models, a point for each;
the number at adversaries is their penalty.

Yang, Is Attention Points Out the Only Path?, table 2, which froze nothing;
Wiegreffe and Pinter 2019, table 3.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.palette import KINDS
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, SMALL, new_figure
from headscope.questions.adversary.kinds import ADVERSARY, CONTROL, EVEN, ITSELF, RANDOM, SAME
from headscope.results.result import Result

_ROW = 0.19  # inches


def needs(result: Result) -> bool:
    """Whether some net was given maps."""
    table = result.tables.get("frozen_runs")
    return table is not None and bool(table["score"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `score` of `frozen_runs` by whose maps they are, a panel for each net; controls beside them."""
    table = _with_controls(result)
    nets = list(dict.fromkeys(table["net"]))
    rows = list(dict.fromkeys(table["label"]))
    width = SINGLE if len(nets) == 1 else DOUBLE
    figure = new_figure(width, _ROW * len(rows) + 0.7)
    panels = figure.subplots(1, len(nets), squeeze=False, sharex=True, sharey=True)[0]
    for axes, net in zip(panels, nets, strict=True):
        _fill(axes, table[table["net"] == net], rows)
        axes.set_title("a fresh net of the same kind" if net == SAME else net, loc="left")
        axes.set_xlabel("score, %")
    panels[0].set_yticks(np.arange(len(rows)), rows, fontsize=SMALL)
    panels[0].set_ylim(len(rows) - 0.4, -0.6)
    return figure


def _with_controls(result: Result) -> pd.DataFrame:
    """Even and random maps, and attention to itself, of the same kind of net were trained as controls."""
    given, runs = result.table("frozen_runs"), result.table("runs")
    same = runs[(runs["kind"] == CONTROL) & runs["attention"].isin([EVEN, ITSELF, RANDOM])]
    controls = same.assign(net=SAME, maps=same["attention"])[["net", "maps", "penalty", "seed", "score"]]
    table = pd.concat([given, controls], ignore_index=True)
    labels = [
        f"adversary, {penalty:g}" if maps == ADVERSARY else maps
        for maps, penalty in zip(table["maps"], table["penalty"], strict=True)
    ]
    return table.assign(label=labels)


def _fill(axes: Axes, table: pd.DataFrame, rows: list[str]) -> None:
    means = 100 * table.groupby("label")["score"].mean()
    places = [place for place, label in enumerate(rows) if label in means.index]
    lengths = [float(means[rows[place]]) for place in places]
    maps = table.groupby("label")["maps"].first()
    colours = [KINDS[0] if maps[rows[place]] == ADVERSARY else KINDS[5] for place in places]
    axes.barh(places, lengths, height=0.6, color=colours, alpha=0.55, linewidth=0)
    own = table.dropna(subset=["score"])
    axes.scatter(100 * own["score"], [rows.index(label) for label in own["label"]], color=INK, s=6, zorder=3)
    axes.set_xlim(left=0.0)
    axes.grid(axis="x", color=FAINT, alpha=0.3, linewidth=0.4)
    axes.tick_params(axis="y", length=0)
