"""Divergence of attention from parents by checkpoint, mean over heads: true trees, false trees, even
attention.

Where a mask hides parents, they count 0 in the upper row, as in figures 2 and 3 of Varano's paper, and are
left out in the lower one. Several series are one line, their mean, and the band is from the lowest to the
highest; of one series the band is the interval over documents.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.legends import Legend, entry
from headscope.drawing.steps import name_steps
from headscope.drawing.style import DOUBLE, FAINT, SINGLE, kind_symbol, new_figure
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE

TREES = (TRUE_TREE, *FALSE_TREES)
_SEEN, _ALL = ("kl", "low", "high", "even"), ("kl_all", "all_low", "all_high", "even_all")
_WHOLE = 1 - 1e-6  # all is seen, up to rounding
_SAYS = {_SEEN: "\nparents that are seen", _ALL: "\nhidden parents count 0"}


def needs(result: Result) -> bool:
    """Whether there is more than one checkpoint."""
    curves = result.tables.get("structure_curves")
    return curves is not None and curves["step"].nunique() > 1


def draw(result: Result) -> Figure:
    """Draw `kl` of `structure_curves`, and `kl_all` where they differ: one column per stack."""
    curves = result.table("structure_curves")
    curves = curves[curves["target"] == "parent"]
    stacks = list(dict.fromkeys(curves["stack"]))
    width = SINGLE if len(stacks) == 1 else DOUBLE
    entries = [
        entry(tree.replace("_", "-"), kind_symbol(place).colour, kind_symbol(place).marker)
        for place, tree in enumerate(TREES)
    ]
    legend = Legend([*entries, entry("even attention", FAINT, linestyle="--")], width - 0.3)
    hidden = bool((curves["coverage"] < _WHOLE).any())
    shown = [_ALL, _SEEN] if hidden else [_SEEN]
    figure = new_figure(width, 2.0 * len(shown) + 0.4 + legend.height)
    panels = figure.subplots(len(shown), len(stacks), squeeze=False, sharex=True, sharey="row")
    for row, columns in enumerate(shown):
        for axes, stack in zip(panels[row], stacks, strict=True):
            _fill(axes, curves[curves["stack"] == stack], *columns)
            axes.set_title(stack if len(stacks) > 1 and row == 0 else "", loc="left")
        panels[row, 0].set_ylabel("KL(parent || attention), nats" + (_SAYS[columns] if hidden else ""))
    first = curves[curves["series"] == curves["series"].iloc[0]]
    for axes in panels[-1]:
        name_steps(axes, list(dict.fromkeys(first["checkpoint"])), "checkpoint")
    legend.add_to(figure)
    return figure


def _fill(axes: Axes, curves: pd.DataFrame, value: str, low: str, high: str, even: str) -> None:
    for place, tree in enumerate(TREES):
        symbol, own = kind_symbol(place), curves[curves["tree"] == tree]
        by_step = own.groupby("step")
        steps, middle = np.array(list(by_step.groups)), by_step[value].mean().to_numpy()
        several = own["series"].nunique() > 1
        below, above = (
            (by_step[value].min(), by_step[value].max())
            if several
            else (by_step[low].mean(), by_step[high].mean())
        )
        band = below.to_numpy(), above.to_numpy()
        axes.fill_between(steps, *band, color=symbol.colour, alpha=0.18, linewidth=0)
        axes.plot(steps, middle, color=symbol.colour, marker=symbol.marker, label=tree)
    level = curves[curves["tree"] == TRUE_TREE].groupby("step")[even].mean()
    axes.plot(level.index.to_numpy(), level.to_numpy(), color=FAINT, linestyle="--", label="even attention")
