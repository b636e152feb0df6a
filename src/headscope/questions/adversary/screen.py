"""What is printed of adversary: verdicts, the curve, given maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headscope.questions.screens import Shown, readable
from headscope.results.result import Result

VERDICT = ("claim", "net", "verdict", "value", "correlation", "against", "penalty", "models")
CURVE = ("kind", "attention", "penalty", "score", "variation", "jsd", "jsd_matched", "tau")
FROZEN = ("net", "maps", "penalty", "models", "score", "deviation")
_DIGITS = {"correlation": 2, "variation": 3, "jsd": 3, "jsd_matched": 3, "kl": 2, "tau": 2}
_ENDS = ("_lowest", "_highest")


def screen(result: Result) -> Iterator[Shown]:
    """Verdicts first; the lowest and highest of models stand in the tables."""
    yield _shown(result, "verdict", VERDICT)
    yield _shown(result, "curve", CURVE)
    if "frozen" in result.tables:
        yield _shown(result, "frozen", FROZEN)
    yield _shown(result, "collapse", ("along", "place", "before", "behind", "gain"))


def _shown(result: Result, name: str, columns: Sequence[str]) -> Shown:
    says, table = result.declaration(name), result.table(name).round(_DIGITS)
    kept = [column for column in map(str, table.columns) if not column.endswith(_ENDS)]
    return Shown(says.title, readable(table[kept], says, columns))
