"""Where the mean state of each class goes under fillers, in two principal components, step by step."""

from __future__ import annotations

from matplotlib.figure import Figure

from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import KINDS
from headscope.drawing.style import DOUBLE, INK, SINGLE, new_figure
from headscope.results.result import Result

_PANELS = 4
"""Models that are shown at most: the first of each kind."""


def needs(result: Result) -> bool:
    """Whether paths of states are there."""
    return "path" in result.arrays.get("memory", ())


def draw(result: Result) -> Figure:
    """Draw `path` (recurrent, class, step, component): a dot where the phrase ends, a line from there on."""
    arrays = result.arrays["memory"]
    names = [str(name) for name in arrays["recurrent"].values]
    firsts = {name.rpartition("-")[0]: name for name in reversed(names)}
    shown = [name for name in names if name in firsts.values()][:_PANELS]
    width = SINGLE if len(shown) == 1 else DOUBLE
    entries = [
        entry("right behind the word", INK, "o", linestyle="", markersize=3.5),
        entry("at the longest delay", INK, "x", linestyle="", markersize=4.0),
        entry("a colour for each class", INK, linewidth=1.0),
    ]
    legend = Legend(entries, width - 0.1)
    across = min(len(shown), 2)
    down = -(-len(shown) // across)
    figure = new_figure(width, 2.2 * down + legend.height)
    panels = figure.subplots(down, across, squeeze=False)
    for axes, name in zip(panels.flat, shown, strict=False):
        paths = arrays["path"].sel(recurrent=name).values  # (class, step, component)
        for number, path in enumerate(paths):
            colour = KINDS[number % len(KINDS)]
            axes.plot(path[:, 0], path[:, 1], color=colour, linewidth=0.9)
            axes.plot(*path[0], marker="o", color=colour, markersize=3.5)
            axes.plot(*path[-1], marker="x", color=colour, markersize=4.0)
        share = 100 * arrays["explained"].sel(recurrent=name).values
        axes.set_title(name, loc="left", fontweight="bold")
        axes.set_xlabel(f"first component ({share[0]:.0f} %)")
        axes.set_ylabel(f"second ({share[1]:.0f} %)")
    for axes in panels.flat[len(shown) :]:
        axes.set_visible(False)
    legend.add_to(figure)
    return figure
