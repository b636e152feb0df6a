"""Right answers while dimensions of a layer are erased, those first that logistic regression leans on."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import FAINT, INK, layer_colours
from headscope.questions.sentences.pictures.grid import draw_tasks
from headscope.results.result import Result

_SHOWN = 5
"""Layers that have a line of their own, about; that in the middle is among them."""


def needs(result: Result) -> bool:
    """Whether dimensions were erased."""
    arrays = result.arrays.get("sentences")
    return arrays is not None and "erased" in arrays


def draw(result: Result) -> Figure:
    """Draw `erased` (task, layer, gone), a panel per task, a line per layer; random order for one of them."""
    arrays = result.arrays["sentences"]
    layers = arrays["layer"].values.tolist()
    middle = layers[len(layers) // 2]
    spread = np.linspace(0, len(layers) - 1, _SHOWN).round().astype(int)
    shown = sorted({middle, *(layers[place] for place in spread.tolist())})
    colours, norm = layer_colours(arrays["layer"].values)
    own = {layer: colours(norm(layer)) for layer in shown}

    def fill(axes: Axes, task: str) -> None:
        one = arrays.sel(task=task)
        gone = range(one.sizes["gone"])
        axes.axhline(100 * float(one["majority"]), color=FAINT, linestyle=":", linewidth=0.8, zorder=0)
        chance = 100 * one["erased_random"].sel(layer=middle)
        axes.plot(gone, chance, color=INK, linestyle="--", linewidth=0.8)
        for layer, colour in own.items():
            axes.plot(gone, 100 * one["erased"].sel(layer=layer), color=colour, linewidth=1.0)

    def legend(width: float) -> Legend:
        lines = [entry(f"layer {layer}", colour) for layer, colour in own.items()]
        random = entry(f"layer {middle}, random order", INK, linestyle="--", linewidth=0.8)
        return Legend([*lines, random, entry("majority", FAINT, linestyle=":", linewidth=0.8)], width)

    return draw_tasks(arrays["task"].values.tolist(), legend, fill, "dimensions erased")
