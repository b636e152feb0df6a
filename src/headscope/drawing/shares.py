"""Tokens coloured by how much they mattered: a row for each way to explain, the darker the more."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, FAINT, INK, SMALL, TALLEST, TINY, new_figure

AGAINST = "#B5402A"
_TOKENS, _ANSWERS, _SIGNS = 48, 6, 14
_ROW, _LABELS = 0.14, 0.85  # inches of a row, and of the tokens and the title of a panel


def has_shares(table: pd.DataFrame | None) -> bool:
    """Whether a table of importances has anything to draw."""
    return table is not None and bool(table["share"].notna().any())


def draw_shares(answers: list[tuple[str, pd.DataFrame]]) -> Figure:
    """Draw the shares of the first answers, as many as fit on a page; longer texts are cut off.

    answers: of each its label, and rows with explainer, place, token, special, importance and share.
    """
    rows = answers[0][1]["explainer"].nunique()
    tall = rows * _ROW + _LABELS
    shown = answers[: max(1, min(_ANSWERS, int((TALLEST - 0.2) / tall)))]
    figure = new_figure(DOUBLE, len(shown) * tall + 0.1)
    panels = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
    for axes, (label, group) in zip(panels, shown, strict=True):
        _fill(axes, group)
        axes.set_title(readable(label), loc="left", fontweight="bold")
    return figure


def _fill(axes: Axes, group: pd.DataFrame) -> None:
    shown = group[group["place"] < _TOKENS]
    names = list(dict.fromkeys(shown["explainer"]))
    shares = _wide(shown, names, "share")
    peaks = np.nanmax(np.where(np.isnan(shares), 0.0, shares), axis=1, keepdims=True)
    values = np.divide(shares, peaks, out=np.zeros_like(shares), where=peaks > 0)
    axes.imshow(np.ma.masked_invalid(values), cmap="Blues", vmin=0.0, vmax=1.15, aspect="auto")
    for row, column in np.argwhere((_wide(shown, names, "importance") < 0) & (values > 0)):
        place = column - 0.44, row - 0.4
        axes.add_patch(Rectangle(place, 0.88, 0.8, fill=False, edgecolor=AGAINST, linewidth=0.8))
    first = shown[shown["explainer"] == names[0]]
    axes.set_xticks(range(len(first)), [readable(token, _SIGNS) for token in first["token"]], rotation=60)
    axes.set_yticks(range(len(names)), [readable(name) for name in names])
    for label, special in zip(axes.get_xticklabels(), first["special"], strict=True):
        label.set(fontsize=TINY, color=FAINT if special else INK, ha="right", rotation_mode="anchor")
    axes.tick_params(axis="y", labelsize=SMALL)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def _wide(rows: pd.DataFrame, names: list[str], column: str) -> np.ndarray:
    return np.stack([rows.loc[rows["explainer"] == name, column].to_numpy(float) for name in names])
