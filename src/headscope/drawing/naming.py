"""Names of what heads know, written into cells and beside points."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from headscope.drawing.glyphs import readable
from headscope.drawing.stacks import head_names
from headscope.drawing.style import INK, TINY

_LETTER, _LINE = 0.6, 1.25  # parts of a letter's size: its width, its line's height
_FEWEST, _MOST = 4, 24  # letters on one line of a cell, also where they stand out of it; beside a point
_SMALLEST, _EDGE = 4.0, 3.0  # points: letters in a cell, and what is left free beside them
_PILL: dict[str, Any] = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none"}
_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "linespacing": 1.1, "zorder": 4}
_POINT = 6.0  # points: how wide a head is on the map
_DIRECTIONS = np.arange(0.0, 2 * np.pi, np.pi / 8)
_GAPS = np.array([3.5, 8.0, 14.0, 21.0, 30.0])  # points between a head and its name


def write_in_cells(
    axes: Axes, heads: xr.Dataset, cell: tuple[float, float], above_numbers: bool
) -> np.ndarray:
    """Write each head's name into its cell of so many inches; give (head,) how far its number moves down.

    Dark letters on white can be read on every colour.
    """
    wide, tall = 72 * cell[0] - _EDGE, 72 * cell[1]
    letters = max(int(wide / (_LETTER * _SMALLEST)), _FEWEST)
    lines = max(int(0.9 * tall / (_LINE * TINY)) - above_numbers, 1)
    line = _LINE * TINY / tall  # in cells
    names = head_names(heads)
    moved = np.zeros(len(names))
    for place in np.flatnonzero(names != ""):
        shown = wrapped(names[place], letters, lines)
        size = np.clip(wide / (_LETTER * max(map(len, shown))), _SMALLEST, TINY)
        moved[place] = 0.5 * line * len(shown) * above_numbers
        x, y = int(heads["index"][place]), int(heads["layer"][place]) - 0.5 * line * above_numbers
        axes.text(x, y, "\n".join(shown), fontsize=size, color=INK, bbox=_PILL, **_CENTRED)
    return moved


def wrapped(name: str, letters: int, lines: int) -> list[str]:
    """Break a name at its commas into at most so many lines of about so many letters.

    >>> wrapped("compound, det, case", 10, 2)
    ['compound,', 'det, case']
    >>> wrapped("compound, det, case", 8, 1)
    ['compoun…']
    """
    first, *others = (relation.strip() for relation in name.split(","))
    shown = [first]
    for relation in others:
        if len(shown[-1]) + 2 + len(relation) <= letters:
            shown[-1] += f", {relation}"
        else:
            shown[-1] += ","
            shown.append(relation)
    if len(shown) > lines:
        shown = [*shown[: lines - 1], shown[lines - 1].rstrip(",") + "…"]
    return [readable(line, letters) for line in shown]


def name_points(axes: Axes, places: np.ndarray, names: np.ndarray) -> None:
    """Write names (head,) beside points at `places` (head, 2), where least is in the way.

    The layout must be settled: what is free is judged in inches of paper.
    """
    known = np.isfinite(places).all(axis=1)
    scale = 72 / axes.figure.dpi
    points = scale * axes.transData.transform(places[known])
    frame = scale * axes.get_window_extent().get_points()
    taken = np.stack([points - _POINT / 2, points + _POINT / 2], axis=1)
    for point, place, name in zip(points, places[known], names[known], strict=True):
        if name != "":
            text = readable(name, _MOST)
            middle, gap, box = _freest(point, text, taken, frame)
            taken = np.concatenate([taken, box[None], box[None]])  # names weigh more than points
            _write_beside(axes, text, place, middle - point, gap)


def _freest(
    point: np.ndarray, text: str, taken: np.ndarray, frame: np.ndarray
) -> tuple[np.ndarray, float, np.ndarray]:
    """Where a text stands best: its middle, its gap from the point, its box (corner, 2); all in points."""
    half = np.array([_LETTER * TINY * len(text), _LINE * TINY]) / 2
    towards = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)], axis=1)
    middles = point + (_GAPS[:, None, None] + half) * towards
    low, high = middles - half, middles + half
    sides = np.minimum(high[..., None, :], taken[:, 1]) - np.maximum(low[..., None, :], taken[:, 0])
    covered = np.clip(sides, 0, None).prod(-1).sum(-1)
    outside = (np.clip(frame[0] - low, 0, None) + np.clip(high - frame[1], 0, None)).sum(-1)
    # A name is best close by, and to the right.
    cost = 2 * covered + 20 * outside + 1.5 * _GAPS[:, None] - 2 * towards[:, 0]
    gap, direction = np.unravel_index(cost.argmin(), cost.shape)
    box = np.stack([low[gap, direction], high[gap, direction]])
    return middles[gap, direction], float(_GAPS[gap]), box


def _write_beside(axes: Axes, text: str, place: np.ndarray, shift: np.ndarray, gap: float) -> None:
    line = {"arrowstyle": "-", "linewidth": 0.4, "color": INK, "shrinkA": 1.0, "shrinkB": 2.0}
    note = axes.annotate(
        text,
        (place[0], place[1]),
        (shift[0], shift[1]),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=TINY,
        color=INK,
        zorder=5,
        arrowprops=line if gap > _GAPS[0] else None,
        path_effects=[withStroke(linewidth=1.5, foreground="white")],
    )
    note.set_in_layout(False)  # it was placed on a settled layout, which it must not move
