"""What the shown heads do in the text, in sentences; a look at one text claims nothing of the model."""

from __future__ import annotations

from headscope.questions.findings import most_important
from headscope.results.finding import Finding, finding
from headscope.results.result import Result
from headscope.results.rows import is_scant


def findings(result: Result) -> list[Finding]:
    """Each head's strongest link between ordinary tokens, of rows that see several and have enough left; what
    mattered most by each way to explain, and what changes most where heads are off."""
    mattered = _mattered(result) if "importance" in result.tables else []
    return [*_links(result), *mattered, *_output(result)]


def _links(result: Result) -> list[Finding]:
    links = result.table("links")
    text = "In this text, the strongest link of head {head} is from “{from}” to “{to}”: {weight}."
    telling = links[(links["to"] != "") & ~links["special"] & ~links["alone"] & ~is_scant(links["left"])]
    strongest = telling.groupby("head", sort=False)["weight"].idxmax()
    return [finding(result, "links", row, text, head="head") for row in strongest]


def _mattered(result: Result) -> list[Finding]:
    """The token that mattered most for the first answer, by each way."""
    table = result.table("importance")
    return most_important(result, table[table["answer"] == 0], "the answer “{label}”")


def _output(result: Result) -> list[Finding]:
    output = result.tables.get("output")
    if output is None or output["after"].isna().all():
        return []
    most = (output["after"] - output["before"]).abs().astype(float).idxmax()
    text = "With heads switched off, “{label}” goes from {before} to {after}."
    return [finding(result, "output", most, text)]
