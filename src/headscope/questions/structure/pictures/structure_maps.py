"""Maps beside dependency distributions: what trees ask of each word, and the head that is closest to it."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, HEAT, SMALL, TINY, ink_on, new_figure
from headscope.results.result import Result

_SIGNS, _LEAST = 9, 0.005


def needs(result: Result) -> bool:
    """Whether the result holds example sentences."""
    maps = result.arrays.get("structure_maps")
    return maps is not None and maps["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `target` and `weights` (example, tree, query, key); numbers are percent of what goes to words."""
    maps = result.arrays["structure_maps"]
    examples, trees = maps.sizes["example"], maps.sizes["tree"]
    size = DOUBLE / (2 * trees)
    figure = new_figure(DOUBLE, examples * (size + 0.55))
    panels = figure.subplots(examples, 2 * trees, squeeze=False)
    for row in range(examples):
        for tree in range(trees):
            shown = maps.isel(example=row, tree=tree)
            kind = str(shown["tree"].values).replace("_", "-")
            closest = f"{readable(str(shown['closest'].values))}, {float(shown['kl']):.2f} nats"
            _fill(panels[row, 2 * tree], shown, "target", f"{kind} tree")
            _fill(panels[row, 2 * tree + 1], shown, "weights", closest)
        for axes in panels[row, 1:]:
            axes.set_yticks([])
    return figure


def _fill(axes: Axes, shown: xr.Dataset, name: str, title: str) -> None:
    words = [word for word in shown["word"].values.tolist() if word]
    values = shown[name].values[: len(words), : len(words)]
    axes.imshow(np.ma.masked_invalid(values), cmap=HEAT, vmin=0, vmax=1)
    for query, key in np.argwhere(values > _LEAST):
        ink = ink_on(HEAT(float(values[query, key])))
        axes.text(
            key,
            query,
            f"{100 * values[query, key]:.0f}",
            ha="center",
            va="center",
            color=ink,
            fontsize=TINY - 1.5,
        )
    labels = [readable(word, _SIGNS) for word in words]
    axes.set_xticks(range(len(words)), labels, rotation=90, fontsize=TINY)
    axes.set_yticks(range(len(words)), labels, fontsize=TINY)
    axes.set_title(title, fontsize=SMALL)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
