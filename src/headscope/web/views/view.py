"""A look as a page of its own, as a question saves it and notebooks show it."""

from __future__ import annotations

from headscope.errors import OptionError
from headscope.results.look import LookView
from headscope.results.provenance import version
from headscope.web.packing import wired, wired_explanation
from headscope.web.wire import Page, ViewWire


def view_page(view: LookView) -> Page:
    """A page with one look."""
    maps = view.look.stack(view.stack)
    sheets = {sheet.layer: sheet for sheet in maps.sheets}
    layer = next(iter(sheets)) if view.layer is None else view.layer
    if layer not in sheets:
        raise OptionError(f"no layer {layer}: the look holds layers {', '.join(map(str, sheets))}")
    missing = [head for head in view.heads or () if head not in sheets[layer].heads]
    if missing:
        raise OptionError(f"no head L{layer}H{missing[0]} in the {maps.stack} of the look")
    wire = ViewWire(
        wired(view.look, view.title), view.layout, maps.stack, layer,
        None if view.heads is None else list(view.heads), view.dark,
        view.words, view.special, view.first_token, view.scale, view.drawing,
        None if view.explanation is None else wired_explanation(view.explanation),
    )  # fmt: skip
    return Page(view.title or view.look.model, version(), view=wire)
