"""What is printed after heads were shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from headscope.questions.screens import Shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The strongest link of each token, and what changed where heads were switched off."""
    attributes = result.arrays["maps"].attrs
    yield Shown(f"Strongest link of each {attributes['unit']}", result.table("links").round(3))
    if "output" in result.tables and result.table("output")["after"].notna().any():
        yield Shown(attributes["measured"], result.table("output").round(4))


def next_step(options: Mapping[str, object], places: Mapping[str, str]) -> str | None:
    """How to get the picture."""
    return None if "saved" in places else "draw it: --save FILE.pdf, .svg, .png or .html"
