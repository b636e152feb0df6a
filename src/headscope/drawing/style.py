"""How every picture looks: paper-column sizes, 8 pt, thin lines, colours safe for colour-blind readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from threading import RLock
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import BoundaryNorm, Colormap, LinearSegmentedColormap, ListedColormap, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.typing import ColorType

from headscope.drawing.glyphs import fonts
from headscope.drawing.palette import COLOURS, role_colours
from headscope.results.vocabulary import (
    BROAD,
    COREFERENCE,
    FIRST_TOKEN,
    KEYWORDS,
    LOCAL,
    MIXED,
    NEXT_TOKEN,
    PREVIOUS_TOKEN,
    PUNCTUATION,
    SAME_TOKEN,
    SEPARATOR,
    SYNTAX,
    whole,
)

SINGLE, DOUBLE, TALLEST = 3.3, 6.8, 9.0  # inches: one column, two columns, a page
TEXT, SMALL, TINY = 8.0, 7.0, 5.5  # points
INK, FAINT, EMPTY = "#222222", "#8A8A8A", "#EFEFEF"
BY_MODEL = "#7B3294"  # words that a model wrote itself, in italics
BY_MODEL_SAYS = "purple, in italics: written by the model"
HEAT = matplotlib.colormaps["cividis"].with_extremes(bad=EMPTY)
GREY = LinearSegmentedColormap.from_list("grey", ["#C9C9C9", "#EFEFEF"])  # what says little, beside HEAT

MARKERS = ("o", "s", "^", "D", "v", "P", "X")


class Symbol(NamedTuple):
    """A colour and a marker: either one alone tells two things apart."""

    colour: str
    marker: str


_ROLE_MARKERS = {
    SYNTAX: "*",
    COREFERENCE: "p",
    KEYWORDS: "H",
    PREVIOUS_TOKEN: "<",
    NEXT_TOKEN: ">",
    SAME_TOKEN: "o",
    FIRST_TOKEN: "^",
    SEPARATOR: "s",
    PUNCTUATION: "P",
    BROAD: "D",
    LOCAL: "v",
    MIXED: "X",
}
_OTHER_MARKERS = ("h", "d", "8")

_SETTINGS: dict[Any, Any] = {
    "font.size": TEXT,
    "axes.titlesize": TEXT,
    "figure.labelsize": TEXT,
    "axes.labelsize": TEXT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": TEXT,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.2,
    "legend.labelspacing": 0.3,
    "legend.borderpad": 0.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlepad": 4.0,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "image.interpolation": "nearest",
    "figure.dpi": 200,  # as saved: letters take other room at other resolutions
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "headscope",
    "text.parse_math": False,  # a token such as $x_1$ is text
    "axes.formatter.use_mathtext": False,
}

_LOCK = RLock()


@contextmanager
def styled() -> Iterator[None]:
    """Hold our settings, and no one else's, while a figure is made or saved."""
    # matplotlib's settings belong to the process, so two threads must not hold them at once.
    with _LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**_SETTINGS, "font.family": list(fonts())})
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that many inches, never taller than a page, that no window manager knows of."""
    figure = Figure(figsize=(width, min(height, TALLEST)), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def settled(make: Callable[[], Figure]) -> Figure:
    """Make a figure in our style and fix its layout."""
    with styled():
        figure = make()
        # Tick labels and layout are made on first drawing. Made here and then kept, they take our style
        # wherever the figure goes next, and a second save finds nothing moved.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        # The last digits of a layout depend on where objects lie in memory, and names in an SVG on them.
        for axes in figure.axes:
            axes.set_position(np.round(axes.get_position(original=True).bounds, 9), which="original")
    return figure


def kind_symbol(position: int) -> Symbol:
    """The symbol of the n-th thing in a legend; past the palette's end colours and markers pair anew."""
    turn, place = divmod(position, len(COLOURS))
    return Symbol(COLOURS[place], MARKERS[(place + turn) % len(MARKERS)])


def role_symbols(roles: Iterable[str]) -> dict[str, Symbol]:
    """Give each role its symbol, in the order of the legend: known roles first, always with the same colour.

    >>> list(role_symbols(["mixed", "rare words", "separator"]))
    ['separator', 'mixed', 'rare words']
    """
    others, markers = cycle(_OTHER_MARKERS), dict(_ROLE_MARKERS)
    symbols = {}
    for role, colour in role_colours(roles).items():
        if whole(role) not in markers:
            markers[whole(role)] = next(others)
        symbol = Symbol(colour, markers[whole(role)])
        symbols[role] = symbol if whole(role) == role else paler(symbol)
    return symbols


def paler(symbol: Symbol) -> Symbol:
    """The symbol of what holds only partly: the same marker, the colour mixed with white."""
    colour = 0.45 * np.array(to_rgb(symbol.colour)) + 0.55
    return Symbol(to_hex(tuple(colour)), symbol.marker)


def ink_on(colour: ColorType) -> str:
    """Dark letters on light cells, white ones on dark cells.

    >>> ink_on("#F0E442"), ink_on("#0072B2")
    ('#222222', 'white')
    """
    brightness = float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))
    return INK if brightness > 0.5 else "white"


def layer_colours(layers: np.ndarray) -> tuple[Colormap, BoundaryNorm]:
    """One step of viridis per layer, from the first of `layers` to the last, without its palest yellow."""
    edges = np.arange(min(layers) - 0.5, max(layers) + 1.0)
    colours = ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.94, len(edges) - 1)))
    return colours, BoundaryNorm(edges, colours.N)
