"""Verdicts on claims in a run, as the page gets them: a card each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headscope.results.vocabulary import NO, YES
from headscope.web.report.findings import cells_of, mark_of
from headscope.web.report.tables import RunTable, values_of
from headscope.web.report_wire import VerdictWire


def verdicts_of(tables: Sequence[RunTable]) -> Iterator[VerdictWire]:
    """Those of every table whose rows are claims, in their order."""
    for table in tables:
        if table.says.claims:
            yield from (_verdict(table, row) for row in range(len(table.table)))


def _verdict(table: RunTable, row: int) -> VerdictWire:
    cells = cells_of(table, row)
    verdict = str(cells["verdict"].value)
    best = values_of(table.table["ceiling"].iloc[[row]].astype("float64"))
    (why,) = values_of(table.table["why"].fillna("").iloc[[row]])
    return VerdictWire(
        table.verb,
        table.name,
        row,
        str(cells["claim"].value),
        {YES: True, NO: False}.get(verdict),
        verdict,
        str(cells["means"].value),
        why,
        mark_of(cells["value"], best),
    )
