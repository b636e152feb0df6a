"""Tokens coloured by how much they mattered: a row for each way to explain, the darker the more."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from headscope.drawing.glyphs import readable
from headscope.drawing.style import (
    BY_MODEL,
    BY_MODEL_SAYS,
    DOUBLE,
    FAINT,
    INK,
    SMALL,
    TALLEST,
    TINY,
    new_figure,
)
from headscope.results.reading import plural

AGAINST = "#B5402A"
_TOKENS, _ANSWERS, _SIGNS, _TITLE = 48, 6, 14, 90
_ROW, _LABELS = 0.14, 0.85  # inches of a row, and of the tokens and the title of a panel


def has_shares(table: pd.DataFrame | None) -> bool:
    """Whether a table of importances has anything to draw."""
    return table is not None and bool(table["share"].notna().any())


def draw_shares(answers: list[tuple[str, pd.DataFrame]], unit: str) -> Figure:
    """Draw the shares of the first answers, each in as many lines as it takes; what a page has no room for is
    counted below its last line.

    answers: of each its name, and rows with explainer, place, token, special, importance and share. unit:
    what a token is.
    """
    rows = answers[0][1]["explainer"].nunique()
    lines = _lines(answers, _room(rows))
    figure = new_figure(DOUBLE, len(lines) * (rows * _ROW + _LABELS) + 0.3)
    panels = figure.subplots(len(lines), 1, squeeze=False)[:, 0]
    for axes, (answer, begin) in zip(panels, lines, strict=True):
        name, group = answers[answer]
        _fill(axes, group, begin)
        axes.set_title(readable(name, _TITLE) if begin == 0 else "", loc="left", fontweight="bold")
    told = left_out(answers, unit)
    says = [f"… {told}"] if told else []
    if any(_by_model(group).any() for _, group in answers):
        says.append(BY_MODEL_SAYS)
    if says:
        figure.supxlabel("; ".join(says), fontsize=SMALL, color=FAINT, x=0.99, ha="right")
    return figure


def left_out(answers: list[tuple[str, pd.DataFrame]], unit: str) -> str:
    """What a page has no room for, such as "12 more words"; nothing, where all fits. As `draw_shares`."""
    lines = _lines(answers, _room(answers[0][1]["explainer"].nunique()))
    last, begin = lines[-1]
    rows = answers[last][1]
    cut = rows[(rows["place"] >= begin + _TOKENS) & ~rows["special"]]["place"].nunique()
    counts = [(cut, unit), (len(answers) - 1 - last, "answer")]
    return " and ".join(
        f"{count} more {noun if count == 1 else plural(noun)}" for count, noun in counts if count
    )


def _room(rows: int) -> int:
    """How many lines fit on a page, with so many ways to explain in each."""
    return max(1, int((TALLEST - 0.3) / (rows * _ROW + _LABELS)))


def _lines(answers: list[tuple[str, pd.DataFrame]], room: int) -> list[tuple[int, int]]:
    """The answer and the first place of each line."""
    sizes = [int(rows["place"].max()) + 1 for _, rows in answers[:_ANSWERS]]
    lines = [(answer, begin) for answer, size in enumerate(sizes) for begin in range(0, size, _TOKENS)]
    return lines[:room]


def _fill(axes: Axes, group: pd.DataFrame, begin: int) -> None:
    """One line: the tokens from a place on, beside the darkest of the whole text."""
    names = list(dict.fromkeys(group["explainer"]))
    peaks = np.nanmax(np.nan_to_num(_wide(group, names, "share")), axis=1, keepdims=True)
    shown = group[(group["place"] >= begin) & (group["place"] < begin + _TOKENS)]
    shares = _wide(shown, names, "share")
    values = np.divide(shares, peaks, out=np.zeros_like(shares), where=peaks > 0)
    axes.imshow(np.ma.masked_invalid(values), cmap="Blues", vmin=0.0, vmax=1.15, aspect="auto")
    for row, column in np.argwhere((_wide(shown, names, "importance") < 0) & (values > 0)):
        place = column - 0.44, row - 0.4
        axes.add_patch(Rectangle(place, 0.88, 0.8, fill=False, edgecolor=AGAINST, linewidth=0.8))
    if begin:  # the last line of a text has tokens as wide as those above it
        axes.set_xlim(-0.5, _TOKENS - 0.5)
    first = shown[shown["explainer"] == names[0]]
    axes.set_xticks(range(len(first)), [readable(token, _SIGNS) for token in first["token"]], rotation=60)
    axes.set_yticks(range(len(names)), [readable(name) for name in names])
    for label, special, by_model in zip(
        axes.get_xticklabels(), first["special"], _by_model(first), strict=True
    ):
        label.set(fontsize=TINY, color=FAINT if special else INK, ha="right", rotation_mode="anchor")
        if by_model:
            label.set(color=BY_MODEL, fontstyle="italic")
    axes.tick_params(axis="y", labelsize=SMALL)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def _by_model(rows: pd.DataFrame) -> np.ndarray:
    """Which tokens the model wrote itself; runs of before do not tell."""
    return rows["by_model"].to_numpy(bool) if "by_model" in rows else np.zeros(len(rows), bool)


def _wide(rows: pd.DataFrame, names: list[str], column: str) -> np.ndarray:
    return np.stack([rows.loc[rows["explainer"] == name, column].to_numpy(float) for name in names])
