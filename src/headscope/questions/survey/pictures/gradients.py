"""How much the loss would change with attention to a kind of token, by layer (Clark et al. 2019, fig. 3)."""

from __future__ import annotations

from matplotlib.figure import Figure

from headscope.drawing.panels import Panel, Series, draw_panels
from headscope.drawing.stacks import has
from headscope.drawing.style import kind_symbol
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether the result holds gradients; a model without a loss has none."""
    return has(result, "gradient")


def draw(result: Result) -> Figure:
    """Draw the mean over each layer's heads of `gradient` (head, key), one line per kind of key."""
    heads = result.arrays["heads"]
    known = heads["gradient"].dropna("key", how="all")
    series = [
        Series("all tokens" if str(key) == "all" else str(key), known.sel(key=key), kind_symbol(place))
        for place, key in enumerate(known["key"].values)
    ]
    title = "Sensitivity of the loss to attention"
    return draw_panels(heads, [Panel(title, "mean |∂L/∂α|", series, points=False)])
