"""What maps show, in a sentence; a look at one text claims nothing of the model."""

from __future__ import annotations

from headscope.results.finding import Finding, finding
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """The strongest link of all heads."""
    links = result.table("links")
    text = "The strongest link in this text is that of head {head}, from “{from}” to “{to}”: {weight}."
    return [finding(result, "links", links["weight"].idxmax(), text, head="head")] if len(links) else []
