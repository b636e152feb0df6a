"""Two columns of tokens, joined by lines that are the darker the more weight they stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from headscope.drawing.style import INK, SMALL

ROW = 0.135  # inches: a token's row
_SIZE = SMALL - 0.5
PALE = "#B8B8B8"  # lines from and to special tokens
LEFT, RIGHT = 0, 1
_GAP, _EDGE = 4, 3  # points between a line and its token, and beyond the token


def draw_lines(axes: Axes, weights: np.ndarray, colour: str) -> None:
    """Draw `weights` (query, key) from the query at 0 to the key at 1; NaN is no line."""
    queries, keys = np.nonzero(weights > 0.005)  # fainter lines cannot be seen and would only fill the file
    starts = np.column_stack([np.zeros(len(queries)), queries])
    ends = np.column_stack([np.ones(len(keys)), keys])
    colours = np.tile(to_rgba(colour), (len(queries), 1))
    colours[:, 3] = np.clip(weights[queries, keys], 0.0, 1.0)
    lines = list(np.stack([starts, ends], axis=1))
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=1.1, capstyle="round"))


def write_tokens(
    axes: Axes,
    tokens: Sequence[str],
    colours: Sequence[tuple[str, str]] | None = None,
    is_cut: bool = False,
) -> None:
    """Write each token on both sides, in `colours` (left, right) if given; first "…" if more come before."""
    inks = [(INK, INK)] * len(tokens) if colours is None else colours
    rows = [(-1, "…", (INK, INK))] if is_cut else []
    rows += [(row, token, ink) for row, (token, ink) in enumerate(zip(tokens, inks, strict=True))]
    for row, token, ink in rows:
        for side in (LEFT, RIGHT):
            _write(axes, token, row, side, ink[side])
    axes.set_ylim(len(tokens) - 0.5, rows[0][0] - 0.5)
    axes.set_axis_off()


def write_sides(axes: Axes, sides: Sequence[Sequence[tuple[str, str]]]) -> None:
    """Write other tokens on the left than on the right: of each side (token, colour), from the top."""
    for side, tokens in zip((LEFT, RIGHT), sides, strict=True):
        for row, (token, colour) in enumerate(tokens):
            _write(axes, token, row, side, colour)
    axes.set_ylim(max(map(len, sides)) - 0.5, -0.5)
    axes.set_axis_off()


def _write(axes: Axes, token: str, row: int, side: int, colour: str) -> None:
    axes.annotate(
        token,
        (float(side), row),
        (_GAP if side == RIGHT else -_GAP, 0),
        textcoords="offset points",
        ha="left" if side == RIGHT else "right",
        va="center",
        fontsize=_SIZE,
        color=colour,
    )


def leave_room(panels: Sequence[Axes], width: float) -> None:
    """Leave the same room for tokens beside the lines of all panels, each `width` inches wide."""
    dots = max((text.get_window_extent().width for axes in panels for text in axes.texts), default=0.0)
    widest = dots / panels[0].figure.dpi
    room = min((widest + (_GAP + _EDGE) / 72) / width, 0.42)
    for axes in panels:
        axes.set_xlim(-room / (1 - 2 * room), 1 + room / (1 - 2 * room))
