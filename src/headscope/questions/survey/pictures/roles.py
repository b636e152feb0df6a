"""What each head does: a grid of layers and heads, coloured by role."""

from __future__ import annotations

from typing import Any

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
from headscope.drawing.style import (
    DOUBLE,
    FAINT,
    SINGLE,
    SMALL,
    TINY,
    Symbol,
    ink_on,
    new_figure,
    role_symbols,
)
from headscope.results.result import Result
from headscope.results.vocabulary import (
    BROAD,
    COPY_SUPPRESSION,
    COPYING,
    COREFERENCE,
    FIRST_BY_LENGTH,
    KEYWORDS,
    RETRIEVAL,
    STREAMING,
    SYNTAX,
)

_NAMED = 0.36  # inches: a cell's height where names stand in it
_NOT_SHARES = {
    BROAD: "entropy over that of even attention",
    COPYING: "direct effect",
    COPY_SUPPRESSION: "direct effect",
    FIRST_BY_LENGTH: "share of what is taken",
    STREAMING: "below even attention",
    SYNTAX: "accuracy",
    COREFERENCE: "accuracy",
    KEYWORDS: "score",
    RETRIEVAL: "share of a secret",
}
"""What the scores of roles are that are no shares of attention."""


def needs(result: Result) -> bool:
    """Whether the result names a role for each head."""
    return has(result, "role")


def draw(result: Result) -> Figure:
    """Draw `role` (head,) as colours and, where cells are large enough, `role_score` (head,) as numbers.

    A share of attention is in percent, another score a decimal in italics.

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
    foot = _foot(symbols)
    frame = 0.75 + 0.16 * (legend.rows + len(foot))
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
    if has_numbers:
        figure.supxlabel("\n".join(foot), fontsize=SMALL, color=FAINT, x=0.01, ha="left")
    return figure


def _foot(symbols: dict[str, Symbol]) -> list[str]:
    """What the numbers are, a line each."""
    says: dict[str, list[str]] = {}
    for role in symbols:
        if role in _NOT_SHARES:
            says.setdefault(_NOT_SHARES[role], []).append(readable(role))
    return ["numbers: % of attention", *(f".00, {', '.join(roles)}: {what}" for what, roles in says.items())]


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
            is_share = str(role) not in _NOT_SHARES
            text = f"{100 * score:.0f}" if is_share else f"{score:.2f}".replace("0.", ".", 1)
            style: dict[str, Any] = {"fontsize": TINY, "fontstyle": "normal" if is_share else "italic"}
            axes.text(index, layer + down, text, ha="center", va="center", color=ink, **style)
