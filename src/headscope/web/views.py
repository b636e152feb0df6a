"""A look as a page of its own, as `headscope show` saves it and notebooks show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from headscope.errors import OptionError
from headscope.heads import Stack
from headscope.results.look import Look, Special
from headscope.results.provenance import version
from headscope.web.packing import wired
from headscope.web.wire import Page, View


def view_page(
    look: Look,
    *,
    layout: Literal["heads", "model"] = "heads",
    stack: Stack | None = None,
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    dark: bool | None = None,
    title: str = "",
    words: bool = True,
    special: Special = "shown",
    scale: Literal["linear", "log"] = "linear",
    drawing: Literal["lines", "matrix"] = "lines",
) -> Page:
    """A page with one look: some heads of a layer large, or with layout "model" all heads small.

    stack, layer and heads are those shown first; by default the first stack, its first layer, all heads.
    dark: None follows the reader's system. The last four: how maps are drawn at first.
    """
    part = look.part(stack)
    sheets = {sheet.layer: sheet for sheet in part.sheets}
    first = next(iter(sheets)) if layer is None else layer
    if first not in sheets:
        raise OptionError(f"no layer {first}: the look holds layers {', '.join(map(str, sheets))}")
    missing = [head for head in heads or () if head not in sheets[first].heads]
    if missing:
        raise OptionError(f"no head L{first}H{missing[0]} in the {part.stack} of the look")
    chosen = None if heads is None else list(heads)
    view = View(wired(look, title), layout, part.stack, first, chosen, dark, words, special, scale, drawing)
    return Page(title or look.model, version(), view=view)
