"""Which head knows each relation: how often the best one is right, beside an offset and a random twin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import (
    DOUBLE,
    FAINT,
    INK,
    SINGLE,
    SMALL,
    TALLEST,
    TINY,
    Symbol,
    new_figure,
    paler,
)
from headscope.results.reading import both
from headscope.results.result import Result
from headscope.results.vocabulary import DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT

_ALL = "all"
_VISIBLE = 0.002  # a smaller difference cannot be seen
_SIZE = 4.2  # points: the best head's mark
_HEAD = Symbol(COLOURS[1], "o")
_SUMMED = Symbol(INK, "o")
_ROW, _FRAME = 0.145, 0.85  # inches: a relation, axis and headings
_ONE_PANEL = 20  # relations that stand under each other before a second panel begins
_LONG = 16  # letters of heads' names that need the whole width
_MARKS = {HEAD_FROM_DEPENDENT: "†", HEAD_TO_DEPENDENT: "‡"}


class _Kind(NamedTuple):
    """One mark of every relation: in which column it is, and how it looks."""

    column: str
    symbol: Symbol
    style: dict[str, Any]


_OUTLINED = {"markeredgewidth": 0.4, "markeredgecolor": "white"}
_BESIDE = {
    "random twin": _Kind(
        "twin", Symbol("#B8B8B8", "x"), {"markersize": 3.5, "markeredgewidth": 0.9, "zorder": 2}
    ),
    "best fixed offset": _Kind(
        "offset_accuracy", Symbol(COLOURS[0], "|"), {"markersize": 6, "markeredgewidth": 1.6}
    ),
    "best head, same data": _Kind(
        "same_data_accuracy", _HEAD, {"markersize": 3.2, "markerfacecolor": "white", "zorder": 3.5}
    ),
    "Clark et al. 2019": _Kind("published", Symbol(INK, "d"), {"markersize": 3.4, "zorder": 5, **_OUTLINED}),
}


def needs(result: Result) -> bool:
    """Whether the result has a best head for at least one relation."""
    table = result.tables.get("relations")
    return table is not None and bool(table["accuracy"].notnull().any())


def draw(result: Result) -> Figure:
    """Draw `accuracy` with its interval from the table `relations`, the most frequent relation on top.

    Of the table `published` all numbers are of relations that link the same words.
    """
    table, stack = _of_one_stack(_prepared(result))
    chosen = table[["head", "reading", "other_head", "other_reading"]].itertuples(index=False)
    table["note"] = [both(_head_label(*row[:2]), _head_label(*row[2:])) for row in chosen]
    is_wide = bool(table["note"].str.len().max() > _LONG)
    across = 2 if len(table) > _ONE_PANEL and not is_wide else 1
    width = DOUBLE if across == 2 or is_wide else SINGLE
    legend = Legend(_entries(table), width - 0.2)
    frame = _FRAME + legend.height
    shown = table.head(across * int((TALLEST - frame) / _ROW))
    rows = -(-len(shown) // across)
    figure = new_figure(width, frame + _ROW * rows)
    panels = figure.subplots(1, across, squeeze=False, gridspec_kw={"wspace": 0.08})[0]
    for place, axes in enumerate(panels):
        _fill(axes, shown.iloc[place * rows : (place + 1) * rows], rows)
    legend.add_to(figure)
    figure.supxlabel(_footnote(stack, shown, len(table)), fontsize=SMALL, color=FAINT)
    return figure


def _prepared(result: Result) -> pd.DataFrame:
    """The table with published numbers, and those on the same data only where they are others."""
    table = result.table("relations").copy()
    published = result.tables.get("published")
    table["published"] = np.nan
    if published is not None and len(published):
        table["published"] = table["relation"].map(published.set_index("ours")["published"]) / 100
    differs = (table["same_data_accuracy"] - table["accuracy"]).abs() > _VISIBLE
    table["same_data_accuracy"] = table["same_data_accuracy"].where(differs | table["accuracy"].isna())
    return table


def _head_label(head: str, reading: str) -> str:
    """A head, marked where it is not read in the usual way.

    >>> _head_label("L1H4", HEAD_FROM_DEPENDENT), _head_label("L3H8", DEPENDENT_TO_HEAD)
    ('L1H4†', 'L3H8')
    """
    return readable(head) + _MARKS.get(reading, "")


def _of_one_stack(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Name the stack once, if all heads are of one, and not before each of them."""
    heads = table[["head", "other_head"]]
    stacks = {str(name).rpartition(":")[0] for name in heads.to_numpy().ravel() if name}
    if len(stacks) != 1 or "" in stacks:
        return table, ""
    (stack,) = stacks
    bare = heads.apply(lambda names: names.str.removeprefix(f"{stack}:"))
    return table.assign(**bare), f" of the {stack}"


