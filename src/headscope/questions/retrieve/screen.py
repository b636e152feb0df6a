"""What is printed after a search for needles."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import ROWS, Shown, readable, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """What was found, the heads that are named, and what is found without them."""
    yield shown(result, "retrieval")
    heads, says = result.table("heads"), result.declaration("heads")
    named = heads[heads["named"]].head(ROWS)
    if len(named):
        yield Shown(says.title, readable(named, says, ["head", "score", "chance"]))
    if len(result.table("removal")) > 1:
        yield shown(result, "removal", ["removed", "count", "recall", "change"])
