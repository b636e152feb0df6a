"""Speed of the slow point of each class, and how well the class is retained at the longest delay."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, kind_symbol, new_figure
from headscope.results.result import Result

_PALE = 0.25
"""Of points that tell nothing of forgetting."""


def needs(result: Result) -> bool:
    """Whether there are slow points."""
    return "slow_points" in result.tables


def draw(result: Result) -> Figure:
    """Draw `speed` and `retained` of `slow_points`, a panel for each net, a symbol for each model."""
    table = result.table("slow_points")
    if "learned" not in table:  # runs of before do not tell
        table = table.assign(learned=True)
    nets = list(dict.fromkeys(table["net"]))
    models = list(dict.fromkeys(zip(table["curriculum"], table["seed"], strict=True)))
    symbols = {model: kind_symbol(place) for place, model in enumerate(models)}
    width = SINGLE if len(nets) == 1 else DOUBLE
    entries = [
        entry(f"by {curriculum}, seed {seed}", *symbols[curriculum, seed], linestyle="", markersize=3.5)
        for curriculum, seed in models
    ]
    hollow = entry("hollow: no longer gives the class", FAINT, "o", linestyle="", markerfacecolor="none")
    pale = [entry("pale: has not learned the task", FAINT, "o", linestyle="", alpha=_PALE)]
    legend = Legend([*entries, hollow, *([] if table["learned"].all() else pale)], width - 0.1)
    figure = new_figure(width, 2.1 + legend.height)
    for axes, net in zip(figure.subplots(1, len(nets), squeeze=False, sharey=True)[0], nets, strict=True):
        for one in table[table["net"] == net].itertuples():
            colour, marker = symbols[one.curriculum, one.seed]
            face = colour if one.read else "none"
            style = {"marker": marker, "color": colour, "markerfacecolor": face, "markersize": 3.5}
            style["alpha"] = 0.8 if one.learned else _PALE
            axes.plot([one.speed], [100 * one.retained], linestyle="", **style)
        if (table.loc[table["net"] == net, "speed"] > 0).any():
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:g}"))
        axes.set_title(net, loc="left", fontweight="bold")
        axes.set_xlabel("speed of the slow point")
    figure.axes[0].set_ylabel("right at the longest delay (%)")
    figure.axes[0].set_ylim(-4, 104)
    legend.add_to(figure)
    return figure
