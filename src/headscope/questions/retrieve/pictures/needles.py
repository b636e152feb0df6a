"""How much of a secret is found again, by the length of the text and how deep the needle lies."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.style import SINGLE, TINY, new_figure
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether there are trials."""
    return len(result.tables.get("trials", ())) > 0


def draw(result: Result) -> Figure:
    """Draw the mean recall of each length and depth, with its number."""
    grid = result.table("trials").pivot_table("recall", "depth", "length")
    height = 0.28 * len(grid) + 0.3
    figure = new_figure(SINGLE, height + 0.6)
    axes = figure.subplots()
    norm, colours = Normalize(0, 1), matplotlib.colormaps["Blues"]
    axes.imshow(grid.to_numpy(), cmap=colours, norm=norm, aspect="auto")
    for (row, column), value in np.ndenumerate(grid.to_numpy()):
        ink = "white" if value > 0.6 else "black"
        axes.text(column, row, f"{100 * value:.0f} %", ha="center", va="center", fontsize=TINY, color=ink)
    axes.set_xticks(range(grid.shape[1]), [f"{length:,}" for length in grid.columns])
    axes.set_yticks(range(len(grid)), [f"{100 * depth:.0f} %" for depth in grid.index])
    axes.set_xlabel("tokens of the text")
    axes.set_ylabel("depth of the needle")
    axes.tick_params(length=0)
    add_bar(figure, ScalarMappable(norm, colours), [axes], "of the secret found", height)
    return figure
