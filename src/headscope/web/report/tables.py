"""A run's tables as the page gets them: by columns, packed, each with what it says about itself."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype

from headscope.results.declaration import POINTS, Declaration
from headscope.web.packing import packed_json
from headscope.web.report_wire import Column, TableWire
from headscope.web.rounding import all_rounded

MOST_ROWS = 20_000
"""More rows are not sent: nobody scrolls through them, and the run folder has them all."""

Kind = Literal["number", "text", "truth"]


class RunTable(NamedTuple):
    """A table of a run, the verb that wrote it, and what it says about itself."""

    verb: str
    name: str
    table: pd.DataFrame
    says: Declaration


def table_wire(run_table: RunTable) -> TableWire:
    """A table, or its first rows."""
    verb, name, table, says = run_table
    shown = table.head(MOST_ROWS)
    # By place, not by name: two columns of a table may have the same name.
    columns = [shown.iloc[:, place] for place in range(shown.shape[1])]
    return TableWire(
        name,
        verb,
        says.title,
        says.row_in_words if says.row else "",
        [_column(column, says) for column in columns],
        len(shown),
        packed_json([values_of(column) for column in columns]),
        len(table) > MOST_ROWS,
    )


def _column(values: pd.Series, says: Declaration) -> Column:
    name = str(values.name)
    column = says.column(name)
    unit = "difference of shares, 0.01 is one point" if column.unit == POINTS else column.unit
    return Column(name, kind_of(values), column.says, unit, column.better)


def kind_of(column: pd.Series) -> Kind:
    """What a column holds, as the page shows it."""
    if is_bool_dtype(column.dtype):
        return "truth"
    return "number" if is_float_dtype(column.dtype) or is_integer_dtype(column.dtype) else "text"


def values_of(column: pd.Series) -> list[Any]:
    """The values of a column as JSON holds them, None where there is none.

    >>> values_of(pd.Series([0.12345678, float("nan")])), values_of(pd.Series(["a", None]))
    ([0.123457, None], ['a', None])
    """
    if is_float_dtype(column.dtype):
        return all_rounded(column.astype("float64"))
    convert = str if kind_of(column) == "text" else lambda value: value
    values = zip(column.tolist(), column.isna(), strict=True)
    return [None if is_missing else convert(value) for value, is_missing in values]
