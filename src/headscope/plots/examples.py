"""Attention of a few heads on one text: lines between two columns of tokens (papers/004, figure 1)."""

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

_PANELS, _TOKENS, _SIGNS = 4, 15, 11
_LEFT, _RIGHT = 0.36, 0.64  # where lines start and end, as parts of a panel's width
_ROW = 0.135  # inches per token


def needs(result: Result) -> bool:
    """Whether the result holds example maps."""
    examples = result.arrays.get("examples")
    return examples is not None and examples.get("weights", xr.DataArray([])).size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads over the last tokens of the text."""
    examples = result.arrays["examples"].isel(example=slice(_PANELS))
    count, length = examples.sizes["example"], examples.sizes["query"]
    shown = min(length, _TOKENS)
    rows = shown + (length > shown)
    figure = new_figure(SINGLE if count <= 2 else DOUBLE, rows * _ROW + 0.75)
    panels = figure.subplots(1, count, squeeze=False)[0]
    tokens = [readable(token, _SIGNS) for token in examples["token"].values[-shown:]]
    for place, axes in enumerate(panels):
        one = examples.isel(example=place)
        weights = renormalise(one["weights"].values[-shown:, -shown:])
        _draw_lines(axes, weights)
        _write_tokens(axes, tokens, is_cut=length > shown)
        role = readable(str(one["role"].values)) if "role" in one.coords else ""
        axes.set_title(f"{one['head'].values!s}\n", fontsize=TEXT, fontweight="bold")
        axes.text(0.5, 1.015, role, transform=axes.transAxes, ha="center", va="bottom", fontsize=SMALL)
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
    filled = np.nan_to_num(weights)
    sums = filled.sum(axis=1, keepdims=True)
    return np.divide(filled, sums, out=np.zeros_like(filled), where=sums > 0)


def _draw_lines(axes: Axes, weights: np.ndarray) -> None:
    queries, keys = np.nonzero(weights > 0.005)  # fainter lines cannot be seen and would only fill the file
    ends = np.stack(
        [np.column_stack([np.full(len(queries), _LEFT), queries]), np.column_stack([np.full(len(keys), _RIGHT), keys])],
        axis=1,
    )
    colours = np.tile(to_rgba(kind_look(0).colour), (len(queries), 1))
    colours[:, 3] = np.clip(weights[queries, keys], 0.0, 1.0)
    axes.add_collection(LineCollection(list(ends), colors=colours, linewidths=1.1, capstyle="round"))


def _write_tokens(axes: Axes, tokens: list[str], is_cut: bool) -> None:
    rows = [(-1, "…")] if is_cut else []
    rows += list(enumerate(tokens))
    for row, token in rows:
        axes.text(_LEFT - 0.03, row, token, ha="right", va="center", fontsize=SMALL - 0.5)
        axes.text(_RIGHT + 0.03, row, token, ha="left", va="center", fontsize=SMALL - 0.5)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(len(tokens) - 0.5, rows[0][0] - 0.5)
    axes.set_axis_off()
