"""What the page is given. `python -m client.wire` writes the same types for the client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headscope.heads import Stack
from headscope.results.look import Special
from headscope.web.live_wire import Live
from headscope.web.look_wire import ExplanationWire, LookWire
from headscope.web.report_wire import Report


@dataclass(frozen=True)
class ViewWire:
    """A look as a notebook shows it: one large head view, or all heads small; with what is chosen first.

    words: tokens are words, else pieces. first_token: it is one of the special tokens. drawing: of a large
    head. explanation: what mattered in the text.
    """

    look: LookWire
    layout: Literal["heads", "model"]
    stack: Stack
    layer: int
    heads: list[int] | None
    dark: bool | None
    words: bool = True
    special: Special = "shown"
    first_token: bool = False
    scale: Literal["linear", "log"] = "linear"
    drawing: Literal["lines", "matrix"] = "lines"
    explanation: ExplanationWire | None = None


@dataclass(frozen=True)
class Page:
    """All that a page is given; exactly what it shows is not None."""

    title: str
    version: str
    report: Report | None = None
    live: Live | None = None
    view: ViewWire | None = None
