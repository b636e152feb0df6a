"""What is printed after a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable, shown
from headscope.results.result import Result

COLUMNS = ["head", "measure", "difference"]
ROWS = 20


def screen(result: Result) -> Iterator[Shown]:
    """How many heads changed in what, and the largest differences of each pair that are more than chance."""
    yield shown(result, "differences_summary")
    table, says = result.table("differences"), result.declaration("differences")
    changed = table[table["significant"]].sort_values("difference", key=abs, ascending=False)
    for pair in table.loc[table["significant"], "pair"].unique():
        largest = changed[changed["pair"] == pair].head(ROWS)
        yield Shown(f"{pair}: the largest", readable(largest, says, COLUMNS))
