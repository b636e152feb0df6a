"""A text with its words coloured by what the regression and the best head say; keywords are underlined."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.drawing.glyphs import readable
from headscope.drawing.legends import Legend, entry
from headscope.drawing.running_text import LINE, flow, write_word
from headscope.drawing.style import DOUBLE, INK, new_figure
from headscope.results.result import Result

_TITLES = {
    "regression": "regression over all heads: the darker, the likelier a key word",
    "head": "best head: the darker, the more a word receives (by rank)",
}


def needs(result: Result) -> bool:
    """Whether a text was kept."""
    return "keyword_example" in result.arrays


def draw(result: Result) -> Figure:
    """Draw `score` (way, word) as colours behind words, a panel per way."""
    example = result.arrays["keyword_example"]
    words = [readable(str(word)) for word in example["surface"].values]
    places = flow(words, DOUBLE - 0.3)
    lines = int(places[:, 1].max()) + 1 if len(places) else 1
    ways = example["way"].values.astype(str).tolist()
    legend = Legend([entry("of a keyword, as given", INK, linewidth=0.9)], DOUBLE - 0.1)
    figure = new_figure(DOUBLE, len(ways) * (lines * LINE + 0.35) + legend.height)
    panels = figure.subplots(len(ways), 1, squeeze=False)[:, 0]
    for axes, way in zip(panels, ways, strict=True):
        _write(axes, example.sel(way=way), words, places, lines)
        axes.set_title(_TITLES[way], loc="left", fontweight="bold")
    legend.add_to(figure)
    return figure


def _write(axes: Axes, example: xr.Dataset, words: list[str], places: np.ndarray, lines: int) -> None:
    scores, is_key = example["score"].values, example["keyword"].values.astype(bool)
    for word, score, key, (left, line, wide) in zip(words, scores, is_key, places.tolist(), strict=True):
        shade = 0.0 if score != score else float(np.clip(score, 0, 1)) ** 1.5
        write_word(axes, word, left, line, wide, shade)
        if key:
            axes.plot([left, left + wide], [line + 0.92] * 2, color=INK, linewidth=0.9)
    axes.set_xlim(0, DOUBLE - 0.3)
    axes.set_ylim(lines, 0)
    axes.set_axis_off()
