"""Which heads know a relation: a grid of layers and heads for each, coloured by how often a head is right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import xarray as xr
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import (
    HEAD_LABEL,
    HIGHEST,
    ONE_COLUMN,
    draw_cells,
    frame_cell,
    run_down,
    shape_of,
)
from headscope.drawing.glyphs import readable
from headscope.drawing.palette import COLOURS
from headscope.drawing.stacks import LAYER_LABEL, by_stack
from headscope.drawing.style import DOUBLE, FAINT, HEAT, SINGLE, SMALL, TALLEST, new_figure
from headscope.results.result import Result

_GRIDS = 6
_ALL = "all"
_TITLE, _FOOT, _SIDE = 0.36, 0.4, 0.95  # inches: above a grid, below all, left and right of all


class _Grid(NamedTuple):
    """A relation in one reading: `heads` holds `accuracy` (head,), `offset` is the best fixed offset's.

    is_found: its best head was found to know it.
    """

    relation: str
    reading: str
    heads: xr.Dataset
    offset: float
    is_found: bool

    @property
    def best(self) -> xr.Dataset:
        """The head that is right most often; its accuracy is NaN if there was nothing to be right in."""
        return self.heads.isel(head=int(self.heads["accuracy"].fillna(-1.0).argmax("head")))


class _Layout(NamedTuple):
    """How many grids stand beside each other, with how many stacks each, and the size of a cell in inches."""

    across: int
    down: int
    stacks: int
    width: float
    cell: tuple[float, float]


def needs(result: Result) -> bool:
    """Whether the result scores heads on relations."""
    scores = result.arrays.get("relations")
    table = result.tables.get("relations")
    return scores is not None and table is not None and bool((table["relation"] != _ALL).any())


def draw(result: Result) -> Figure:
    """Draw `accuracy` (head, relation, reading) on all data for the relations that heads know best.

    These are up to six: those found come first, then by how much the best head is above the offset. What is
    found is in bold letters.
    """
    table = result.table("relations")
    table = table[table["relation"] != _ALL]
    gain = (table["accuracy"] - table["offset_accuracy"]).fillna(-np.inf) + 2.0 * table["found"]
    best = table.loc[gain.sort_values(ascending=False, kind="stable").index[:_GRIDS]]
    pairs = best[["relation", "same_data_reading"]].itertuples(index=False)
    return _draw([_grid(result, str(relation), str(reading)) for relation, reading in pairs])


def _grid(result: Result, relation: str, reading: str) -> _Grid:
    scores = result.arrays["relations"].sel(relation=relation, reading=reading)
    table = result.table("relations")
    is_found = bool(table["found"][table["relation"] == relation].any())
    return _Grid(relation, reading, scores[["accuracy"]], float(scores["offset_accuracy"].max()), is_found)


def _draw(grids: list[_Grid]) -> Figure:
    heads = grids[0].heads
    layout = _lay_out(heads, len(grids))
    figure = new_figure(layout.width, layout.down * (shape_of(heads)[0] * layout.cell[1] + _TITLE) + _FOOT)
    stacks = by_stack(heads)
    has_stacks = ":" in str(heads["head"].values[0])  # of which perhaps one alone was asked
    ratios = [shape_of(own)[1] for _, own in stacks] * layout.across
    panels = figure.subplots(layout.down, len(ratios), squeeze=False, sharey=True, width_ratios=ratios)
    groups = panels.reshape(layout.down * layout.across, layout.stacks)
    tops = [float(grid.heads["accuracy"].max()) for grid in grids]
    norm = Normalize(0.0, 100 * max((top for top in tops if top > 0), default=1.0))
    for place, axes in enumerate(groups):
        if place < len(grids):
            _draw_grid(axes, grids[place], norm)
            if place // layout.across == layout.down - 1:
                for panel, (stack, _) in zip(axes, stacks, strict=True):
                    panel.set_xlabel(f"{stack} {HEAD_LABEL}" if has_stacks else HEAD_LABEL)
        else:
            for panel in axes:
                panel.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel(LAYER_LABEL)
    run_down(panels[0, 0], heads)
    height = figure.get_figheight() - 0.6
    add_bar(figure, ScalarMappable(norm, HEAT), panels, "right (%), on all data", height)
    return figure


def _lay_out(heads: xr.Dataset, count: int) -> _Layout:
    """Several stacks take a row; else up to three grids stand beside each other."""
    sizes = [shape_of(own)[1] for _, own in by_stack(heads)]
    across = 1 if len(sizes) > 1 else {1: 1, 2: 2, 4: 2}.get(count, 3)
    down = -(-count // across)
    width = SINGLE if across == 1 and sum(sizes) <= ONE_COLUMN else DOUBLE
    layers, _ = shape_of(heads)
    wide = (width - _SIDE - 0.25 * (across * len(sizes) - 1)) / (across * sum(sizes))
    tallest = ((TALLEST - _FOOT) / down - _TITLE) / layers
    return _Layout(across, down, len(sizes), width, (wide, min(max(wide, 0.5 / layers), HIGHEST, tallest)))


def _draw_grid(panels: np.ndarray, grid: _Grid, norm: Normalize) -> None:
    best = grid.best
    for axes, (stack, heads) in zip(panels, by_stack(grid.heads), strict=True):
        line = 0.6 if heads.sizes["head"] <= 400 else 0.0
        draw_cells(axes, heads, 100 * heads["accuracy"].values, cmap=HEAT, norm=norm, linewidth=line)
        if stack == str(best["stack"].values) and np.isfinite(best["accuracy"]):
            frame_cell(axes, int(best["index"]), int(best["layer"]), COLOURS[1], 1.4, clipped=False)
    _write_title(panels, grid)


def _write_title(panels: np.ndarray, grid: _Grid) -> None:
    """Write relation and reading, and below them the best head beside the best offset."""
    first, last = panels[0], panels[-1]
    first.set_title(
        f"{readable(grid.relation, 20)}\n", loc="left", fontweight="bold" if grid.is_found else None
    )
    last.set_title(f"{grid.reading}\n", loc="right", color=FAINT)
    accuracy = float(grid.best["accuracy"])
    name = str(grid.best["head"].values)
    head = name.rpartition(":")[2] if len(panels) == 1 else name
    known = f"{head} {100 * accuracy:.0f} %, offset {100 * grid.offset:.0f} %"
    text = known if np.isfinite(accuracy) else "no word to score"
    first.annotate(text, (0, 1), (0, 3), xycoords="axes fraction", textcoords="offset points", fontsize=SMALL)
