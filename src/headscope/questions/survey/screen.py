"""What is printed after a survey."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The roles, those behind the first token, and whether layers are alike."""
    for table in ("roles", "behind"):
        if len(result.tables.get(table, ())):
            yield shown(result, table, ["role", "heads", "best", "score", "rule"])
    if len(result.tables.get("induction", ())):
        known = result.table("induction")
        columns = ["head", "share", "uniform", "role", "otherwise", "copying"]
        yield shown(result, "induction", [column for column in columns if column in known])
    if "onsets" in result.tables:
        yield shown(result, "onsets", ["series", "role", "checkpoint", "order", "head", "score"])
    if "layers" in result.tables:
        yield shown(result, "layers")
