"""Two columns of tokens, joined by lines that are the darker the more weight they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from headscope.drawing.style import BY_MODEL, INK, SMALL

ROW = 0.135  # inches: a token's row
_SIZE = SMALL - 0.5
PALE = "#B8B8B8"  # lines from and to special tokens
_GAP, _EDGE = 4, 3  # points between a line and its token, and beyond the token


def draw_lines(axes: Axes, weights: np.ndarray, colour: str) -> None:
    """Draw `weights` (query, key) from the query at 0 to the key at 1; NaN is no line."""
    queries, keys = np.nonzero(weights > 0.005)  # fainter lines cannot be seen and would only fill the file
    if not len(queries):
        return
    starts = np.column_stack([np.zeros(len(queries)), queries])
    ends = np.column_stack([np.ones(len(keys)), keys])
    colours = np.tile(to_rgba(colour), (len(queries), 1))
    colours[:, 3] = np.clip(weights[queries, keys], 0.0, 1.0)
    lines = list(np.stack([starts, ends], axis=1))
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=1.1, capstyle="round"))


def write_tokens(
    axes: Axes, left: Sequence[tuple[str, str]], right: Sequence[tuple[str, str]], is_cut: bool = False
) -> None:
    """Write on each side (token, colour) from the top; above them "…" if more come before."""
    above = [("…", INK)] if is_cut else []
    rows = zip_longest([*above, *left], [*above, *right], fillvalue=("", INK))
    for row, tokens in enumerate(rows, start=-len(above)):
        for side, (token, colour) in enumerate(tokens):
            if token:
                _write(axes, token, row, side, colour)
    axes.set_ylim(max(len(left), len(right)) - 0.5, -len(above) - 0.5)
    axes.set_axis_off()


def _write(axes: Axes, token: str, row: int, side: int, colour: str) -> None:
    """Write a token beside its line; side: 0 on the left, 1 on the right, as the lines run."""
    axes.annotate(
        token,
        (float(side), row),
        (_GAP if side == 1 else -_GAP, 0),
        textcoords="offset points",
        ha="left" if side == 1 else "right",
        va="center",
        fontsize=_SIZE,
        color=colour,
        fontstyle="italic" if colour == BY_MODEL else "normal",
    )


def leave_room(panels: Sequence[Axes], width: float) -> None:
    """Leave the same room for tokens beside the lines of all panels, each `width` inches wide."""
    dots = max((text.get_window_extent().width for axes in panels for text in axes.texts), default=0.0)
    widest = dots / panels[0].figure.dpi
    room = min((widest + (_GAP + _EDGE) / 72) / width, 0.42)
    for axes in panels:
        axes.set_xlim(-room / (1 - 2 * room), 1 + room / (1 - 2 * room))
