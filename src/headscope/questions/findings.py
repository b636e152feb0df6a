"""What was found, in sentences: those that a question's `findings.py` makes of its result."""

from __future__ import annotations

from headscope.questions import VERBS
from headscope.results.finding import Finding
from headscope.results.result import Result


def findings_of(result: Result) -> list[Finding]:
    """The findings of a result, the most telling first; none, where its question makes none."""
    verb = VERBS.get(result.verb)
    if verb is None or not verb.has("findings"):
        return []
    made: list[Finding] = verb.module("findings").findings(result)
    return made
