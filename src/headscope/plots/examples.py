"""Attention of a few heads on one text: lines between two columns of tokens (Clark et al. 2019, figure 1)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from headscope.plots.glyphs import readable
from headscope.plots.style import DOUBLE, FAINT, SINGLE, SMALL, TEXT, kind_look, new_figure
from headscope.results.result import Result

_PANELS, _TOKENS, _SIGNS = 4, 15, 10
_SIZE = SMALL - 0.5
_ROW, _LETTER = 0.135, 0.62 * _SIZE / 72  # inches: a token's row, a letter's width


def needs(result: Result) -> bool:
    """Whether the result holds example maps."""
    examples = result.arrays.get("examples")
    return examples is not None and "weights" in examples and examples["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads over the last tokens of the text."""
    examples = result.arrays["examples"].isel(example=slice(_PANELS))
    count, length = examples.sizes["example"], examples.sizes["query"]
    shown = min(length, _TOKENS)
    figure = new_figure(SINGLE if count <= 2 else DOUBLE, (shown + (length > shown)) * _ROW + 0.75)
    panels = figure.subplots(1, count, squeeze=False)[0]
    tokens = [readable(token, _SIGNS) for token in examples["token"].values[-shown:]]
    margin = _LETTER * (max(map(len, tokens)) + 1.5) / (figure.get_figwidth() / count - 0.1)
    for place, axes in enumerate(panels):
        one = examples.isel(example=place)
        _draw_lines(axes, renormalise(one["weights"].values[-shown:, -shown:]))
        _write_tokens(axes, tokens, is_cut=length > shown)
        _write_title(axes, one)
        room = min(margin, 0.42)
        axes.set_xlim(-room / (1 - 2 * room), 1 + room / (1 - 2 * room))
    if length > shown:
        note = f"Last {shown} of {length} tokens; weights rescaled to sum to 1 over these."
        figure.supxlabel(note, fontsize=SMALL, color=FAINT)
    return figure


def renormalise(weights: np.ndarray) -> np.ndarray:
    """Let each row (query, key) sum to 1 again; rows without any weight stay 0, NaN counts as 0.

    >>> renormalise(np.array([[0.1, 0.3], [0.0, np.nan]]))
    array([[0.25, 0.75],
           [0.  , 0.  ]])
    """
    filled: np.ndarray = np.nan_to_num(weights)
    sums = filled.sum(axis=1, keepdims=True)
    filled /= np.where(sums > 0, sums, 1.0)
    return filled


def _draw_lines(axes: Axes, weights: np.ndarray) -> None:
    """Draw from the query at 0 to the key at 1, the darker the more weight."""
    queries, keys = np.nonzero(weights > 0.005)  # fainter lines cannot be seen and would only fill the file
    starts = np.column_stack([np.zeros(len(queries)), queries])
    ends = np.column_stack([np.ones(len(keys)), keys])
    colours = np.tile(to_rgba(kind_look(0).colour), (len(queries), 1))
    colours[:, 3] = np.clip(weights[queries, keys], 0.0, 1.0)
    lines = list(np.stack([starts, ends], axis=1))
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=1.1, capstyle="round"))


def _write_tokens(axes: Axes, tokens: list[str], is_cut: bool) -> None:
    rows = ([(-1, "…")] if is_cut else []) + list(enumerate(tokens))
    for row, token in rows:
        for end, side, gap in ((0.0, "right", -4), (1.0, "left", 4)):
            axes.annotate(
                token, (end, row), (gap, 0), textcoords="offset points", ha=side, va="center", fontsize=_SIZE
            )
    axes.set_ylim(len(tokens) - 0.5, rows[0][0] - 0.5)
    axes.set_axis_off()


def _write_title(axes: Axes, one: xr.Dataset) -> None:
    """Write the head's name and, where it is known, its role below."""
    axes.set_title(f"{readable(one['head'].values)}\n", fontsize=TEXT, fontweight="bold")
    if "role" in one:
        role = readable(one["role"].values)
        axes.text(0.5, 1.015, role, transform=axes.transAxes, ha="center", va="bottom", fontsize=SMALL)
