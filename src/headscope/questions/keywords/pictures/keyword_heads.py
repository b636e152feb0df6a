"""What keywords receive from each head more than other words, and how well that finds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.cells import HEAD_LABEL, draw_cells, run_down, shape_of
from headscope.drawing.stacks import LAYER_LABEL, by_stack
from headscope.drawing.style import DOUBLE, HEAT, new_figure
from headscope.results.result import Result

_ROW = 0.2


def needs(result: Result) -> bool:
    """Whether heads were scored."""
    return "keyword_heads" in result.arrays


def draw(result: Result) -> Figure:
    """Draw `matched` and `auprc` (head,) as grids of layers and heads, a row per stack."""
    heads = result.arrays["keyword_heads"]
    stacks = by_stack(heads)
    tall = [0.75 + _ROW * max(3, shape_of(own)[0]) for _, own in stacks]
    figure = new_figure(DOUBLE, sum(tall))
    panels = figure.subplots(len(stacks), 2, squeeze=False, height_ratios=tall)
    for row, (stack, own) in enumerate(stacks):
        name = f"{stack}: " if len(stacks) > 1 else ""
        _fill(figure, panels[row, 0], own, "matched", f"{name}times as much as equally frequent words")
        _fill(figure, panels[row, 1], own, "auprc", f"{name}average precision")
    return figure


def _fill(figure: Figure, axes: Axes, heads: xr.Dataset, name: str, title: str) -> None:
    values = heads[name].values
    style: dict[str, Any] = {"cmap": HEAT}
    if np.isfinite(values).any():
        style |= {"vmin": float(np.nanmin(values)), "vmax": float(np.nanmax(values))}
    mesh = draw_cells(axes, heads, values, **style)
    run_down(axes, heads)
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(HEAD_LABEL)
    axes.set_ylabel(LAYER_LABEL)
    figure.colorbar(mesh, ax=axes, pad=0.02, aspect=18)
