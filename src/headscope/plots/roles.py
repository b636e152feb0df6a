"""What each head does: a grid of layers and heads, coloured by role."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from headscope.plots.glyphs import readable
from headscope.plots.stacks import LAYER_LABEL, by_stack, has
from headscope.plots.style import DOUBLE, INK, SINGLE, TINY, Look, legend_columns, new_figure, role_looks
from headscope.results.result import Result

_ONE_COLUMN = 12  # heads beside each other that still fit into a paper's column
_HIGHEST, _FOR_TEXT = 0.22, (0.2, 0.11)  # inches: a cell's height; the smallest cell that can hold a number


def needs(result: Result) -> bool:
    """Whether the result names a role for each head."""
    return has(result, "role")


def draw(result: Result) -> Figure:
    """Draw `role` (head,) as colours and, where cells are large enough, `role_score` (head,) as numbers."""
    heads = result.arrays["heads"]
    stacks = by_stack(heads)
    looks = role_looks(heads["role"].values.astype(str))
    across = [int(part["index"].max()) + 1 for _, part in stacks]
    rows = int(heads["layer"].max()) - int(heads["layer"].min()) + 1
    width = SINGLE if len(stacks) == 1 and across[0] <= _ONE_COLUMN else DOUBLE
    columns = legend_columns(list(looks), width - 0.1)
    frame = 0.75 + 0.16 * -(-len(looks) // columns)
    figure = new_figure(width, max(frame + _HIGHEST * rows, frame + 0.5))
    cell = ((width - 0.45 * len(stacks)) / sum(across), (figure.get_figheight() - frame) / rows)
    panels = figure.subplots(1, len(stacks), squeeze=False, sharey=True, width_ratios=across)[0]
    for axes, (stack, part) in zip(panels, stacks, strict=True):
        _fill(axes, part, looks)
        if cell[0] >= _FOR_TEXT[0] and cell[1] >= _FOR_TEXT[1] and "role_score" in heads:
            _write_scores(axes, part, looks)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
        axes.set_xlabel("head (from 0)")
    panels[0].set_ylabel(LAYER_LABEL)
    panels[0].set_ylim(int(heads["layer"].max()) + 0.5, int(heads["layer"].min()) - 0.5)
    patches = [Patch(color=look.colour) for look in looks.values()]
    labels = [readable(role) for role in looks]
    figure.legend(patches, labels, loc="outside upper left", ncols=columns, handlelength=1.0)
    return figure


def _fill(axes: Axes, heads: xr.Dataset, looks: dict[str, Look]) -> None:
    first, last = int(heads["layer"].min()), int(heads["layer"].max())
    codes = np.full((last - first + 1, int(heads["index"].max()) + 1), np.nan)
    numbers = {role: code for code, role in enumerate(looks)}
    roles = heads["role"].values.astype(str)
    codes[heads["layer"].values - first, heads["index"].values] = [numbers[role] for role in roles]
    colours = ListedColormap([look.colour for look in looks.values()])
    axes.pcolormesh(
        np.arange(codes.shape[1] + 1) - 0.5,
        np.arange(first, last + 2) - 0.5,
        np.ma.masked_invalid(codes),
        cmap=colours,
        vmin=-0.5,
        vmax=len(looks) - 0.5,
        edgecolors="white",
        linewidth=0.6,
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=12, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _write_scores(axes: Axes, heads: xr.Dataset, looks: dict[str, Look]) -> None:
    columns = [heads[name].values for name in ("layer", "index", "role_score", "role")]
    for layer, index, score, role in zip(*columns, strict=True):
        if np.isfinite(score):
            ink = _ink_on(looks[str(role)].colour)
            text = f"{score:.2f}".replace("0.", ".", 1)
            axes.text(index, layer, text, ha="center", va="center", fontsize=TINY, color=ink)


def _ink_on(colour: str) -> str:
    """Dark letters on light cells, white ones on dark cells."""
    brightness = float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))
    return INK if brightness > 0.5 else "white"
