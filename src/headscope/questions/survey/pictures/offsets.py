"""How far heads look, beside even attention: one small heat map of heads and distances per layer."""

from __future__ import annotations

from typing import NamedTuple

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, LogNorm, Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar, ends_beyond
from headscope.drawing.cells import HEAD_LABEL, shape_of
from headscope.drawing.stacks import by_layer, by_stack, has
from headscope.drawing.style import DOUBLE, EMPTY, FAINT, SINGLE, SMALL, TALLEST, new_figure
from headscope.results.result import Result

_GAP = 1.5  # empty columns between two tiles
_TITLE = 0.16  # inches above a tile for its name
# Brown below even attention, paler than the green above it: what is looked at shall be seen first.
_COLOURS = ListedColormap(
    matplotlib.colormaps["BrBG"](np.concatenate([np.linspace(0.3, 0.5, 128), np.linspace(0.5, 1.0, 128)])),
).with_extremes(bad=EMPTY)
_STEPS = (2, 4, 8, 16, 32, 64, 128)  # times even attention, of which one is the end of the scale


class Tiles(NamedTuple):
    """How tiles are laid out on one pair of axes, in units of cells."""

    across: int
    down: int
    heads: int
    distances: np.ndarray
    gap: float

    def corner(self, place: int) -> tuple[float, float]:
        """The left upper corner of the n-th tile."""
        row, column = divmod(place, self.across)
        return column * (len(self.distances) + _GAP), row * (self.heads + self.gap)


def needs(result: Result) -> bool:
    """Whether the result holds mean attention per distance, and what even attention gives there."""
    if not has(result, "offset", "offset_uniform"):
        return False
    return bool(_ratio(_seen_distances(result.arrays["heads"])).notnull().any())


def draw(result: Result) -> Figure:
    """Draw `offset` (head, distance) over `offset_uniform`, in colours of its logarithm: white is even.

    Negative distances lie before the token, 0 is the token itself. Where the first token is a sink of a head,
    the same of what is not on that, if anything is: `offset_behind` over `offset_behind_uniform`.
    """
    heads = _seen_distances(result.arrays["heads"])
    heads = heads.assign(ratio=_ratio(heads))
    stacks = [(stack, own) for stack, own in by_stack(heads) if own["ratio"].notnull().any()]
    layers = [(stack, layer, tile) for stack, own in stacks for layer, tile in by_layer(own)]
    across = _tiles_across(len(layers))
    down, most = -(-len(layers) // across), shape_of(heads)[1]
    tall = min(max(0.4, 0.075 * most), 1.4, (TALLEST - 0.6) / down - _TITLE)
    tiles = Tiles(across, down, most, heads["distance"].values, _TITLE * most / tall)
    figure = new_figure(SINGLE if across <= 2 else DOUBLE, max((tall + _TITLE) * down + 0.65, 1.6))
    axes = figure.subplots()
    norm, ticks, ends = _scale(heads["ratio"].values)
    for place, (stack, layer, tile) in enumerate(layers):
        name = f"{stack} {layer}" if len(stacks) > 1 else f"layer {layer}"
        _draw_tile(axes, tile, tiles, tiles.corner(place), name, norm)
    _number(axes, tiles, len(layers))
    shown = ScalarMappable(norm, _COLOURS)
    bar = add_bar(figure, shown, axes, "times even attention", figure.get_figheight() - 0.65, ticks, ends)
    bar.ax.set_yticks(ticks, [f"1/{1 / tick:g}" if tick < 1 else f"{tick:g}" for tick in ticks])
    sinks = int(_told_behind(heads).sum())
    if sinks:
        note = f"{sinks} of {heads.sizes['head']} heads: without the first token, a sink of theirs"
        figure.supxlabel(note, fontsize=SMALL, color=FAINT, x=0.01, ha="left")
    return figure


def _told_behind(heads: xr.Dataset) -> xr.DataArray:
    """Heads whose first token is a sink, where they leave something to tell of outside of it, (head,)."""
    if "first_is_sink" not in heads or "offset_behind" not in heads:
        return xr.zeros_like(heads["layer"], bool)
    return heads["first_is_sink"].astype(bool) & heads["offset_behind"].notnull().any("distance")


def _ratio(heads: xr.Dataset) -> xr.DataArray:
    """Attention at each distance over what is even, (head, distance); nothing where nothing can be there."""
    share, even = heads["offset"], heads["offset_uniform"]
    behind = _told_behind(heads)
    if behind.any():
        share = share.where(~behind, heads["offset_behind"])
        even = even.where(~behind, heads["offset_behind_uniform"])
    return share.where(even > 0) / even.where(even > 0)


def _scale(ratio: np.ndarray) -> tuple[Normalize, list[float], str]:
    """The same way up as down from even attention; its ticks, and at which ends there is more."""
    known = ratio[np.isfinite(ratio)]
    most = max(float(known.max(initial=0.0)), 1.0)
    end = next((step for step in _STEPS if step >= most), _STEPS[-1])
    steps = [float(step) for step in _STEPS if step <= end]
    ticks = [*(1 / step for step in reversed(steps)), 1.0, *steps]
    return LogNorm(1 / end, end), ticks, ends_beyond(known, 1 / end, end)


def _seen_distances(heads: xr.Dataset) -> xr.Dataset:
    """Leave out what a causal model cannot see."""
    return heads.sel(distance=heads["distance"] <= 0) if int(heads.attrs.get("causal", 0)) else heads


def _tiles_across(count: int) -> int:
    if count <= 2:
        return count
    return min(6, -(-count // 2)) if count <= 36 else 10


def _draw_tile(
    axes: Axes, heads: xr.Dataset, tiles: Tiles, corner: tuple[float, float], name: str, norm: Normalize
) -> None:
    cells = np.full((tiles.heads, len(tiles.distances)), np.nan)
    cells[heads["index"].values] = np.maximum(
        heads["ratio"].values, norm.vmin or 0.0
    )  # no logarithm of nothing
    left, top = corner
    extent = (left, left + cells.shape[1], top + tiles.heads, top)
    axes.imshow(cells, cmap=_COLOURS, norm=norm, aspect="auto", extent=extent, label=name)
    axes.annotate(name, (left, top), (0, 2), textcoords="offset points", fontsize=SMALL - 1)


def _number(axes: Axes, tiles: Tiles, count: int) -> None:
    """Number the distances below each column of tiles, and the heads beside each row."""
    marks = [-5, 0, 5] if tiles.distances.max() > 0 else [-6, -3, 0]
    marks = [mark for mark in marks if mark in tiles.distances]
    columns = [tiles.corner(column)[0] + 0.5 for column in range(min(tiles.across, count))]
    places = [left + mark - tiles.distances[0] for left in columns for mark in marks]
    axes.set_xticks(places, [str(mark) for mark in marks] * len(columns))
    heads = sorted({0, tiles.heads - 1})
    rows = [tiles.corner(row * tiles.across)[1] + 0.5 for row in range(tiles.down)]
    axes.set_yticks([top + head for top in rows for head in heads], [str(head) for head in heads] * len(rows))
    axes.set_xlim(0, tiles.corner(tiles.across - 1)[0] + len(tiles.distances))
    axes.set_ylim(tiles.corner((tiles.down - 1) * tiles.across)[1] + tiles.heads, 0)
    axes.spines[:].set_visible(False)
    axes.tick_params(labelsize=SMALL - 1, length=1.5)
    axes.set_xlabel("distance from the token (negative: before it)")
    axes.set_ylabel(HEAD_LABEL)
