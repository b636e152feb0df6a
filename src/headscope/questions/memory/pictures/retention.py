"""Right answers by the delay of the question, a line for each kind of net, each seed a faint one."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import DOUBLE, FAINT, kind_symbol, new_figure
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether nets were asked."""
    return "retention" in result.tables


def draw(result: Result) -> Figure:
    """Draw `mean` of `retention` and `accuracy` of `retention_models`; dotted: what guessing gives."""
    table, models = result.table("retention"), result.table("retention_models")
    kinds = list(dict.fromkeys(zip(table["net"], table["curriculum"], strict=True)))
    several = len(set(table["curriculum"])) > 1
    symbols = {kind: kind_symbol(place) for place, kind in enumerate(kinds)}
    entries = [
        entry(f"{net}, by {curriculum}" if several else net, *symbols[net, curriculum], markersize=3.0)
        for net, curriculum in kinds
    ]
    legend = Legend([*entries, entry("guessing", FAINT, linestyle=":", linewidth=0.8)], DOUBLE - 0.1)
    figure = new_figure(DOUBLE, 2.2 + legend.height)
    axes = figure.subplots()
    axes.axhline(100 * float(table["chance"].iloc[0]), color=FAINT, linestyle=":", linewidth=0.8)
    trained = table.loc[~table["beyond"], "delay"].max()
    if trained < table["delay"].max():
        axes.axvspan(table["delay"].min(), trained, color=FAINT, alpha=0.12, linewidth=0)
    for (net, curriculum), (colour, marker) in symbols.items():
        seeds = models[(models["net"] == net) & (models["curriculum"] == curriculum)]
        for _, own in seeds.groupby("seed"):
            axes.plot(own["delay"], 100 * own["accuracy"], color=colour, alpha=0.3, linewidth=0.6)
        own = table[(table["net"] == net) & (table["curriculum"] == curriculum)]
        axes.plot(own["delay"], 100 * own["mean"], color=colour, marker=marker, markersize=3.0)
    delays = sorted(set(table["delay"]))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(delays))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([str(delay) for delay in delays])
    axes.set_ylim(0, 104)
    axes.set_xlabel("delay in words (grey: as in training)")
    axes.set_ylabel("right answers (%)")
    legend.add_to(figure)
    return figure
