from __future__ import annotations

import pandas as pd
import pytest
import xarray as xr

from headscope.errors import RunError
from headscope.results.result import Result


def test_an_unknown_table_lists_the_names() -> None:
    result = Result("survey", tables={"heads": pd.DataFrame(), "examples": pd.DataFrame()})
    with pytest.raises(
        RunError, match=r"survey: unknown table 'head'; did you mean 'heads'\?.*heads, examples"
    ):
        result.table("head")


def test_rows_are_numbered_and_a_named_index_becomes_columns() -> None:
    table = pd.DataFrame({"x": [1, 2, 3]})
    grouped = pd.DataFrame({"layer": [0, 0, 1], "x": [1, 2, 3]}).groupby("layer").sum()
    result = Result("survey", tables={"cut": table[table.x > 1], "sums": grouped})
    assert result.table("cut").to_dict("list") == {"x": [2, 3]}
    assert list(result.table("cut").index) == [0, 1]
    assert result.table("sums").to_dict("list") == {"layer": [0, 1], "x": [3, 3]}


@pytest.mark.parametrize("name", ["", "../heads", "a/b", ".hidden", "two words", "x" * 101])
def test_names_that_cannot_be_files_are_refused(name: str) -> None:
    with pytest.raises(RunError, match="table name"):
        Result("survey", tables={name: pd.DataFrame()})
    with pytest.raises(RunError, match="array name"):
        Result("survey", arrays={name: xr.Dataset()})
    with pytest.raises(RunError, match="verb name"):
        Result(name)
