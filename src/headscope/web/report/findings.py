"""What was found in a run, as the page gets it: sentences, each with a number on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from headscope.results.reading import Cell, Cells
from headscope.results.result import Finding
from headscope.web.report.tables import RunTable, values_of
from headscope.web.report_wire import FindingWire, Mark
from headscope.web.rounding import all_rounded

FEW, MOST_OTHERS = 2, 1000
"""Rows of a table among which one has no place; rows that are drawn beside the one of a finding."""


def finding_wire(verb: str, finding: Finding, tables: Sequence[RunTable]) -> FindingWire:
    """One sentence; where its table could not be read, it comes without a number."""
    own = [table for table in tables if (table.verb, table.name) == (verb, finding.table)]
    mark = _mark(finding, own[0]) if own and 0 <= finding.row < len(own[0].table) else None
    return FindingWire(verb, finding.text, finding.decided, finding.head, finding.table, finding.row, mark)


def _mark(finding: Finding, about: RunTable) -> Mark | None:
    """The first number of the sentence that has an interval; or one that stands beside another; or any among
    those of other rows. A number that only names the row, such as a seed, is none."""
    cells = cells_of(about, finding.row)
    named = [cells[name] for name in finding.columns if name in cells and name not in about.says.row]
    known = [cell for cell in named if _is_number(cell.value)]
    with_interval = [cell for cell in known if all(map(_is_number, cell.interval))]
    with_baseline = [cell for cell in known if _is_number(cell.baseline)]
    among_others = [cell for cell in known if about.table[cell.name].notna().sum() > FEW]
    for cell in [*with_interval, *with_baseline, *among_others]:
        numbers = pd.to_numeric(about.table[cell.name].head(MOST_OTHERS), errors="coerce")
        return mark_of(cell, values_of(numbers.astype("float64")))
    return None


def cells_of(about: RunTable, row: int) -> Cells:
    """A row of a table for reading."""
    (values,) = about.table.iloc[[row]].to_dict("records")
    return Cells({str(name): value for name, value in values.items()}, about.says)


def mark_of(cell: Cell, others: list[float | None]) -> Mark | None:
    """A number on a line, None where it is none."""
    ends = (cell.value, *cell.interval, cell.baseline)
    numbers = all_rounded(np.array([float(end) if _is_number(end) else np.nan for end in ends]))
    value, low, high, baseline = numbers
    return (
        None if value is None else Mark(cell.column.says, f"{cell:full}", value, low, high, baseline, others)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
