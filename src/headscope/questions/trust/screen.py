"""What is printed of trust: the claims, what was not tested, and every explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from headscope.questions.screens import Shown, readable
from headscope.results.finding import values_of
from headscope.results.reading import Cells
from headscope.results.result import Result
from headscope.results.vocabulary import NOT_TESTED

CLAIMS = ("claim", "verdict", "value", "baseline", "ceiling", "way", "answers")
LEGEND = (
    "More is better of comprehensiveness (fall of the probability without the words that it marks), aopc "
    "(the same, words taken away one by one) and tau (agreement with leaving each word out); less of until "
    "(share of words gone when the answer changes) and forward (passes of the model for an answer)"
)
EXPLANATIONS = ("explanation", "comprehensiveness", "aopc", "until", "tau", "forward")


def screen(result: Result) -> Iterator[Shown]:
    """Verdicts first, then of what answers; intervals of the rest stand in the tables."""
    claims = result.table("claims")
    tested = claims[claims["verdict"] != NOT_TESTED].drop(columns=["value_low", "value_high"])
    yield _shown(result, "claims", tested, CLAIMS)
    for verdict, rest in claims[claims["why"] != ""].groupby("verdict"):
        told = [f"{claim}: {why}" for claim, why in rest[["claim", "why"]].itertuples(index=False)]
        yield Shown(f"{str(verdict).capitalize()} – {'; '.join(told)}")
    yield Shown(_explained(result))
    table = result.table("faithfulness")
    ends = [name for name in map(str, table.columns) if name.endswith(("_low", "_high"))]
    yield _shown(result, "faithfulness", table.drop(columns=ends), EXPLANATIONS)
    yield Shown(LEGEND)


def _explained(result: Result) -> str:
    """How good the answers themselves are: the card of a model that guesses tells little."""
    row = values_of(result, "answered", 0)
    known = "; {right} are right" if row["right"] == row["right"] else ""
    told = f"What was explained – {{answers:n answer}} to {{data}}, mean probability {{probability}}{known}"
    return Cells(row, result.declaration("answered")).fill(told)


def _shown(result: Result, name: str, table: pd.DataFrame, columns: Sequence[str]) -> Shown:
    says = result.declaration(name)
    digits = {"value": 3, "baseline": 3, "ceiling": 3, "tau": 2, "forward": 1}
    return Shown(says.title, readable(table.round(digits), says, columns))
