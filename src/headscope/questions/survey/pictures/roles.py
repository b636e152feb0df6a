"""What each head does: a grid of layers and heads, coloured by role."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from headscope.drawing.cells import HEAD_LABEL, HIGHEST, ONE_COLUMN, draw_cells, fits, run_down, shape_of
from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend
from headscope.drawing.naming import write_in_cells
from headscope.drawing.stacks import LAYER_LABEL, by_stack, has, head_names
from headscope.drawing.style import DOUBLE, SINGLE, TINY, Symbol, ink_on, new_figure, role_symbols
from headscope.results.result import Result

_NAMED = 0.36  # inches: a cell's height where names stand in it


def needs(result: Result) -> bool:
    """Whether the result names a role for each head."""
    return has(result, "role")


def draw(result: Result) -> Figure:
    """Draw `role` (head,) as colours and, where cells are large enough, `role_score` (head,) as numbers.

    `name` (head,), if given and not empty, is what a head knows, and stands in its cell.
    """
    heads = result.arrays["heads"]
    stacks = by_stack(heads)
    symbols = role_symbols(heads["role"].values.astype(str))
    across = [shape_of(own)[1] for _, own in stacks]
    rows, _ = shape_of(heads)
    is_named = bool((head_names(heads) != "").any())
    width = SINGLE if len(stacks) == 1 and across[0] <= ONE_COLUMN and not is_named else DOUBLE
    patches = [Patch(color=symbol.colour, label=readable(role)) for role, symbol in symbols.items()]
    legend = Legend(patches, width - 0.1)
    frame = 0.75 + 0.16 * legend.rows
    figure = new_figure(width, frame + max((_NAMED if is_named else HIGHEST) * rows, 0.5))
    cell = ((width - 0.45 * len(stacks)) / sum(across), (figure.get_figheight() - frame) / rows)
    has_numbers = "role_score" in heads and fits(cell, len("1.00"))
    panels = figure.subplots(1, len(stacks), squeeze=False, sharey=True, width_ratios=across)[0]
    for axes, (stack, own) in zip(panels, stacks, strict=True):
        _fill(axes, own, symbols)
        moved = write_in_cells(axes, own, cell, has_numbers)
        if has_numbers:
            _write_scores(axes, own, symbols, moved)
        axes.set_title(stack if len(stacks) > 1 else "", loc="left")
        axes.set_xlabel(HEAD_LABEL)
    panels[0].set_ylabel(LAYER_LABEL)
    run_down(panels[0], heads)
    legend.add_to(figure, handlelength=1.0)
    return figure


def _fill(axes: Axes, heads: xr.Dataset, symbols: dict[str, Symbol]) -> None:
    numbers = {role: code for code, role in enumerate(symbols)}
    codes = np.array([numbers[role] for role in heads["role"].values.astype(str)])
    colours = ListedColormap([symbol.colour for symbol in symbols.values()])
    draw_cells(axes, heads, codes, cmap=colours, vmin=-0.5, vmax=len(symbols) - 0.5, linewidth=0.6)


def _write_scores(axes: Axes, heads: xr.Dataset, symbols: dict[str, Symbol], moved: np.ndarray) -> None:
    """Write each head's score, `moved` (head,) cells below the middle."""
    columns = [heads[name].values for name in ("layer", "index", "role_score", "role")]
    for layer, index, score, role, down in zip(*columns, moved, strict=True):
        if np.isfinite(score):
            ink = ink_on(symbols[str(role)].colour)
            text = f"{score:.2f}".replace("0.", ".", 1)
            axes.text(index, layer + down, text, ha="center", va="center", fontsize=TINY, color=ink)
