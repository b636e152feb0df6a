from __future__ import annotations

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headscope.errors import RunError
from headscope.results.declaration import Declaration
from headscope.results.tables import LATEX_ROWS, read_table, write_table

SAYS = Declaration("Heads", ("head",), {})
ROW = st.tuples(st.text(), st.floats(), st.integers(-(2**63), 2**63 - 1), st.booleans())


@settings(deadline=None, max_examples=60)
@given(st.lists(ROW, max_size=5))
@example([('a "b",\n\r\0;', -0.0, 2**63 - 1, True), ("", float("inf"), 0, False)])
def test_parquet_keeps_types_and_csv_keeps_every_value(rows: list[tuple[str, float, int, bool]]) -> None:
    table = pd.DataFrame(rows, columns=["word", "share", "count", "kept"])
    with TemporaryDirectory() as folder:
        write_table(Path(folder), "survey", "heads", table, SAYS)
        pd.testing.assert_frame_equal(read_table(Path(folder), "survey", "heads"), table, check_exact=True)
        with (Path(folder) / "tables/survey/heads.csv").open(encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
    assert head == ["word", "share", "count", "kept"]
    assert len(lines) == len(rows)
    for line, (word, share, count, kept) in zip(lines, rows, strict=True):
        assert line[0] == word
        assert line[1] == "" if np.isnan(share) else float(line[1]) == share
        assert int(line[2]) == count
        assert line[3] == str(kept)


def test_a_missing_word_stays_missing(tmp_path: Path) -> None:
    table = pd.DataFrame({"word": ["a", None]})
    write_table(tmp_path, "survey", "heads", table, SAYS)
    assert read_table(tmp_path, "survey", "heads")["word"].isna().tolist() == [False, True]


def test_latex_is_written_for_what_can_be_printed(tmp_path: Path) -> None:
    write_table(tmp_path, "survey", "small", pd.DataFrame({"x": [1]}), SAYS)
    write_table(tmp_path, "survey", "large", pd.DataFrame({"x": np.zeros(LATEX_ROWS + 1)}), SAYS)
    assert r"\label{tab:survey-small}" in (tmp_path / "tables/survey/small.tex").read_text()
    assert {path.name for path in (tmp_path / "tables/survey").glob("large*")} == {
        "large.csv",
        "large.parquet",
    }


def test_a_missing_or_damaged_table_is_explained(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"tables/survey/heads.parquet: cannot be read .*another --out"):
        read_table(tmp_path, "survey", "heads")
    write_table(tmp_path, "survey", "heads", pd.DataFrame({"x": range(100)}), SAYS)
    path = tmp_path / "tables/survey/heads.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RunError, match=r"tables/survey/heads.parquet: cannot be read"):
        read_table(tmp_path, "survey", "heads")
