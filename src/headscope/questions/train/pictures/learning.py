"""How training went: the dev score after each epoch, a line for each seed; points are the weights kept."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.palette import COLOURS
from headscope.drawing.style import FAINT, SINGLE, new_figure
from headscope.results.result import Result

_HEIGHT = 2.2  # inches
_NAMED = 8  # more seeds are not told apart


def needs(result: Result) -> bool:
    """Whether the result follows a training with its models' seeds."""
    return "training" in result.tables and "seeds" in result.tables


def draw(result: Result) -> Figure:
    """Draw `training`, the kept epochs as filled points."""
    course, seeds = result.table("training"), result.table("seeds")
    figure = new_figure(SINGLE, _HEIGHT)
    axes = figure.subplots()
    by_seed = list(course.groupby("seed"))
    for place, (seed, own) in enumerate(by_seed):
        colour = COLOURS[place % len(COLOURS)] if len(by_seed) <= _NAMED else FAINT
        axes.plot(own["epoch"], 100 * own["dev_score"], color=colour, linewidth=1.0, label=f"seed {seed}")
        kept = own[own["chosen"]]
        axes.plot(
            kept["epoch"], 100 * kept["dev_score"], color=colour, marker="o", markersize=3.6, linestyle=""
        )
    axes.set_xlabel("epoch")
    axes.set_ylabel(f"{seeds['metric'].iloc[0]} on dev data (%)")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    if 1 < len(by_seed) <= _NAMED:
        axes.legend(loc="lower right")
    return figure
