"""What is printed after heads were shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from headscope.questions.screens import Shown, readable, shares_beside
from headscope.questions.show.findings import COSINE
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The strongest link of each token, how much each mattered for the first answer, and what changed where
    heads were switched off."""
    attributes = result.arrays["maps"].attrs
    columns = ["head", "from", "to", "weight", *(["left"] if attributes["hidden"] else [])]
    links = readable(result.table("links"), result.declaration("links"), columns)
    yield Shown(f"Strongest link of each {attributes['unit']}", links)
    if "importance" in result.tables:
        table = result.table("importance")
        own = table[(table["answer"] == 0) & ~table["special"]]
        yield shares_beside(own, attributes["answers"][0], attributes["unit"])
    if "output" in result.tables and result.table("output")["after"].notna().any():
        # Every cosine of a vector with itself is 1.
        known = ["place", "before"] if attributes["measured_in"] == COSINE else ["place"]
        yield Shown(attributes["measured"], result.table("output").drop(columns=known).round(4))


def next_step(result: Result, options: Mapping[str, object], places: Mapping[str, str]) -> str | None:
    """How to get the picture."""
    return None if "saved" in places else "draw it: --save FILE.pdf, .svg, .png or .html"
