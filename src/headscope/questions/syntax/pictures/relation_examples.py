"""Sentences on which heads that know a relation show it (Clark et al. 2019, figure 5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from headscope.drawing.columns import PALE, ROW, draw_lines, leave_room, write_tokens
from headscope.drawing.glyphs import readable
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, TEXT, kind_symbol, new_figure
from headscope.results.result import Result
from headscope.results.vocabulary import HEAD_FROM_DEPENDENT

_PANELS, _SENTENCES, _SIGNS = 6, 2, 9
_ACCENT = COLOURS[1]
_TITLE = 0.32  # inches above the sentences of a relation
_INTO = HEAD_FROM_DEPENDENT  # the reading that asks who attends to a word, not where a word attends to


class _Panel(NamedTuple):
    """A relation, its head, and its sentences."""

    title: str
    sentences: list[xr.Dataset]

    @property
    def rows(self) -> int:
        return max(map(_length, self.sentences))


def needs(result: Result) -> bool:
    """Whether the result holds example maps of relations."""
    examples = result.arrays.get("relation_examples")
    return examples is not None and examples["weights"].size > 0


def draw(result: Result) -> Figure:
    """Draw `weights` (example, query, key) as they are, up to two sentences for each of six relations.

    Words that bear the relation, all that they attend to (read `head<-dep`: all that attends to them) and
    the words that are right are coloured, by `arc` (example, query); `special` (example, query), if given,
    says which tokens are pale.
    """
    panels = _panels(result)
    across = min(2, len(panels))
    starts = range(0, len(panels), across)
    tall = [max(panel.rows for panel in panels[start : start + across]) for start in starts]
    wide = max(len(panel.sentences) for panel in panels)
    width = SINGLE if across * wide <= 2 else DOUBLE
    heights = [rows * ROW + _TITLE for rows in tall]
    figure = new_figure(width, sum(heights) + 0.1)
    frames = figure.subfigures(len(tall), across, squeeze=False, height_ratios=heights)
    drawn = []
    for place, (frame, panel) in enumerate(zip(frames.flat, panels, strict=False)):
        drawn += _draw_panel(frame, panel, tall[place // across], wide)
    leave_room(drawn, width / (across * wide) - 0.1)
    return figure


def _panels(result: Result) -> list[_Panel]:
    """Gather the sentences of each relation and head, in the order they come."""
    examples = result.arrays["relation_examples"]
    sentences: dict[tuple[str, ...], list[xr.Dataset]] = {}
    for place in range(examples.sizes["example"]):
        example = examples.isel(example=place)
        key = tuple(str(example[name].values) for name in ("relation", "head", "reading"))
        sentences.setdefault(key, []).append(example)
    return [_Panel(_title(result, *key), sentences[key][:_SENTENCES]) for key in list(sentences)[:_PANELS]]


def _title(result: Result, relation: str, head: str, reading: str) -> str:
    scores = result.arrays.get("relations")
    title = f"{readable(relation)}: {readable(head)}, {reading}"
    if scores is None:
        return title
    accuracy = float(scores["accuracy"].sel(relation=relation, head=head, reading=reading))
    return f"{title} {100 * accuracy:.0f} %"


def _draw_panel(frame: SubFigure, panel: _Panel, rows: int, columns: int) -> list[Axes]:
    frame.suptitle(panel.title, fontsize=TEXT, fontweight="bold")
    places = list(frame.subplots(1, columns, squeeze=False)[0])
    for axes in places[len(panel.sentences) :]:
        axes.set_axis_off()
    drawn = places[: len(panel.sentences)]
    for axes, sentence in zip(drawn, panel.sentences, strict=True):
        _draw_sentence(axes, sentence)
        axes.set_ylim(rows - 0.5, -0.5)
    return drawn


def _length(sentence: xr.Dataset) -> int:
    """How many tokens there are; the rest of the map is NaN."""
    return int(sentence["weights"].notnull().any("key").sum())


def _draw_sentence(axes: Axes, sentence: xr.Dataset) -> None:
    length = _length(sentence)
    sentence = sentence.isel(query=slice(length), key=slice(length))
    weights, arc = sentence["weights"].values, sentence["arc"].values
    special = sentence["special"].values.astype(bool) if "special" in sentence else np.zeros(length, bool)
    asks, right = arc >= 0, np.isin(np.arange(length), arc)
    into = str(sentence["reading"].values) == _INTO
    bears = np.broadcast_to(right[None, :] if into else asks[:, None], weights.shape)
    pale = (special[:, None] | special) & ~bears
    for colour, shown in ((PALE, pale), (kind_symbol(0).colour, ~pale & ~bears), (_ACCENT, bears)):
        draw_lines(axes, np.where(shown, weights, 0.0), colour)
    tokens = [readable(word, _SIGNS) for word in sentence["word"].values[:length]]
    plain = np.where(special, FAINT, INK)
    inks = (np.where(marked, _ACCENT, plain) for marked in (asks, right))
    left, there = (list(zip(tokens, ink, strict=True)) for ink in inks)
    write_tokens(axes, left, there)
