"""What the shown heads do in the text, in sentences; a look at one text claims nothing of the model."""

from __future__ import annotations

from headscope.results.finding import Finding, finding
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """Each head's strongest link between ordinary tokens, and what changes most where heads are off."""
    links = result.table("links")
    text = "In this text, the strongest link of head {head} is from “{from}” to “{to}”: {weight}."
    telling = links[(links["to"] != "") & ~links["special"]]
    strongest = telling.groupby("head", sort=False)["weight"].idxmax()
    made = [finding(result, "links", row, text, head="head") for row in strongest]
    return [*made, *_output(result)]


def _output(result: Result) -> list[Finding]:
    output = result.tables.get("output")
    if output is None or output["after"].isna().all():
        return []
    most = (output["after"] - output["before"]).abs().astype(float).idxmax()
    text = "With heads switched off, “{label}” goes from {before} to {after}."
    return [finding(result, "output", most, text)]
