"""Why it is not shown that a head finds keywords, in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headscope
from headscope.models import Model
from headscope.questions.keywords.findings import findings
from headscope.results.result import Result
from tests.questions.keywords.made import texts, write_table
from tests.shapes import bert  # noqa: F401

SHOWN: dict[str, Any] = {
    "head": "L0H1", "other_head": "L0H1", "auprc": 0.5, "low": 0.4, "high": 0.6, "tfidf": 0.3,
    "gain": 0.2, "gain_low": 0.1, "gain_high": 0.3, "p_all": 0.001, "twin": 0.2,
    "twin_high": 0.25, "found": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def result(bert: Model, tmp_path_factory: pytest.TempPathFactory) -> Result:  # noqa: F811
    return headscope.keywords(bert, _texts(tmp_path_factory.mktemp("texts"), 16), twins=0, hidden=False)


def _texts(folder: Path, count: int) -> Path:
    write_table(folder / "texts.csv", texts(count))
    return folder / "texts.csv"


def _first(result: Result, **other: Any) -> str:
    table = result.table("keyword_best").assign(**SHOWN | other)
    result.tables["keyword_best"] = table
    return findings(result)[0].text


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({}, "Head L0H1 finds keywords better than TF-IDF"),
        ({"found": False, "gain_low": np.nan, "gain_high": np.nan}, "for which there are too few documents"),
        ({"found": False, "gain_low": -0.1}, "as the difference, +0.2 (-0.1 to +0.3), may be chance"),
        (
            {"found": False, "gain": -0.1114764, "gain_low": -0.2, "gain_high": -0.02},
            "as TF-IDF finds them better, by a difference of -0.111 (-0.2 to -0.02); the best is L0H1: ",
        ),
        (
            {"found": False, "gain_low": -0.1, "other_head": "L1H0"},
            "the best are L0H1 and L1H0, each of half of the documents: average precision 0.5 (0.4 to 0.6) "
            "where",
        ),
        ({"found": False, "p_all": 0.2}, "no more than words of equal frequency (p = 0.2"),
        ({"found": False, "twin": np.nan, "twin_high": np.nan}, "as no random twin was held against it"),
        ({"found": False, "twin_high": 0.6}, "as a random twin is as good (0.6"),
    ],
)
def test_what_is_missing_is_said(result: Result, other: dict[str, Any], said: str) -> None:
    assert said in _first(result, **other)


def test_few_documents_have_no_interval(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    """0 to 1 would look like one."""
    few = headscope.keywords(bert, _texts(tmp_path, 4), twins=0, hidden=False)
    methods = few.table("keyword_methods")
    assert methods[["low", "high"]].isna().all(axis=None) and methods["auprc"].notna().all()
    assert any("so few documents give no intervals" in note for note in few.notes)
    told = [found.text for found in findings(few)[1:3]]
    assert all("as so few documents give no interval: " in text for text in told)
    assert any(note.startswith("2 documents to train on, 1 to choose") for note in few.notes)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([0.4, 0.2, 0.1], "the most of all ways; that may be chance."),
        ([0.4, 0.4, 0.1], "as by another way; none is better."),
        ([0.4, np.nan, np.nan], "the most of all ways; that may be chance."),
        ([0.4, 0.4, 0.4], "as by another way; none is better."),
    ],
)
def test_ways_to_extract_that_are_alike_are_told(result: Result, scores: list[float], said: str) -> None:
    table = result.table("keyword_phrases")
    three = table[table["keys"] == "all"].head(3).assign(f1_10=scores)
    changed = Result("keywords", {}, {**result.tables, "keyword_phrases": three}, declared=result.declared)
    (told,) = [one.text for one in findings(changed) if "first ten phrases" in one.text]
    assert told.endswith(said)
