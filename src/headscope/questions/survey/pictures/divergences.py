"""How differently each two heads look: a matrix of heads, ordered by layer."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from headscope.drawing.bars import add_bar
from headscope.drawing.stacks import LAYER_LABEL, by_stack, has
from headscope.drawing.style import DOUBLE, HEAT, SINGLE, new_figure
from headscope.results.result import Result

_MOST_TICKS = 12
_MOST_LINES = 40


def needs(result: Result) -> bool:
    """Whether the result holds divergences between heads."""
    return has(result, "divergence")


def draw(result: Result) -> Figure:
    """Draw `divergence` (head, other), in nats, one square per stack."""
    heads = result.arrays["heads"]
    stacks = by_stack(heads)
    width = SINGLE if len(stacks) == 1 else DOUBLE
    figure = new_figure(width, (width - 0.9) / len(stacks) + 0.55)
    panels = figure.subplots(1, len(stacks), squeeze=False)[0]
    top = float(np.nanmax(heads["divergence"].values)) or 1.0
    for axes, (stack, own) in zip(panels, stacks, strict=True):
        image = _fill(axes, own, top, 2 if len(stacks) > 1 else 1)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
    panels[0].set_ylabel(LAYER_LABEL)
    label = "Jensen-Shannon divergence (nats)" if len(stacks) == 1 else "divergence (nats)"
    add_bar(figure, image, panels, label, figure.get_figheight() - 0.5)
    return figure


def _fill(axes: Axes, heads: xr.Dataset, top: float, thinner: int) -> AxesImage:
    order = np.lexsort((heads["index"].values, heads["layer"].values))
    names = heads["head"].values[order]
    cells = heads["divergence"].sel(head=names, other=names).values
    image = axes.imshow(cells, cmap=HEAT, vmin=0.0, vmax=top)
    layers, starts = np.unique(heads["layer"].values[order], return_index=True)
    if len(layers) <= _MOST_LINES:
        for start in starts[1:]:
            axes.axhline(start - 0.5, color="white", linewidth=0.4)
            axes.axvline(start - 0.5, color="white", linewidth=0.4)
    ends = np.append(starts[1:], len(order))
    step = -(-len(layers) * thinner // _MOST_TICKS)
    centres = ((starts + ends - 1) / 2)[::step]
    axes.set_xticks(centres, [str(layer) for layer in layers[::step]])
    axes.set_yticks(centres, [str(layer) for layer in layers[::step]])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xlabel(LAYER_LABEL)
    return image
