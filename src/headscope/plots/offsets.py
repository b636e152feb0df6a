"""How far heads look: one small heat map of heads and distances per layer."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from headscope.plots.bars import add_bar
from headscope.plots.stacks import by_layer, by_stack, has
from headscope.plots.style import DOUBLE, EMPTY, HEAT, SINGLE, SMALL, TALLEST, new_figure
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether the result holds mean attention per distance."""
    return has(result, "offset")


def draw(result: Result) -> Figure:
    """Draw `offset` (head, distance): negative distances lie before the token, 0 is the token itself."""
    heads = _seen_distances(result.arrays["heads"])
    tiles = [(stack, layer, part) for stack, whole in by_stack(heads) for layer, part in by_layer(whole)]
    several = len({stack for stack, _, _ in tiles}) > 1
    across = _tiles_across(len(tiles))
    down = -(-len(tiles) // across)
    most = int(heads["index"].max()) + 1
    height = min(max(0.45, 0.075 * most), 1.4) + 0.2
    figure = new_figure(SINGLE if across <= 2 else DOUBLE, min(height * down + 0.6, TALLEST))
    panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    top = float(np.nanmax(heads["offset"].values))
    for axes, (stack, layer, part) in zip(panels.flat, tiles, strict=False):
        image = _fill(axes, part, most, top)
        name = f"{stack} {layer}" if several else f"layer {layer}"
        axes.set_title(name, loc="left", fontsize=SMALL - 1, pad=2)
    _trim(panels, len(tiles))
    figure.supxlabel("distance from the token (negative: before it)")
    figure.supylabel("head (from 0)")
    add_bar(figure, image, panels, "mean attention")
    return figure


def _seen_distances(heads: xr.Dataset) -> xr.Dataset:
    """Leave out what a causal model cannot see."""
    if int(heads.attrs.get("causal", 0)):
        heads = heads.sel(distance=heads["distance"] <= 0)
    return heads


def _tiles_across(count: int) -> int:
    if count <= 2:
        return count
    return min(6, -(-count // 2)) if count <= 30 else 10


def _fill(axes: Axes, heads: xr.Dataset, most: int, top: float) -> AxesImage:
    distances = heads["distance"].values
    cells = np.full((most, len(distances)), np.nan)
    cells[heads["index"].values] = heads["offset"].values
    axes.set_facecolor(EMPTY)
    edges = (float(distances.min()) - 0.5, float(distances.max()) + 0.5, most - 0.5, -0.5)
    image = axes.imshow(cells, cmap=HEAT, vmin=0.0, vmax=top or 1.0, aspect="auto", extent=edges)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True, min_n_ticks=1))
    axes.spines[:].set_visible(False)
    axes.tick_params(labelsize=SMALL - 1, length=1.5)
    return image


def _trim(panels: np.ndarray, used: int) -> None:
    """Hide the places left over in the last row, and number the axis of those above them."""
    across = panels.shape[1]
    for place, axes in enumerate(panels.flat):
        axes.set_visible(place < used)
        if place < used <= place + across:
            axes.tick_params(labelbottom=True)
