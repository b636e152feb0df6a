"""What was found, in sentences: those that a question's `findings.py` makes of its result."""

from __future__ import annotations

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
    text = "By {{explainer}}, “{{token}}” mattered most for {answer}{sign}: {{share}}."
    signs = [", speaking against it" if rows["importance"][row] < 0 else "" for row in most]
    filled = [text.format(answer=answer, sign=sign) for sign in signs]
    return [finding(result, "importance", row, own) for row, own in zip(most, filled, strict=True)]
