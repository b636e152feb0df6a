"""Heads placed so that alike ones lie together, once by role and once by layer (papers/004, figure 6)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headscope.plots.bars import add_layer_bar
from headscope.plots.glyphs import readable
from headscope.plots.stacks import by_stack, has
from headscope.plots.style import DOUBLE, FAINT, SMALL, Look, layer_colours, legend_columns, new_figure, role_looks
from headscope.results.result import Result

_PLAIN = {"all heads": Look("#0072B2", "o")}
_SIZE = 20.0


def needs(result: Result) -> bool:
    """Whether the result holds an embedding of heads."""
    return has(result, "position")


def draw(result: Result) -> Figure:
    """Draw `position` (head, axis) twice, one row per stack; `role` (head,) is optional."""
    heads = result.arrays["heads"]
    stacks = by_stack(heads)
    looks = role_looks(heads["role"].values.astype(str)) if "role" in heads else _PLAIN
    columns = legend_columns(list(looks), DOUBLE - 0.3)
    height = min(2.9, 8.3 / len(stacks))
    figure = new_figure(DOUBLE, height * len(stacks) + 0.2 + 0.15 * -(-len(looks) // columns))
    panels = figure.subplots(len(stacks), 2, squeeze=False)
    for (stack, part), (left, right) in zip(stacks, panels, strict=True):
        title = stack if len(stacks) > 1 else ""
        _draw_roles(left, part, looks)
        _draw_layers(figure, right, part)
        _dress(left, f"{title} by role".strip(), _stress(heads, stack))
        _dress(right, f"{title} by layer".strip(), "")
    lines = [Line2D([], [], linestyle="", marker=look.marker, color=look.colour) for look in looks.values()]
    figure.legend(lines, [readable(role) for role in looks], loc="outside lower left", ncols=columns)
    return figure


def _draw_roles(axes: Axes, heads: xr.Dataset, looks: dict[str, Look]) -> None:
    places = heads["position"].values
    roles = heads["role"].values.astype(str) if "role" in heads else np.full(len(places), "all heads")
    known = np.isfinite(places).all(axis=1)
    for role, look in looks.items():
        chosen = places[known & (roles == role)]
        if len(chosen):
            style = {"color": look.colour, "marker": look.marker, "edgecolors": "white", "label": role}
            axes.scatter(*chosen.T, s=_SIZE, linewidths=0.3, alpha=0.9, **style)


def _draw_layers(figure: Figure, axes: Axes, heads: xr.Dataset) -> None:
    places, layers = heads["position"].values, heads["layer"].values
    known = np.isfinite(places).all(axis=1)
    colours, norm = layer_colours(layers)
    axes.scatter(
        *places[known].T, c=layers[known], cmap=colours, norm=norm, s=_SIZE, linewidths=0.3, edgecolors="white"
    )
    add_layer_bar(figure, axes, layers)


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
