"""How layers change over runs, such as the checkpoints of one training: a line per layer."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.bars import add_layer_bar
from headscope.drawing.glyphs import measure_label
from headscope.drawing.steps import name_steps
from headscope.drawing.style import DOUBLE, SINGLE, layer_colours, new_figure
from headscope.heads import STACKS
from headscope.results.result import Result

_MEASURES = 5


def needs(result: Result) -> bool:
    """Whether the result follows a measure over runs."""
    curves = result.arrays.get("curves")
    return curves is not None and bool(curves["value"].notnull().any())


def draw(result: Result) -> Figure:
    """Draw `value` (run, layer, stack, measure): one row per measure, one column per stack."""
    values = result.arrays["curves"]["value"].transpose("measure", "stack", "layer", "run")
    values = values.dropna("measure", how="all").dropna("stack", how="all").dropna("layer", how="all")
    values = values.isel(measure=slice(_MEASURES))
    stacks = [stack for stack in STACKS if stack in values["stack"].values]
    rows = values.sizes["measure"]
    figure = new_figure(SINGLE if len(stacks) == 1 else DOUBLE, 1.45 * rows + 0.75)
    panels = figure.subplots(rows, len(stacks), squeeze=False, sharex=True, sharey="row")
    layers = values["layer"].values
    colours, norm = layer_colours(layers)
    for row, measure in enumerate(values["measure"].values):
        for column, stack in enumerate(stacks):
            axes = panels[row, column]
            _fill(axes, values.sel(measure=measure, stack=stack), [colours(norm(layer)) for layer in layers])
            axes.set_title(stack if len(stacks) > 1 and row == 0 else "", loc="left")
        panels[row, 0].set_ylabel(measure_label(measure))
    for axes in panels[-1]:
        name_steps(axes, values["run"].values, "run")
    add_layer_bar(figure, panels, layers, 1.45 * rows)
    return figure


def _fill(axes: Axes, values: xr.DataArray, colours: list[tuple[float, ...]]) -> None:
    places = np.arange(values.sizes["run"])
    for layer, colour in zip(values["layer"].values, colours, strict=True):
        line = values.sel(layer=layer).values
        if np.isfinite(line).any():
            axes.plot(
                places, line, color=colour, marker="o", markersize=2.5, linewidth=1.0, label=f"layer {layer}"
            )
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
