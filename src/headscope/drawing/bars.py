"""The colour bars beside heat maps and beside pictures coloured by layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import MaxNLocator

from headscope.drawing.stacks import LAYER_LABEL
from headscope.drawing.style import layer_colours

_THICK = 0.09  # inches


def add_bar(
    figure: Figure | SubFigure,
    shown: ScalarMappable,
    beside: Any,
    label: str,
    height: float,
    ticks: list[float] | None = None,
    extend: str = "neither",
) -> Colorbar:
    """Put a thin bar, about `height` inches high, beside one panel or an array of them.

    extend: the ends ("min", "max", "both") beyond which values have the last colour.
    """
    bar = figure.colorbar(
        shown,
        ax=beside,
        label=label,
        aspect=height / _THICK,
        pad=0.02,
        ticks=ticks,
        extend=extend,
        extendfrac=_THICK / height,
    )
    bar.outline.set_visible(False)
    bar.ax.minorticks_off()
    return bar


def ends_beyond(values: np.ndarray, low: float, high: float) -> str:
    """At which ends of a bar from low to high there are values beyond it, as `add_bar` takes it.

    >>> ends_beyond(np.array([0.5, 3.0, np.nan]), 0.0, 1.0)
    'max'
    """
    ends = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
    return ends[bool((values < low).any()), bool((values > high).any())]


def add_layer_bar(figure: Figure, beside: Any, layers: np.ndarray, height: float) -> None:
    """Put a bar with one step per layer, numbered in whole layers."""
    colours, norm = layer_colours(layers)
    first, last = int(layers.min()), int(layers.max())
    numbers = MaxNLocator(nbins=8, integer=True, min_n_ticks=1).tick_values(first, last)
    ticks = [float(number) for number in numbers if first <= number <= last]
    add_bar(figure, ScalarMappable(norm, colours), beside, LAYER_LABEL, height, ticks)
