"""How far each head's attention agrees with leave-one-out: Kendall's tau, mean over answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, draw_cells, run_down, shape_of
from headscope.drawing.stacks import by_stack
from headscope.drawing.style import SINGLE, new_figure
from headscope.results.result import Result

_CELL, _AROUND = 0.2, 0.6  # inches
_COLOURS = "RdBu"


def needs(result: Result) -> bool:
    """Whether heads were put to the test."""
    table = result.tables.get("trust_heads")
    return table is not None and bool(table["tau"].notna().any())


def draw(result: Result) -> Figure:
    """Draw `tau` as a grid for each stack, white where there is no agreement."""
    table = result.table("trust_heads")
    names = ("head", "stack", "layer", "index")
    coords: dict[str, Any] = {name: ("head", table[name].to_numpy()) for name in names}
    stacks = by_stack(xr.Dataset({"tau": ("head", table["tau"].to_numpy(float))}, coords))
    tall = [max(_CELL * shape_of(heads)[0], 0.35) for _, heads in stacks]
    figure = new_figure(SINGLE, sum(tall) + _AROUND * len(stacks) + 0.2)
    panels = figure.subplots(len(stacks), 1, squeeze=False, height_ratios=tall)[:, 0]
    limit = max(float(np.nanmax(np.abs(table["tau"]))), 0.05)
    norm = Normalize(-limit, limit)
    for axes, (stack, heads) in zip(panels, stacks, strict=True):
        draw_cells(axes, heads, heads["tau"].values, cmap=_COLOURS, norm=norm, linewidth=0.6)
        run_down(axes, heads)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
        axes.set_ylabel("layer")
    panels[-1].set_xlabel(HEAD_LABEL)
    add_bar(figure, ScalarMappable(norm, _COLOURS), panels, "tau", sum(tall))
    return figure
