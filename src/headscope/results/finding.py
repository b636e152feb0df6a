"""Making a finding: a sentence that a colleague would say, each of whose numbers stands in a table."""

from __future__ import annotations

from typing import Any

from headscope.results.reading import Cells
from headscope.results.result import Finding, Result

__all__ = ["LEVEL", "Finding", "finding", "values_of"]

LEVEL = 0.05
"""What chance alone gives more rarely than this counts as found."""


def values_of(result: Result, table: str, row: Any) -> dict[str, Any]:
    """The cells of a row by their columns; row: its number."""
    (values,) = result.table(table).iloc[[int(row)]].to_dict("records")
    return {str(name): value for name, value in values.items()}


def finding(
    result: Result, table: str, row: Any, text: str, *, decided: bool = True, head: str | None = None
) -> Finding:
    """A sentence filled from a row of a table: {effect} is a value, {effect:full} one with its interval.

    Only what its numbers decide is worded as found. decided: whether they do; else the sentence says that it
    is open. head: the column that names the head it points to.

    >>> import pandas as pd
    >>> from headscope.results.declaration import Column, Declaration
    >>> says = Declaration("Gaps", ("head",), {"head": Column("head"), "gap": Column("gap", unit="share")})
    >>> gaps = pd.DataFrame({"head": ["L0H1"], "gap": [0.25]})
    >>> result = Result("mine", tables={"gaps": gaps}, declared={"gaps": says})
    >>> finding(result, "gaps", 0, "{head} leaves {gap} out.", head="head").text
    'L0H1 leaves 25 % out.'
    """
    cells = Cells(values_of(result, table, row), result.declaration(table))
    sentence = cells.fill(text)
    points_to = None if head is None else str(cells[head].value)
    columns = tuple(dict.fromkeys(cells.columns))
    return Finding(sentence, table, int(row), bool(decided), points_to, columns, tuple(cells.read))
