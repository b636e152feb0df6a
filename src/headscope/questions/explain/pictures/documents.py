"""Documents sentence by sentence: how much each sentence mattered (orange, on the left), and each word in it
(blue, the darker the more the sentence matters too), signs left out; after figure 5 of Yang et al. 2016."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.running_text import BLUE, LINE, flow, write_word
from headscope.drawing.style import DOUBLE, FAINT, SMALL, TALLEST, new_figure
from headscope.questions.explain.called import answer_names
from headscope.results.reading import plural
from headscope.results.result import Result

ORANGE = "#D55E00"
_LEFT, _TITLE, _ANSWERS = 0.42, 0.4, 3  # inches for a sentence's share, and for a title; documents at most
_MOST = int((TALLEST - 0.5) / LINE)  # lines of a page


class _Word(NamedTuple):
    """What is written from a place on, in inches, on a colour."""

    text: str
    left: float
    wide: float
    shade: float
    colour: str


class _Panel(NamedTuple):
    """A document: its name, the lines that are shown, and how many are not."""

    name: str
    lines: list[list[_Word]]
    more: int


def needs(result: Result) -> bool:
    """Whether importance was summed over sentences."""
    table = result.tables.get("sentences")
    return table is not None and bool(table["share"].notna().any())


def draw(result: Result) -> Figure:
    """Draw the first documents by the first explainer that says anything of them."""
    table = result.table("sentences")
    first = str(table.loc[table["share"].notna(), "explainer"].iloc[0])
    panels = _panels(result, first)
    heights = [len(panel.lines) * LINE + _TITLE for panel in panels]
    figure = new_figure(DOUBLE, sum(heights) + 0.2)
    rows = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, panel in zip(rows, panels, strict=True):
        _fill(axes, panel.lines)
        axes.set_title(f"{readable(panel.name, 70)}, by {readable(first)}", loc="left", fontweight="bold")
        if panel.more:
            told = f"… {panel.more} more {'line' if panel.more == 1 else plural('line')}"
            axes.text(DOUBLE - 0.3, len(panel.lines), told, ha="right", va="top", fontsize=SMALL, color=FAINT)
    return figure


def _panels(result: Result, explainer: str) -> list[_Panel]:
    """The first documents, as far as a page has room."""
    sentences, tokens = (
        table[table["explainer"] == explainer].groupby(["text", "answer"], sort=False)
        for table in (result.table("sentences"), result.table("importance"))
    )
    panels, room = list[_Panel](), _MOST
    for name, (key, own) in zip(answer_names(result), sentences, strict=True):
        lines = _lines(own[own["sentence"] >= 0], tokens.get_group(key))
        shown = lines[: max(room - 2, 0)]
        if shown and len(panels) < _ANSWERS:
            panels.append(_Panel(name, shown, len(lines) - len(shown)))
            room -= len(shown) + 2
    return panels


def word_shades(importance: np.ndarray, share: float) -> np.ndarray:
    """sqrt(p_s) p_w of the words of a sentence, (word,) (Yang et al. 2016, section 3.5).

    p_s is the share of the sentence, p_w that of a word in it.

    >>> word_shades(np.array([3.0, -1.0]), 0.25)
    array([0.375, 0.125])
    """
    sizes = np.abs(np.nan_to_num(importance))
    total = sizes.sum()
    return np.sqrt(share) * sizes / total if total > 0 else np.zeros_like(sizes)


def _lines(sentences: pd.DataFrame, tokens: pd.DataFrame) -> list[list[_Word]]:
    """Lines of words; the first of each sentence begins with its share. What matters most is the darkest."""
    lines: list[list[_Word]] = []
    for number, share in zip(sentences["sentence"], sentences["share"].fillna(0.0), strict=True):
        own = tokens[tokens["sentence"] == number]
        words = [readable(token) for token in own["token"]]
        shades = word_shades(own["importance"].to_numpy(float), share)
        places = flow(words, DOUBLE - 0.3 - _LEFT)
        made: list[list[_Word]] = [[] for _ in range(int(places[:, 1].max(initial=0.0)) + 1)]
        for word, shade, (left, line, wide) in zip(words, shades.tolist(), places.tolist(), strict=True):
            made[int(line)].append(_Word(word, left + _LEFT, wide, shade, BLUE))
        made[0].insert(0, _Word(f"{100 * share:.0f} %", 0.0, _LEFT - 0.08, share, ORANGE))
        lines += made
    darkest = {BLUE: 1e-12, ORANGE: 1e-12}
    for each in (each for line in lines for each in line):
        darkest[each.colour] = max(darkest[each.colour], each.shade)
    return [[each._replace(shade=each.shade / darkest[each.colour]) for each in line] for line in lines]


def _fill(axes: Axes, lines: list[list[_Word]]) -> None:
    for number, line in enumerate(lines):
        for word in line:
            write_word(axes, word.text, word.left, number, word.wide, word.shade, word.colour)
    axes.set_xlim(0, DOUBLE - 0.3)
    axes.set_ylim(len(lines), 0)
    axes.set_axis_off()
