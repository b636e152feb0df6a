"""Attention of a few heads on one text: lines between two columns of tokens (Clark et al. 2019, figure 1)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.columns import PALE, ROW, draw_lines, leave_room, write_tokens
from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, SMALL, TEXT, kind_symbol, new_figure
from headscope.results.result import Result
from headscope.results.rows import SCANT_TOLD, is_scant, renormalise, share_left

_PANELS, _TOKENS, _SIGNS = 4, 15, 10


def needs(result: Result) -> bool:
    """Whether the result holds example maps."""
    examples = result.arrays.get("examples")
    return examples is not None and "weights" in examples and examples["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads over the last tokens of the text; rows of
    which little is left are pale."""
    examples = result.arrays["examples"].isel(example=slice(_PANELS))
    count, length = examples.sizes["example"], examples.sizes["query"]
    shown = min(length, _TOKENS)
    figure = new_figure(SINGLE if count <= 2 else DOUBLE, (shown + (length > shown)) * ROW + 0.75)
    panels = figure.subplots(1, count, squeeze=False)[0]
    scant = is_scant(share_left(examples["weights"].values[:, -shown:], np.arange(length - shown, length)))
    tokens = [readable(token, _SIGNS) for token in examples["token"].values[-shown:]]
    for axes, weights, is_pale in zip(panels, examples["weights"].values, scant, strict=True):
        rescaled = renormalise(weights[-shown:, -shown:])
        for colour, wanted in ((PALE, is_pale), (kind_symbol(0).colour, ~is_pale)):
            draw_lines(axes, np.where(wanted[:, None], rescaled, 0.0), colour)
        inks = np.where(is_pale, FAINT, INK)
        left, right = ([*zip(tokens, colours, strict=True)] for colours in (inks, [INK] * shown))
        write_tokens(axes, left, right, is_cut=length > shown)
    # Before titles are written, so that tokens alone are measured.
    leave_room(panels, figure.get_figwidth() / count - 0.1)
    for place, axes in enumerate(panels):
        _write_title(axes, examples.isel(example=place))
    if length > shown:
        note = f"Last {shown} of {length} tokens; weights rescaled to sum to 1 over these."
        note += f"\n{SCANT_TOLD}" if scant.any() else ""
        figure.supxlabel(note, fontsize=SMALL, color=FAINT)
    return figure


def _write_title(axes: Axes, example: xr.Dataset) -> None:
    """Write the head's name and, where it is known, its role below."""
    axes.set_title(f"{readable(example['head'].values)}\n", fontsize=TEXT, fontweight="bold")
    if "role" in example:
        role = readable(example["role"].values)
        axes.text(0.5, 1.015, role, transform=axes.transAxes, ha="center", va="bottom", fontsize=SMALL)
