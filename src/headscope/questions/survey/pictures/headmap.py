"""Heads placed so that alike ones lie together, by role and by layer (Clark et al. 2019, figure 6)."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.bars import add_layer_bar
from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.naming import name_points
from headscope.drawing.stacks import by_stack, has, head_names
from headscope.drawing.style import DOUBLE, FAINT, INK, SMALL, Symbol, layer_colours, new_figure, role_symbols
from headscope.results.result import Result

_PLAIN = {"all heads": Symbol("#0072B2", "o")}
_SIZE, _MANY = 20.0, 500  # squared points; heads beyond which points shrink


def needs(result: Result) -> bool:
    """Whether the result holds an embedding of heads."""
    return has(result, "position")


def draw(result: Result) -> Figure:
    """Draw `position` (head, axis) by role and by layer, a row per stack; `role`, `name` (head,) optional.

    Several stacks of one layer each stand beside each other, by role alone.
    """
    heads = result.arrays["heads"]
    stacks = by_stack(heads)
    symbols = role_symbols(heads["role"].values.astype(str)) if "role" in heads else _PLAIN
    edged: dict[str, Any] = {"linestyle": "", "markeredgecolor": INK, "markeredgewidth": 0.3}
    entries = [entry(readable(role), *symbol, **edged) for role, symbol in symbols.items()]
    legend = Legend(entries, DOUBLE - 0.3)
    layered = len(stacks) == 1 or len(np.unique(heads["layer"])) > 1
    rows = len(stacks) if layered else -(-len(stacks) // 2)
    height = min(2.9, 8.3 / rows)
    figure = new_figure(DOUBLE, height * rows + 0.2 + legend.height)
    panels = figure.subplots(rows, 2, squeeze=False)
    by_role = panels[:, 0] if layered else panels.ravel()
    for (stack, own), axes in zip(stacks, by_role, strict=False):
        _draw_roles(axes, own, symbols)
        _dress(axes, _title(stacks, stack, "role"), _stress(heads, stack))
    for axes in by_role[len(stacks) :]:
        axes.set_axis_off()
    for (stack, own), axes in zip(stacks, panels[:, 1], strict=True) if layered else ():
        _draw_layers(figure, axes, own, height - 0.5)
        _dress(axes, _title(stacks, stack, "layer"), "")
    legend.add_to(figure, "outside lower left")
    _name_heads(figure, [(axes, own) for (_, own), axes in zip(stacks, by_role, strict=False)])
    return figure


def _title(stacks: list[tuple[str, xr.Dataset]], stack: str, colours: str) -> str:
    return f"{stack} by {colours}" if len(stacks) > 1 else f"by {colours}"


def _name_heads(figure: Figure, shown: list[tuple[Axes, xr.Dataset]]) -> None:
    if any((head_names(heads) != "").any() for _, heads in shown):
        figure.draw_without_rendering()  # names go where there is room, which only the layout tells
        for axes, heads in shown:
            name_points(axes, heads["position"].values, head_names(heads))


def _draw_roles(axes: Axes, heads: xr.Dataset, symbols: dict[str, Symbol]) -> None:
    roles = heads["role"].values.astype(str) if "role" in heads else np.full(heads.sizes["head"], "all heads")
    on_top = set(roles[head_names(heads) != ""])
    for role, symbol in symbols.items():
        style = {"color": symbol.colour, "marker": symbol.marker, "label": role}
        _draw_points(axes, heads, roles == role, zorder=1.5 if role in on_top else 1.0, **style)


def _draw_layers(figure: Figure, axes: Axes, heads: xr.Dataset, height: float) -> None:
    layers = heads["layer"].values
    colours, norm = layer_colours(layers)
    _draw_points(axes, heads, np.ones(len(layers), dtype=bool), cmap=colours, norm=norm, c=layers)
    add_layer_bar(figure, axes, layers, height)


def _draw_points(axes: Axes, heads: xr.Dataset, wanted: np.ndarray, **style: Any) -> None:
    """Draw the wanted heads that have a place; many heads get smaller points without an edge."""
    places = heads["position"].values
    shown = wanted & np.isfinite(places).all(axis=1)
    if not shown.any():
        return
    if "c" in style:
        style["c"] = style["c"][shown]
    many = len(places) > _MANY
    size = _SIZE * _MANY / len(places) if many else _SIZE
    edge = 0.0 if many else 0.3
    axes.scatter(places[shown, 0], places[shown, 1], s=size, linewidths=edge, edgecolors=INK, **style)


def _stress(heads: xr.Dataset, stack: str) -> str:
    stress = heads.attrs.get(f"stress_{stack}")
    return "" if stress is None or not np.isfinite(stress) else f"stress {stress:.3f}"


def _dress(axes: Axes, title: str, note: str) -> None:
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_title(note, loc="right", fontsize=SMALL, color=FAINT)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    axes.set_xlabel("dimension 1 (nats)")
    axes.set_ylabel("dimension 2 (nats)")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=5))
