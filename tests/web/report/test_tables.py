"""Tables as the page gets them: by columns, few digits, nothing that JSON cannot hold."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from typing import Any

import numpy as np
import pandas as pd

from headscope.results.declaration import Column as Says
from headscope.results.declaration import Declaration
from headscope.web.report import tables
from headscope.web.report.tables import RunTable, table_wire
from headscope.web.report_wire import Column

PLAIN = Declaration("Plain", (), {})


def values(wire: Any) -> list[list[Any]]:
    return json.loads(zlib.decompress(b64decode(wire.data)))


def test_columns_keep_their_kinds_and_values() -> None:
    table = pd.DataFrame(
        {
            "head": ["L0H0", None],
            "share": [1 / 3, np.nan],
            "count": [7, 2**40],
            "found": [True, False],
            "far": [np.inf, -123456.789],
        }
    )
    says = Declaration("All heads", ("head",), {"share": Says("part of it", "share", better="higher")})
    wire = table_wire(RunTable("survey", "heads", table, says))
    assert wire.columns == [
        Column("head", "text", "head", "", None), Column("share", "number", "part of it", "share", "higher"),
        Column("count", "number", "count", "", None), Column("found", "truth", "found", "", None),
        Column("far", "number", "far", "", None),
    ]  # fmt: skip
    assert (wire.name, wire.verb, wire.rows, wire.cut) == ("heads", "survey", 2, False)
    assert (wire.title, wire.row) == ("All heads", "head")
    assert values(wire) == [
        ["L0H0", None], [0.333333, None], [7, 2**40], [True, False], [None, -123457.0],
    ]  # fmt: skip


def test_missing_whole_numbers_and_truths_are_null() -> None:
    table = pd.DataFrame(
        {"count": pd.array([1, None], dtype="Int64"), "found": pd.array([None, True], dtype="boolean")}
    )
    wire = table_wire(RunTable("survey", "heads", table, PLAIN))
    assert [column.kind for column in wire.columns] == ["number", "truth"]
    assert values(wire) == [[1, None], [None, True]]


def test_columns_of_one_name_stay_apart() -> None:
    table = pd.DataFrame([[1, "a"]], columns=["x", "x"])
    wire = table_wire(RunTable("survey", "pairs", table, PLAIN))
    assert [(column.name, column.kind) for column in wire.columns] == [("x", "number"), ("x", "text")]
    assert values(wire) == [[1], ["a"]]


def test_other_values_are_written_as_text() -> None:
    table = pd.DataFrame({"when": pd.to_datetime(["2024-02-29"]), "list": [[1, 2]]})
    assert values(table_wire(RunTable("survey", "odd", table, PLAIN))) == [
        ["2024-02-29 00:00:00"],
        ["[1, 2]"],
    ]


def test_a_long_table_is_cut(monkeypatch: Any) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    wire = table_wire(RunTable("survey", "long", pd.DataFrame({"n": range(4)}), PLAIN))
    assert (wire.rows, wire.cut, values(wire)) == (3, True, [[0, 1, 2]])
    whole = table_wire(RunTable("survey", "long", pd.DataFrame({"n": range(3)}), PLAIN))
    assert (whole.rows, whole.cut) == (3, False)


def test_an_empty_table_is_a_table() -> None:
    wire = table_wire(RunTable("survey", "none", pd.DataFrame({"head": pd.Series([], dtype=str)}), PLAIN))
    assert (wire.rows, values(wire)) == (0, [[]])
