"""F1 and average precision of a regression over more and more heads, best first, beside other methods."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, new_figure
from headscope.questions.keywords.vocabulary import ALL_BASELINES, STATES, TFIDF, WITH_BASELINES
from headscope.results.result import Result

_BESIDE = {TFIDF: ":", ALL_BASELINES: "-.", WITH_BASELINES: (0, (5, 2)), STATES: (0, (1, 3))}


def needs(result: Result) -> bool:
    """Whether the result has a curve."""
    return "keyword_curve" in result.tables and "keyword_methods" in result.tables


def draw(result: Result) -> Figure:
    """Draw `f1` and `auprc` of `keyword_curve`, a panel each, and those of some methods as lines."""
    methods = result.table("keyword_methods").set_index("method")
    there = {name: style for name, style in _BESIDE.items() if name in methods.index}
    entries = [entry("regression over heads", COLOURS[0], "o", markersize=3.0)]
    entries += [entry(name, FAINT, linestyle=style, linewidth=0.9) for name, style in there.items()]
    legend = Legend(entries, DOUBLE - 0.1)
    figure = new_figure(DOUBLE, 2.2 + legend.height)
    panels: tuple[Axes, Axes] = figure.subplots(1, 2)
    curve = result.table("keyword_curve")
    for axes, name, ends, title in (
        (panels[0], "f1", ("f1_low", "f1_high"), "F1 of words (%)"),
        (panels[1], "auprc", ("low", "high"), "average precision (%)"),
    ):
        for method, style in there.items():
            level = 100 * float(methods[name][method])
            axes.axhline(level, color=FAINT, linestyle=style, linewidth=0.9, zorder=0)
        low, high = (100 * curve[end] for end in ends)
        axes.fill_between(curve["heads"], low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
        axes.plot(curve["heads"], 100 * curve[name], color=COLOURS[0], marker="o", markersize=3.0)
        axes.set_xscale("log")
        ticks = [
            count for count in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if count <= curve["heads"].max()
        ]
        axes.xaxis.set_major_locator(FixedLocator(ticks))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticklabels([str(tick) for tick in ticks])
        axes.set_xlabel("heads, best first")
        axes.set_ylabel(title)
    legend.add_to(figure)
    return figure
