"""What is printed of trust: the claims, why some were not decided, and every explanation."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable
from headscope.results.result import Result

CLAIMS = ("claim", "verdict", "value", "baseline", "ceiling")
EXPLANATIONS = ("explanation", "comprehensiveness", "sufficiency", "aopc", "until", "tau", "forward")
_DIGITS = {"baseline": 2, "ceiling": 2, "forward": 1}


def screen(result: Result) -> Iterator[Shown]:
    """Verdicts first."""
    claims, says = result.table("claims"), result.declaration("claims")
    yield Shown(says.title, readable(claims.round(_DIGITS), says, CLAIMS))
    for claim in claims[claims["why"] != ""].to_dict("records"):
        yield Shown(f"{claim['claim']}, {claim['verdict']}: {claim['why']}")
    says = result.declaration("faithfulness")
    table = result.table("faithfulness")[list(EXPLANATIONS)]  # without intervals, for which there is no room
    yield Shown(says.title, readable(table.round({**_DIGITS, "tau": 2}), says))
