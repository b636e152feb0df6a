"""Which heads made a token: what each adds to its logit directly, and the loss without it."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from headscope.drawing.bars import add_bar
from headscope.drawing.cells import HEAD_LABEL, HIGHEST, draw_cells, run_down, shape_of
from headscope.drawing.glyphs import readable
from headscope.drawing.stacks import LAYER_LABEL
from headscope.drawing.style import DOUBLE, new_figure
from headscope.drawing.verdicts import EFFECT_COLOURS
from headscope.results.result import Result

PANELS = {"direct": "what it adds to the logit", "removed": "more loss without it (nats)"}


def needs(result: Result) -> bool:
    """Whether the result tells what heads did for a token."""
    return "made_by" in result.arrays


def draw(result: Result) -> Figure:
    """Draw `direct` and `removed` (token, head) of the first token, a grid each."""
    heads = result.arrays["made_by"].isel(token=0)
    rows, _ = shape_of(heads)
    height = max(HIGHEST * rows, 0.5)
    figure = new_figure(DOUBLE, height + 1.05)
    panels = figure.subplots(1, len(PANELS), squeeze=False, sharey=True)[0]
    for axes, (name, says) in zip(panels, PANELS.items(), strict=True):
        values = heads[name].values.astype(float)
        most = float(np.nanmax(np.abs(values), initial=0)) or 1.0
        norm, colours = Normalize(-most, most), matplotlib.colormaps[EFFECT_COLOURS].reversed()
        draw_cells(axes, heads, values, cmap=colours, norm=norm)
        axes.set_xlabel(HEAD_LABEL)
        axes.set_title(says, loc="left")
        add_bar(figure, ScalarMappable(norm, colours), [axes], "", height)
    panels[0].set_ylabel(LAYER_LABEL)
    run_down(panels[0], heads)
    label = readable(str(heads["label"].values))
    figure.suptitle(f"Heads that made “{label}”", x=0.01, ha="left", fontweight="bold")
    return figure
