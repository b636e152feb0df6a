"""A result's heads taken apart by stack, and arranged by layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from headscope.drawing.style import kind_symbol
from headscope.heads import STACKS
from headscope.results.result import Result

LAYER_LABEL = "layer (from 0)"


def has(result: Result, *names: str) -> bool:
    """Whether the result holds these measures of heads, each with at least one number."""
    heads = result.arrays.get("heads")
    return heads is not None and all(name in heads and _filled(heads[name]) for name in names)


def _filled(values: xr.DataArray) -> bool:
    return values.size > 0 and bool(values.notnull().any())


def by_stack(heads: xr.Dataset) -> list[tuple[str, xr.Dataset]]:
    """Part the heads by stack, in the order encoder, decoder, cross."""
    names = heads["stack"].values.astype(str)
    return [(stack, heads.isel(head=names == stack)) for stack in STACKS if (names == stack).any()]


def head_names(heads: xr.Dataset) -> np.ndarray:
    """What heads are known for, (head,); empty where nothing is."""
    if "name" not in heads:
        return np.full(heads.sizes["head"], "")
    return heads["name"].fillna("").values.astype(str)


def scatter_by_stack(
    axes: Axes,
    stacks: np.ndarray,
    places: np.ndarray,
    size: float,
    corner: Literal["upper left", "lower right"],
) -> None:
    """Draw a point per head at `places` (head, 2), a symbol per stack; corner: where the legend stands."""
    present = [stack for stack in STACKS if (stacks == stack).any()]
    for position, stack in enumerate(present):
        colour, marker = kind_symbol(position)
        x, y = places[stacks == stack].T
        style: dict[str, Any] = {"alpha": 0.6, "linewidths": 0, "zorder": 2}
        axes.scatter(x, y, s=size, color=colour, marker=marker, label=stack, **style)
    if len(present) > 1:
        axes.legend(loc=corner, handletextpad=0.1)


def by_layer(heads: xr.Dataset) -> Iterator[tuple[int, xr.Dataset]]:
    """Part one stack's heads by layer, lowest first."""
    layers = heads["layer"].values
    for layer in np.unique(layers):
        yield int(layer), heads.isel(head=layers == layer)


def layer_means(layers: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Average over the heads of each layer, leaving out NaN; shapes (head,), (head,) -> (layer,), (layer,).

    >>> layer_means(np.array([0, 0, 2]), np.array([1.0, 3.0, np.nan]))
    (array([0, 2]), array([ 2., nan]))
    """
    unique, place = np.unique(layers, return_inverse=True)
    known = np.isfinite(values)
    sums = np.bincount(place[known], values[known], len(unique))
    counts = np.bincount(place[known], minlength=len(unique))
    return unique, np.divide(sums, counts, out=np.full(len(unique), np.nan), where=counts > 0)


def set_layer_axis(axes: Axes, layers: np.ndarray) -> None:
    """Let the horizontal axis run over whole layers, with room for the outermost."""
    axes.set_xlim(float(layers.min()) - 0.6, float(layers.max()) + 0.6)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
