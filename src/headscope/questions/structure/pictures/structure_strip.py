"""Every head at every checkpoint: how much closer it is to true parents than to those of other sentences."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.glyphs import readable
from headscope.drawing.steps import name_steps
from headscope.drawing.style import DOUBLE, SINGLE, TINY, new_figure
from headscope.results.result import Result

_ROW, _NAMED = 0.055, 40  # inches per head; so many heads have their names written
_SERIES = 4


def needs(result: Result) -> bool:
    """Whether there is more than one checkpoint."""
    structure = result.arrays.get("structure")
    return structure is not None and structure.sizes["checkpoint"] > 1


def draw(result: Result) -> Figure:
    """Draw `advantage` (checkpoint, head, target) of `structure`: swapped less true, a column per series."""
    gap = result.arrays["structure"]["advantage"].sel(target="parent").transpose("head", "checkpoint")
    series = list(dict.fromkeys(gap["series"].values.tolist()))[:_SERIES]
    height = min(max(1.6, _ROW * gap.sizes["head"]), 7.0)
    figure = new_figure(SINGLE if len(series) == 1 else DOUBLE, height + 0.8)
    panels = figure.subplots(1, len(series), squeeze=False, sharey=True)[0]
    # A few heads that look away from trees altogether would leave no colour for the rest.
    sizes = np.abs(gap.values[np.isfinite(gap.values)])
    edge = float(np.quantile(sizes, 0.98)) if sizes.any() else 1.0
    for axes, name in zip(panels, series, strict=True):
        mesh = _fill(axes, gap.isel(checkpoint=np.flatnonzero(gap["series"].values == name)), edge)
        axes.set_title(readable(name), loc="left")
    panels[0].set_ylabel("head")
    add_bar(figure, mesh, panels, "swapped less true, nats", height, extend="both")
    return figure


def _fill(axes: Axes, gap: xr.DataArray, edge: float) -> QuadMesh:
    heads, steps = gap.shape
    mesh = axes.pcolormesh(
        np.arange(steps + 1) - 0.5,
        np.arange(heads + 1) - 0.5,
        np.ma.masked_invalid(gap.values),
        cmap="PuOr_r",
        norm=TwoSlopeNorm(0.0, -edge, edge),
    )
    every = max(1, -(-heads // _NAMED))
    axes.set_yticks(
        range(0, heads, every), [readable(name) for name in gap["head"].values[::every]], fontsize=TINY
    )
    axes.set_ylim(heads - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    name_steps(axes, gap["checkpoint"].values, "checkpoint")
    return mesh
