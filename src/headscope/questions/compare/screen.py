"""What is printed after a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown
from headscope.results.result import Result

COLUMNS = ["head", "difference", "low", "high"]
ROWS = 5


def screen(result: Result) -> Iterator[Shown]:
    """How many differences of each pair are more than chance, and the largest of each measure.

    Measures have units of their own, so they do not share a table.
    """
    table = result.table("differences")
    for pair, every in table.groupby("pair", sort=False):
        if every["reach"].isna().all():
            yield Shown(f"{pair}: too few documents to tell {len(every)} differences from chance")
            continue
        changed = every[every["significant"]].sort_values("difference", key=abs, ascending=False)
        yield Shown(f"{pair}: {len(changed)} of {len(every)} differences are more than chance")
        for measure in every["measure"].unique():
            largest = changed.loc[changed["measure"] == measure, COLUMNS]
            if len(largest):
                yield Shown(f"{pair}, {measure}: the largest of {len(largest)}", largest.head(ROWS))
