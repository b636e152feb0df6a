"""What is printed after a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable
from headscope.results.result import Result

COLUMNS = ["head", "difference"]
ROWS, PAIRS = 5, 3
"""Heads of a measure, and pairs of runs, at most."""


def screen(result: Result) -> Iterator[Shown]:
    """How many heads changed in what, and the largest differences of each measure that are more than chance.

    Measures have units of their own, so they do not share a table. Of a long series, the last pair is shown.
    """
    table, says = result.table("differences"), result.declaration("differences")
    summary, of_summary = result.table("differences_summary"), result.declaration("differences_summary")
    pairs = summary["pair"].drop_duplicates()
    title = of_summary.title
    if len(pairs) > PAIRS:
        table, summary = (each[each["pair"] == pairs.iloc[-1]] for each in (table, summary))
        title += f": the last of {len(pairs)} pairs of runs, tables and pictures have all"
    yield Shown(title, readable(summary, of_summary))
    changed = table[table["significant"]].sort_values("difference", key=abs, ascending=False)
    for pair, measure in table[["pair", "measure"]].drop_duplicates().itertuples(index=False):
        largest = changed[(changed["pair"] == pair) & (changed["measure"] == measure)]
        if len(largest):
            title = f"{pair}, {measure}: the largest of {len(largest)}"
            yield Shown(title, readable(largest.head(ROWS), says, COLUMNS))
