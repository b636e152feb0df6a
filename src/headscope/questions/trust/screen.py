"""What is printed of trust: the card, the claims, and every explanation."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable
from headscope.results.result import Result

CLAIMS = ("claim", "verdict", "value", "baseline", "ceiling", "way", "answers", "why")
EXPLANATIONS = ("explanation", "comprehensiveness", "sufficiency", "aopc", "naopc", "until", "tau", "forward")


def screen(result: Result) -> Iterator[Shown]:
    """Verdicts first."""
    for name, columns in (("claims", CLAIMS), ("faithfulness", EXPLANATIONS)):
        says = result.declaration(name)
        table = result.table(name).round({"value": 3, "baseline": 3, "ceiling": 3, "naopc": 3, "forward": 1})
        yield Shown(says.title, readable(table, says, columns))
