"""A panel for each task, side by side and below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend
from headscope.drawing.style import DOUBLE, SINGLE, new_figure

ACROSS, _PANEL = 3, 1.55  # panels beside each other; inches of one


def draw_tasks(
    tasks: Sequence[str], legend: Callable[[float], Legend], fill: Callable[[Axes, str], None], labels: str
) -> Figure:
    """Fill a panel for each task; labels: what lies along the axis below."""
    across = min(len(tasks), ACROSS)
    width, down = SINGLE if across == 1 else DOUBLE, -(-len(tasks) // across)
    above = legend(width - 0.1)
    figure = new_figure(width, _PANEL * down + 0.3 + above.height)
    panels = figure.subplots(down, across, squeeze=False, sharex=True)
    for axes, task in zip(panels.flat, tasks, strict=False):
        fill(axes, task)
        axes.set_title(readable(task), loc="left", fontweight="bold")
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    for axes in panels.flat[len(tasks) :]:
        axes.set_visible(False)
    for axes in panels.flat[max(len(tasks) - across, 0) : len(tasks)]:
        axes.set_xlabel(labels)
        axes.tick_params(labelbottom=True)
    for axes in panels[:, 0]:
        axes.set_ylabel("right answers (%)")
    above.add_to(figure)
    return figure
