"""What is printed after a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable, shown
from headscope.results.result import Result

COLUMNS = ["head", "measure", "difference"]
ROWS = 5


def screen(result: Result) -> Iterator[Shown]:
    """How many heads changed in what, and the largest differences of each measure that are more than chance.

    Measures have units of their own, so they do not share a table.
    """
    yield shown(result, "differences_summary")
    table, says = result.table("differences"), result.declaration("differences")
    changed = table[table["significant"]].sort_values("difference", key=abs, ascending=False)
    for pair, measure in table[["pair", "measure"]].drop_duplicates().itertuples(index=False):
        largest = changed[(changed["pair"] == pair) & (changed["measure"] == measure)]
        if len(largest):
            title = f"{pair}, {measure}: the largest of {len(largest)}"
            yield Shown(title, readable(largest.head(ROWS), says, COLUMNS))
