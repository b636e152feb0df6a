"""Attention of a few heads on one text: lines between two columns of tokens (Clark et al. 2019, figure 1)."""

from __future__ import annotations

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.columns import ROW, draw_lines, leave_room, write_tokens
from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, SMALL, TEXT, kind_symbol, new_figure
from headscope.results.look import renormalise
from headscope.results.result import Result

_PANELS, _TOKENS, _SIGNS = 4, 15, 10


def needs(result: Result) -> bool:
    """Whether the result holds example maps."""
    examples = result.arrays.get("examples")
    return examples is not None and "weights" in examples and examples["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads over the last tokens of the text."""
    examples = result.arrays["examples"].isel(example=slice(_PANELS))
    count, length = examples.sizes["example"], examples.sizes["query"]
    shown = min(length, _TOKENS)
    figure = new_figure(SINGLE if count <= 2 else DOUBLE, (shown + (length > shown)) * ROW + 0.75)
    panels = figure.subplots(1, count, squeeze=False)[0]
    tokens = [(readable(token, _SIGNS), INK) for token in examples["token"].values[-shown:]]
    for axes, weights in zip(panels, examples["weights"].values, strict=True):
        draw_lines(axes, renormalise(weights[-shown:, -shown:]), kind_symbol(0).colour)
        write_tokens(axes, tokens, tokens, is_cut=length > shown)
    # Before titles are written, so that tokens alone are measured.
    leave_room(panels, figure.get_figwidth() / count - 0.1)
    for place, axes in enumerate(panels):
        _write_title(axes, examples.isel(example=place))
    if length > shown:
        note = f"Last {shown} of {length} tokens; weights rescaled to sum to 1 over these."
        figure.supxlabel(note, fontsize=SMALL, color=FAINT)
    return figure


def _write_title(axes: Axes, example: xr.Dataset) -> None:
    """Write the head's name and, where it is known, its role below."""
    axes.set_title(f"{readable(example['head'].values)}\n", fontsize=TEXT, fontweight="bold")
    if "role" in example:
        role = readable(example["role"].values)
        axes.text(0.5, 1.015, role, transform=axes.transAxes, ha="center", va="bottom", fontsize=SMALL)
