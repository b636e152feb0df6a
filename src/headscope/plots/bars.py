"""The colour bars beside heat maps and beside pictures coloured by layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from headscope.plots.stacks import LAYER_LABEL
from headscope.plots.style import layer_colours


def add_bar(figure: Figure, shown: ScalarMappable, beside: Any, label: str) -> Colorbar:
    """Put a thin bar beside one panel or an array of them."""
    bar = figure.colorbar(shown, ax=beside, label=label, aspect=30, pad=0.02)
    bar.outline.set_visible(False)  # type: ignore[operator]
    return bar


def add_layer_bar(figure: Figure, beside: Any, layers: np.ndarray) -> None:
    """Put a bar with one step per layer, numbered in whole layers."""
    colours, norm = layer_colours(layers)
    bar = add_bar(figure, ScalarMappable(norm, colours), beside, LAYER_LABEL)
    first, last = int(layers.min()), int(layers.max())
    ticks = MaxNLocator(nbins=8, integer=True, min_n_ticks=1).tick_values(first, last)
    bar.set_ticks([tick for tick in ticks if first <= tick <= last])
    bar.ax.minorticks_off()
