"""What is left of the tagger as more and more heads are removed, worst first by each order."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, Symbol, new_figure
from headscope.questions.keywords.vocabulary import SKILL
from headscope.results.result import Result

_SYMBOLS = {
    SKILL: Symbol(COLOURS[0], "o"),
    "importance": Symbol(COLOURS[1], "s"),
    "random": Symbol(FAINT, ""),
}


def needs(result: Result) -> bool:
    """Whether heads of a tagger were removed."""
    return "keyword_removal" in result.tables


def draw(result: Result) -> Figure:
    """Draw `score` and `chunk_score` against `share`, a line per order; random ones each as a thin line."""
    table = result.table("keyword_removal")
    orders = [name for name in _SYMBOLS if name in set(table["order"])]
    legend = Legend([entry(name, *_SYMBOLS[name], markersize=3.0) for name in orders], DOUBLE - 0.1)
    figure = new_figure(DOUBLE, 2.2 + legend.height)
    panels = figure.subplots(1, 2)
    for axes, column, title in zip(
        panels, ("score", "chunk_score"), ("F1 of words (%)", "F1 of keyphrases (%)"), strict=True
    ):
        for name in orders:
            colour, marker = _SYMBOLS[name]
            for _, own in table[table["order"] == name].groupby("run"):
                width = 1.2 if marker else 0.7
                axes.plot(
                    own["share"],
                    100 * own[column],
                    color=colour,
                    marker=marker,
                    markersize=3.0,
                    linewidth=width,
                )
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        axes.set_xlabel("heads removed")
        axes.set_ylabel(title)
    legend.add_to(figure)
    return figure
