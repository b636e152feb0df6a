"""What the shown heads do in the text, in sentences; a look at one text claims nothing of the model."""

from __future__ import annotations

import pandas as pd

from headscope.questions.findings import most_important
from headscope.results.finding import Finding, finding
from headscope.results.result import Result
from headscope.results.rows import is_scant

COSINE, PROBABILITY = "cosine", "probability"
"""What the numbers of an output are."""
TOLERANCE = 1e-9
"""So far from 1 may probabilities be that make it together."""


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
    where = " with heads switched off" if _is_changed(result) else ""
    return most_important(result, table[table["answer"] == 0], f"the answer “{{label}}”{where}")


def _output(result: Result) -> list[Finding]:
    """What is now the most probable, or what changes most."""
    if not _is_changed(result):
        return []
    output, maps = result.table("output"), result.arrays.get("maps")
    unit = "" if maps is None else maps.attrs["measured_in"]
    before, after = output["before"].astype(float), output["after"].astype(float)
    most = (after - before).abs().idxmax()
    text = "“{label}” goes from {before} to {after}"
    if unit == COSINE:
        text = "the vector of “{label}” changes most: the cosine with what it was is {after}"
    elif unit == PROBABILITY and _are_rivals(before) and after.idxmax() != before.idxmax():
        most, text = after.idxmax(), "“{label}” becomes the most probable: from {before} to {after}"
    return [finding(result, "output", most, f"With heads switched off, {text}.")]


def _are_rivals(probabilities: pd.Series) -> bool:
    """Whether these are all answers to one question, of which one is right; not those of several words."""
    return abs(float(probabilities.sum()) - 1) < TOLERANCE


def _is_changed(result: Result) -> bool:
    """Whether heads were switched off, and what that does is known."""
    output = result.tables.get("output")
    return output is not None and bool(output["after"].notna().any())
