"""How far the attention of adversaries lies from the model's (heads matched), and what becomes of their
answers and their score: every model a point, means of a penalty joined.

Wiegreffe and Pinter 2019, figure 5; Yang, Is Attention Points Out the Only Path?, figure 1. Beside
adversaries stand other seeds, controls and adversaries to single answers.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import KINDS
from headscope.drawing.style import DOUBLE, FAINT, INK, TINY, new_figure
from headscope.questions.adversary.kinds import ADVERSARY, CONTROL, CONTROLS, SEED
from headscope.results.result import Result

_X, _LIMIT = "jsd_matched", np.log(2)
_PANELS = {"variation": "total variation of answers", "score": "score, %"}
_MARKS = {"even": "s", "itself": "^", "random": "D", "none": "X"}
_HEIGHT = 2.5


def needs(result: Result) -> bool:
    """Whether some adversary came to an end."""
    curve = result.tables.get("curve")
    return curve is not None and bool(curve.loc[curve["kind"] == ADVERSARY, _X].notna().any())


def draw(result: Result) -> Figure:
    """Draw `variation` and `score` of `runs` against `jsd_matched`; lines are the means of `curve`."""
    runs, curve = result.table("runs"), result.table("curve")
    others = result.tables.get("beside")
    instances = result.tables.get("instances")
    legend = Legend(_entries(runs, others, instances), DOUBLE - 0.2)
    figure = new_figure(DOUBLE, _HEIGHT + legend.height)
    for axes, (measure, label) in zip(figure.subplots(1, 2), _PANELS.items(), strict=True):
        scale = 100.0 if measure == "score" else 1.0
        _fill(axes, runs, measure, scale)
        _line(axes, curve, measure, scale, KINDS[0])
        if others is not None:
            for place, (_, other) in enumerate(others.groupby("run", sort=False)):
                _line(axes, other, measure, scale, KINDS[place + 3], "--")
        if instances is not None and measure == "variation":
            axes.scatter(instances["jsd"], instances["variation"], color=INK, marker="*", s=36, zorder=4)
        axes.axvline(_LIMIT, color=FAINT, linewidth=0.5, linestyle=":", zorder=0)
        axes.set(xlabel="JSD of attention from the model's, nats", ylabel=label, xlim=(-0.02, 0.72))
    legend.add_to(figure)
    return figure


def _fill(axes: Axes, runs: pd.DataFrame, measure: str, scale: float) -> None:
    """Single models."""
    own = runs[runs["kind"] == ADVERSARY]
    axes.scatter(own[_X], scale * own[measure], color=KINDS[0], s=8, alpha=0.5, linewidths=0, zorder=2)
    seeds = runs[runs["kind"] == SEED]
    axes.scatter(seeds[_X], scale * seeds[measure], color=KINDS[1], marker="v", s=14, zorder=3)
    for name in _controls(runs):
        some = runs[(runs["kind"] == CONTROL) & (runs["attention"] == name)]
        if some[_X].notna().any():
            axes.scatter(some[_X], scale * some[measure], color=KINDS[2], marker=_MARKS[name], s=12, zorder=3)
        else:  # no attention is nowhere
            axes.axhline(scale * float(some[measure].mean()), color=KINDS[2], linewidth=0.7, linestyle="-.")
    base = runs[runs["kind"] == "base"]
    if measure == "score":
        axes.axhline(scale * float(base[measure].iloc[0]), color=FAINT, linewidth=0.6, zorder=0)


def _line(axes: Axes, curve: pd.DataFrame, measure: str, scale: float, colour: str, style: str = "-") -> None:
    """Means of each penalty, in the order of penalties, the highest named."""
    own = curve[curve["kind"] == ADVERSARY].dropna(subset=[_X]).sort_values("penalty")
    x, y = own[_X].to_numpy(float), scale * own[measure].to_numpy(float)
    axes.plot(x, y, color=colour, linestyle=style, marker="o", markersize=3.0, linewidth=1.0, zorder=3)
    for place in {0, len(own) // 2, len(own) - 1} if style == "-" and len(own) else ():
        axes.annotate(
            f"{own['penalty'].iloc[place]:g}", (x[place], y[place]), xytext=(2, 4), fontsize=TINY,
            textcoords="offset points", color=colour, zorder=5,
        )  # fmt: skip


def _controls(runs: pd.DataFrame) -> list[str]:
    present = set(runs.loc[runs["kind"] == CONTROL, "attention"])
    return [name for name in CONTROLS if name in present]


def _entries(runs: pd.DataFrame, others: pd.DataFrame | None, instances: pd.DataFrame | None) -> list[Line2D]:
    entries = [entry("adversaries, means joined (number: penalty)", KINDS[0], "o", markersize=3.0)]
    if (runs["kind"] == SEED).any():
        entries.append(entry("other seeds", KINDS[1], "v", linestyle=""))
    words = {"even": "even", "itself": "to itself", "random": "random maps", "none": "no attention"}
    for name in _controls(runs):
        dashed = {"linestyle": "-.", "linewidth": 0.7} if name == "none" else {"linestyle": ""}
        entries.append(entry(words[name], KINDS[2], "" if name == "none" else _MARKS[name], **dashed))
    if instances is not None:
        entries.append(entry("adversaries to single answers", INK, "*", linestyle=""))
    for place, name in enumerate([] if others is None else dict.fromkeys(others["run"])):
        entries.append(
            entry(f"adversaries, {readable(name)}", KINDS[place + 3], "o", linestyle="--", markersize=3.0)
        )
    entries.append(entry("score of the model", FAINT, "", linewidth=0.6))
    return [*entries, entry("ln 2: no further away", FAINT, "", linewidth=0.5, linestyle=":")]
