"""The heads that are closest to parents, in percent of even attention, beside false trees and a random twin;
the number at a head is its weight on the parent."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import FAINT, SINGLE, SMALL, kind_symbol, new_figure
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE

_HEADS = 16
_ROW = 0.17  # inches per head
_BEYOND = 200.0  # percent: what is farther than twice even attention is drawn at the edge


def needs(result: Result) -> bool:
    """Whether heads were held against parents."""
    heads = result.tables.get("structure")
    return heads is not None and bool(heads.loc[heads["target"] == "parent", "kl"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `kl` of `structure` and its false trees over `even`; the number is the weight on the parent."""
    heads = result.table("structure")
    heads = heads[(heads["target"] == "parent") & heads["kl"].notna()].nsmallest(_HEADS, "kl")
    rows = np.arange(len(heads))
    shown = {TRUE_TREE: "kl", **dict(zip(FALSE_TREES, FALSE_TREES, strict=True)), "random twin": "twin"}
    entries = [
        entry(name.replace("_", "-"), kind_symbol(place).colour, kind_symbol(place).marker, linestyle="")
        for place, name in enumerate(shown)
    ]
    legend = Legend(entries, SINGLE - 0.3)
    figure = new_figure(SINGLE, max(1.0, _ROW * len(heads)) + 0.6 + legend.height)
    axes = figure.subplots()
    axes.axvline(100.0, color=FAINT, linewidth=0.8, linestyle="--", zorder=0)
    for place, column in enumerate(shown.values()):
        values = np.minimum(100 * (heads[column] / heads["even"]).to_numpy(float), _BEYOND)
        symbol = kind_symbol(place)
        axes.scatter(values, rows, s=12, color=symbol.colour, marker=symbol.marker, zorder=3 - place / 10)
    names = [
        f"{readable(head)}  {100 * weight:.0f} %"
        for head, weight in zip(heads["head"], heads["weight"], strict=True)
    ]
    axes.set_yticks(rows, names, fontsize=SMALL)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("KL from parents, % of even attention")
    axes.tick_params(axis="y", length=0)
    legend.add_to(figure)
    return figure
