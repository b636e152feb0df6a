"""One text through a few heads: lines between two columns of tokens, as dark as the weight."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.columns import PALE, ROW, draw_lines, leave_room, write_tokens
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, SMALL, TEXT, kind_symbol, new_figure
from headscope.questions.show.pictures.shown_maps import DECADES, ShownMaps, has_maps, shown_maps
from headscope.results.result import Result

_TOKENS, _TITLE, _FOOT = 60, 0.45, 0.2  # the title, and a line below, in inches
_SIGNS = {1: 16, 2: 16, 3: 12, 4: 10}  # of a token, by the number of heads


def needs(result: Result) -> bool:
    """Whether the result holds maps of one text."""
    return has_maps(result)


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) of up to four heads; what concerns special tokens is pale, and so
    are rows of which little is left."""
    count = result.arrays["maps"].sizes["example"]
    maps = shown_maps(result, _SIGNS[count])
    maps.check_room(_TOKENS)
    says = maps.says_below
    foot = _FOOT * len(says)
    figure = new_figure(SINGLE if count == 1 else DOUBLE, maps.longest * ROW + _TITLE + foot)
    panels = figure.subplots(1, count, squeeze=False)[0]
    for axes, weights, scant in zip(panels, maps.weights, maps.scant, strict=True):
        _draw_panel(axes, maps, weights, maps.special_queries | scant)
    # Before titles are written, so that tokens alone are measured.
    leave_room(panels, figure.get_figwidth() / count - 0.1)
    for axes, head in zip(panels, maps.heads, strict=True):
        axes.set_title(head, fontsize=TEXT, fontweight="bold", pad=14 if maps.cross else 4)
        if maps.cross:
            _name_sides(axes)
    if says:
        figure.supxlabel("\n".join(says), fontsize=SMALL, color=FAINT)
    return figure


def _draw_panel(axes: Axes, maps: ShownMaps, weights: np.ndarray, pale_queries: np.ndarray) -> None:
    strength = _strengths(weights) if maps.log else weights
    pale = pale_queries[:, None] | maps.special_keys
    for colour, shown in ((PALE, pale), (kind_symbol(0).colour, ~pale)):
        draw_lines(axes, np.where(shown, strength, 0.0), colour)
    sides = zip((maps.queries, maps.keys), maps.inks_with(pale_queries), strict=True)
    left, right = (list(zip(tokens, own, strict=True)) for tokens, own in sides)
    write_tokens(axes, left, right)


def _strengths(weights: np.ndarray) -> np.ndarray:
    """From 0 for a thousandth to 1 for the whole, by powers of ten."""
    with np.errstate(divide="ignore"):
        strengths: np.ndarray = np.clip(1 + np.log10(weights) / DECADES, 0.0, 1.0)
    return strengths


def _name_sides(axes: Axes) -> None:
    for place, side, name in ((0.0, "right", "target"), (1.0, "left", "source")):
        axes.annotate(
            name, (place, 1.0), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points",
            ha=side, va="bottom", fontsize=SMALL, color=FAINT,
        )  # fmt: skip
