"""One text through a few heads: a square of cells for each, queries down, keys across."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import StrMethodFormatter

from headscope.drawing.bars import add_bar
from headscope.drawing.style import (
    BY_MODEL,
    DOUBLE,
    FAINT,
    GREY,
    HEAT,
    SINGLE,
    SMALL,
    TALLEST,
    TINY,
    new_figure,
)
from headscope.questions.show.pictures.shown_maps import DECADES, ShownMaps, has_maps, shown_maps
from headscope.results.result import Result

_SIGNS, _FEW = 12, 14
_CELL, _LETTER = 0.088, 0.047  # inches that the line of a token and one of its letters need
_BAR, _TITLE, _GAP = 0.75, 0.25, 0.1  # inches for the bar, a head's name, and between tokens and cells
_FOOT = 0.25


def needs(result: Result) -> bool:
    """Whether the result holds maps of one text."""
    return has_maps(result)


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads in one scale of colours; rows of which little
    is left are grey."""
    maps = shown_maps(result, _SIGNS)
    count = len(maps.heads)
    across = min(count, 2)
    down = -(-count // across)
    width = SINGLE if count == 1 and maps.longest <= _FEW else DOUBLE
    left, below = _room(maps.queries), _room(maps.keys) + _TITLE
    wide = (width - _BAR) / across - left
    foot = _FOOT * (2 if maps.scant.any() else 1)
    cell = min(wide / len(maps.keys), ((TALLEST - foot) / down - below) / len(maps.queries))
    maps.check_room(int(maps.longest * cell / _CELL))
    figure = new_figure(width, (cell * len(maps.queries) + below) * down + foot)
    panels = figure.subplots(down, across, squeeze=False)
    top = maps.strongest or 1.0
    norm = LogNorm(top / 10**DECADES, top, clip=True) if maps.log else Normalize(0.0, top)
    for axes, head, weights, scant in zip(panels.flat, maps.heads, maps.weights, maps.scant, strict=False):
        image = _fill(axes, maps, weights, norm, scant)
        axes.set_title(head, fontweight="bold")
    sides = ("from (target)", "to (source)") if maps.cross else ("from", "to")
    figure.supylabel(sides[0], fontsize=SMALL, color=FAINT)
    figure.supxlabel("\n".join([sides[1], *maps.says_below]), fontsize=SMALL, color=FAINT)
    for axes in panels.flat[count:]:
        axes.set_axis_off()
    label, end = ("attention (log scale)", "min") if maps.log else ("attention", "neither")
    add_bar(figure, image, panels, label, figure.get_figheight() - 0.5, extend=end)
    assert image.colorbar is not None
    image.colorbar.ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    return figure


def _room(tokens: list[str]) -> float:
    """Inches for tokens beside the cells."""
    return _GAP + _LETTER * max(map(len, tokens))


def _fill(axes: Axes, maps: ShownMaps, weights: np.ndarray, norm: Normalize, scant: np.ndarray) -> AxesImage:
    image = axes.imshow(weights, cmap=HEAT, norm=norm)
    if scant.any():
        axes.imshow(
            np.ma.masked_array(weights, np.tile(~scant[:, None], weights.shape[1])), cmap=GREY, norm=norm
        )
    axes.set_xticks(range(len(maps.keys)), maps.keys, rotation=90)
    axes.set_yticks(range(len(maps.queries)), maps.queries)
    for axis, own in zip((axes.yaxis, axes.xaxis), maps.inks_with(scant), strict=True):
        for label, ink in zip(axis.get_ticklabels(), own, strict=True):
            label.set(fontsize=TINY, color=ink, fontstyle="italic" if ink == BY_MODEL else "normal")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, pad=2)
    return image
