"""What is printed after a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown
from headscope.results.result import Result

SHOWN = ["head", "measure", "difference", "low", "high"]


def screen(result: Result) -> Iterator[Shown]:
    """How many differences are more than chance, and the largest of each pair."""
    table = result.table("differences")
    changed = table[table["significant"]].sort_values("difference", key=abs, ascending=False)
    yield Shown(f"{len(changed)} of {len(table)} differences are more than chance")
    for pair in table.loc[table["significant"], "pair"].unique():
        yield Shown(f"{pair}: the largest", changed.loc[changed["pair"] == pair, SHOWN].head(20))
