"""Two pictures that no verb draws: roles behind the first token, and all maps of a sentence."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from headscope.drawing.style import DOUBLE, SMALL, new_figure, role_symbols
from headscope.results.result import Result


def behind_first_token(survey: Result) -> Figure:
    """Every head by its role, layer by layer; where it rests on the first token, by the role behind it.

    A small square means that the head rests on the first token; its colour is what it does otherwise.
    """
    heads = survey.table("heads")
    rests = heads["otherwise"].fillna("") != ""
    roles = heads["otherwise"].where(rests, heads["role"])
    symbols = role_symbols(roles.unique())
    figure = new_figure(DOUBLE, 3.3)
    axes = figure.subplots()
    for layer, index, role, small in zip(heads["layer"], heads["index"], roles, rests, strict=True):
        side = 0.6 if small else 0.92
        corner = (layer - side / 2, index - side / 2)
        axes.add_patch(Rectangle(corner, side, side, color=symbols[role].colour, linewidth=0))
    axes.set(xlim=(-0.6, heads["layer"].max() + 0.6), ylim=(heads["index"].max() + 0.6, -0.6), aspect="equal")
    axes.set(xlabel="layer (from 0)", ylabel="head (from 0)")
    counts = roles.value_counts()
    keys = [Patch(color=symbol.colour, label=f"{role} ({counts[role]})") for role, symbol in symbols.items()]
    figure.legend(handles=keys, loc="outside lower left", ncols=4, fontsize=SMALL, frameon=False)
    axes.set_title("small: rests on the first token, and does this otherwise", fontsize=SMALL, loc="left")
    return figure


def all_maps(maps: xr.DataArray) -> Figure:
    """A small map for every head of a text (layer, head, query, key)."""
    figure = new_figure(DOUBLE, 3.6)
    grid = figure.subplots(maps.sizes["layer"], maps.sizes["head"], sharex=True, sharey=True)
    for (layer, head), axes in np.ndenumerate(grid):
        axes.imshow(maps.values[layer, head], cmap="Blues", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
        axes.set_title(f"L{layer}H{head}", fontsize=5, pad=1)
        axes.spines[:].set(linewidth=0.3, color="0.7")
    return figure
