"""Parquet files as text: columns, batches of rows, and what is wrong with a broken one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from headscope.errors import InputError
from headscope.text import read
from headscope.text.readers import parquet


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "notes.parquet"
    texts = [f"Note number {number}." for number in range(7)]
    pd.DataFrame({"text": texts, "other": [f"Other {number}." for number in range(7)]}).to_parquet(path)
    return path


def test_one_document_per_row(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_ROWS", 3)
    documents = list(read(table))
    assert [document.text for document in documents] == [f"Note number {number}." for number in range(7)]
    assert [document.id for document in documents][:2] == ["notes.parquet:0", "notes.parquet:1"]


def test_the_column_can_be_chosen(table: Path) -> None:
    assert next(iter(read(table, column="other"))).text == "Other 0."
    with pytest.raises(InputError, match=r"'nothing'.*text, other"):
        read(table, column="nothing")
