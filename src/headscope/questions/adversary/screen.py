"""What is printed of adversary: verdicts, the curve, given maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from headscope.questions.adversary.kinds import CARRIES, EMPTY, FALLS, NEEDED, NEEDED_BY_COPIES, REGIMES
from headscope.questions.screens import Shown, readable
from headscope.results.result import Result
from headscope.results.vocabulary import NOT_TESTED

VERDICT = ("claim", "net", "verdict", "value", "correlation", "against", "penalty", "models")
CURVE = ("kind", "attention", "penalty", "score", "variation", "jsd", "jsd_matched", "tau")
FROZEN = ("net", "maps", "penalty", "models", "score", "deviation")
_DIGITS = {"correlation": 2, "variation": 3, "jsd": 3, "jsd_matched": 3, "kl": 2, "tau": 2}
_ENDS = ("_lowest", "_highest")
WANTS = {
    NEEDED: "wants controls",
    NEEDED_BY_COPIES: "wants controls",
    CARRIES: "wants nets of ours and frozen maps",
    FALLS: "wants frozen maps of four penalties",
    REGIMES: "wants --around",
    EMPTY: "wants controls, and scores that fall by a step",
}
"""What a claim needs to be tested."""


def screen(result: Result) -> Iterator[Shown]:
    """Verdicts first; the lowest and highest of models stand in the tables."""
    verdicts = result.table("verdict")
    tested = verdicts["verdict"] != NOT_TESTED
    yield _shown(result, "verdict", VERDICT, verdicts[tested])
    if not tested.all():
        claims = dict.fromkeys(f"{claim} ({WANTS[claim]})" for claim in verdicts["claim"][~tested])
        yield Shown(f"Not tested: {'; '.join(claims)}.")
    yield _shown(result, "curve", CURVE)
    if "frozen" in result.tables:
        yield _shown(result, "frozen", FROZEN)
    if "collapse" in result.tables:
        yield _shown(result, "collapse", ("along", "place", "before", "behind", "gain"))


def _shown(result: Result, name: str, columns: Sequence[str], rows: pd.DataFrame | None = None) -> Shown:
    says, table = result.declaration(name), (result.table(name) if rows is None else rows).round(_DIGITS)
    kept = [column for column in map(str, table.columns) if not column.endswith(_ENDS)]
    return Shown(says.title, readable(table[kept], says, columns))
