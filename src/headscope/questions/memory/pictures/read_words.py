"""How well a probe reads a word from hidden states so many tokens later, a line for each layer."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from headscope.drawing.bars import add_layer_bar
from headscope.drawing.legends import Legend, entry
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE, layer_colours, new_figure
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether a model was read."""
    return "reading" in result.tables


def draw(result: Result) -> Figure:
    """Draw `accuracy` of `reading`, hollow where it is not shown to be above; beside it random twins."""
    table = result.table("reading")
    sides = {"the model": "accuracy", "random twins": "twin"}
    if table["twin"].isna().all():
        sides = {"the model": "accuracy", "shuffled labels": "shuffled"}
    layers = table["layer"].unique()
    colours, norm = layer_colours(layers)
    delays = sorted(set(table["delay"]))
    entries = [
        entry("surely told", INK, "o", markersize=3.0),
        entry("not shown", INK, "o", markersize=3.0, markerfacecolor="white"),
        entry("guessing", FAINT, linestyle=":", linewidth=0.8),
    ]
    legend = Legend(entries, DOUBLE - 0.1)
    height = 2.1
    figure = new_figure(DOUBLE if len(sides) > 1 else SINGLE, height + legend.height)
    panels = figure.subplots(1, len(sides), squeeze=False, sharey=True)
    for axes, (title, column) in zip(panels[0], sides.items(), strict=True):
        axes.axhline(100 * float(table["chance"].iloc[0]), color=FAINT, linestyle=":", linewidth=0.8)
        for layer in layers.tolist():
            own, colour = table[table["layer"] == layer], colours(norm(layer))
            axes.plot(own["delay"], 100 * own[column], color=colour, linewidth=1.0)
            shown = own if column == "accuracy" else own[:0]  # a twin is what is compared with
            for rows, face in ((shown[shown["sure"]], colour), (shown[~shown["sure"]], "white")):
                style = {"color": colour, "marker": "o", "markersize": 3.0, "markerfacecolor": face}
                axes.plot(rows["delay"], 100 * rows[column], linestyle="", **style)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator(delays))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticklabels([str(delay) for delay in delays])
        axes.set_title(title, loc="left", fontweight="bold")
        axes.set_xlabel("tokens since the word")
    panels[0, 0].set_ylim(0, 104)
    panels[0, 0].set_ylabel("right answers (%)")
    add_layer_bar(figure, panels, layers, height)
    legend.add_to(figure)
    return figure
