"""What was found, in sentences: those that a question's `findings.py` makes of its result."""

from __future__ import annotations

from typing import Any

import pandas as pd

from headscope.questions import VERBS
from headscope.results.finding import Finding, finding
from headscope.results.result import Result


def findings_of(result: Result) -> list[Finding]:
    """The findings of a result, the most telling first; none, where its question makes none."""
    verb = VERBS.get(result.verb)
    if verb is None or not verb.has("findings"):
        return []
    made: list[Finding] = verb.module("findings").findings(result)
    return made


def most_important(result: Result, rows: pd.DataFrame, answer: str) -> list[Finding]:
    """The token that mattered most by each explainer, and whether it speaks against the answer.

    rows: of the table of importances, those of one answer. answer: what it is called in the sentence.
    """
    most = rows[rows["share"].notna()].groupby("explainer", sort=False)["share"].idxmax()
    text = (
        "By {{explainer}}, “{{token}}{number}” mattered most for {answer}{sign}, with {{share}} of all "
        "importance."
    )
    found = []
    for row in most:
        sign = ", speaking against it" if rows["importance"][row] < 0 else ""
        own = text.format(number=_number(rows, row), answer=answer, sign=sign)
        found.append(finding(result, "importance", row, own))
    return found


def _number(rows: pd.DataFrame, row: Any) -> str:
    """Which of several equal tokens is meant, such as " (2)"; nothing, where there is one."""
    alike = (rows[["explainer", "token"]] == rows.loc[row, ["explainer", "token"]]).all(axis=1)
    places = rows.index[alike].tolist()
    return f" ({1 + places.index(row)})" if len(places) > 1 else ""