def _footnote(stack: str, shown: pd.DataFrame, known: int) -> str:
    signs = set("".join(shown["note"]))
    marked = [f"{mark} {reading}" for reading, mark in _MARKS.items() if mark in signs]
    note = "; ".join([f"Heads{stack} are read {DEPENDENT_TO_HEAD}", *marked])
    return note if len(shown) == known else f"{note}. The {len(shown)} most frequent of {known} relations"


def _fill(axes: Axes, table: pd.DataFrame, rows: int) -> None:
    places = np.arange(len(table), dtype=float)
    axes.hlines(places, 0, 100, color="#EDEDED", linewidth=0.5, zorder=0)
    for label, (column, (colour, marker), style) in _BESIDE.items():
        values = 100 * table[column].to_numpy(float)
        axes.plot(values, places, marker, label=label, color=colour, **style)
    for (colour, marker), is_drawn in _symbols(table):
        rows_drawn, there = table[is_drawn], places[is_drawn]
        low, high = 100 * rows_drawn["low"], 100 * rows_drawn["high"]
        axes.hlines(there, low, high, color=colour, linewidth=1.3, zorder=3)
        accuracy = 100 * rows_drawn["accuracy"].to_numpy(float)
        axes.plot(accuracy, there, marker, color=colour, markersize=_SIZE, zorder=4)
    _write_sides(axes, table, places)
    if table["relation"].iloc[0] == _ALL:
        axes.axhline(0.5, color=FAINT, linewidth=0.5)
    axes.set_xlim(-2, 102)
    axes.set_xticks(np.arange(0, 101, 20))
    axes.set_ylim(rows - 0.4, -0.6)
    axes.set_xlabel("right (%)")
    axes.spines["left"].set_visible(False)


def _symbols(table: pd.DataFrame) -> list[tuple[Symbol, np.ndarray]]:
    """How the best heads look: found, not found, and that of all relations together, which is not tested."""
    summed = (table["relation"] == _ALL).to_numpy()
    is_found = table["found"].to_numpy(bool)
    return [(paler(_HEAD), ~is_found & ~summed), (_HEAD, is_found), (_SUMMED, summed)]


def _write_sides(axes: Axes, table: pd.DataFrame, places: np.ndarray) -> None:
    """Name the relations on the left; on the right write how many words they have, and their heads."""
    labels = [readable(name, 20) for name in table["relation"]]
    axes.set_yticks(places, labels, fontsize=SMALL)
    axes.tick_params(axis="y", length=0)
    for tick, is_found in zip(axes.get_yticklabels(), table["found"], strict=True):
        tick.set_fontweight("bold" if is_found else "normal")
    style: dict[str, Any] = {
        "xycoords": axes.get_yaxis_transform(),
        "textcoords": "offset points",
        "va": "center",
        "fontsize": TINY,
    }
    texts = zip(
        [-1.0, *places], ["words", *(f"{n:,}" for n in table["words"])], ["head", *table["note"]], strict=True
    )
    for place, words, heads in texts:
        axes.annotate(words, (1.0, place), (24, 0), ha="right", color=FAINT, **style)
        axes.annotate(heads, (1.0, place), (29, 0), ha="left", color=FAINT if place < 0 else INK, **style)


def _entries(table: pd.DataFrame) -> list[Line2D]:
    """The legend: what is drawn, the best head first."""
    entries = []
    if table["found"].any():
        entries.append(entry("best head, found", *_HEAD, markersize=_SIZE, linewidth=1.3))
    if (~table["found"] & (table["relation"] != _ALL)).any():
        entries.append(entry("best head, not found", *paler(_HEAD), markersize=_SIZE, linewidth=1.3))
    for label, kind in reversed(_BESIDE.items()):
        if table[kind.column].notnull().any():
            entries.append(entry(label, *kind.symbol, linestyle="", **kind.style))
    return entries
