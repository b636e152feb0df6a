"""What maps show, in a sentence; a look at one text claims nothing of the model."""

from __future__ import annotations

from headscope.results.finding import Finding, finding
from headscope.results.result import Result
from headscope.results.rows import is_scant


def findings(result: Result) -> list[Finding]:
    """The strongest link of all heads, of rows of which enough is left."""
    if "links" not in result.tables:
        return []
    links = result.table("links")
    links = links[~is_scant(links["left"])]
    text = "The strongest link in this text is that of head {head}, from “{from}” to “{to}”: {weight}."
    return [finding(result, "links", links["weight"].idxmax(), text, head="head")] if len(links) else []
