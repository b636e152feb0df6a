"""How much of a secret each head finds, by layer and head (Wu et al. 2024)."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, HIGHEST, draw_cells, run_down, shape_of
from headscope.drawing.stacks import LAYER_LABEL
from headscope.drawing.style import SINGLE, new_figure
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether any head has a score."""
    heads = result.arrays.get("heads")
    return heads is not None and bool(np.isfinite(heads["score"].values).any())


def draw(result: Result) -> Figure:
    """Draw `score` (head,) as colours."""
    heads = result.arrays["heads"]
    rows, _ = shape_of(heads)
    height = max(HIGHEST * rows, 0.5)
    figure = new_figure(SINGLE, height + 0.6)
    axes = figure.subplots()
    norm, colours = Normalize(0, 1), matplotlib.colormaps["Blues"]
    draw_cells(axes, heads, heads["score"].values, cmap=colours, norm=norm)
    axes.set_xlabel(HEAD_LABEL)
    axes.set_ylabel(LAYER_LABEL)
    run_down(axes, heads)
    add_bar(figure, ScalarMappable(norm, colours), [axes], "of the secret found", height)
    return figure
