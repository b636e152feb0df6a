"""Texts in other words that mean the same, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import headscope
from headscope.blocks import number_of
from headscope.questions.findings import findings_of
from headscope.questions.trust.comparing import Given
from headscope.questions.trust.declared_beside import BESIDE
from headscope.questions.trust.findings import _reworded
from headscope.questions.trust.rewording import Rewordings, rewordings_table, shared_words
from headscope.results.result import Result
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES
from tests.cli.labelled import save_model
from tests.questions.trust.asked import write_edited

DOCUMENTS = np.array([number_of(f"text {number}") for number in range(20)], np.uint64)
BEFORE = ["a", "fine", "film", "of", "it"]
AFTER = ["of", "it", "a", "fine", "movie"]


def given(values: list[list[float]], chance: list[list[float]], words: list[str], entry: int = 1) -> Given:
    """What the words of the first texts are given; chance: (shuffle, word) of each of them."""
    documents = DOCUMENTS[: len(values)]
    data = xr.Dataset(
        {
            "own": (("answer", "word"), np.array(values, float)),
            "chance": (("answer", "shuffle", "word"), np.array([chance] * len(values), float)),
            "entry": ("answer", np.full(len(values), entry)),
            "document": ("answer", documents),
        }
    )
    return Given(data, dict.fromkeys(documents.tolist(), words))


EVENLY = [[2.0, 3.0, 1.0, 4.0, 9.0], [3.0, 2.0, 4.0, 1.0, 9.0]]
"""Orders of the rewording's words: one is that of the text, the other its contrary."""


def test_words_are_paired_wherever_they_stand() -> None:
    assert shared_words(BEFORE, AFTER) == ([0, 1, 3, 4], [2, 3, 0, 1])
    assert shared_words(["so", "so", "good"], ["good", "so"]) == ([0, 2], [1, 0])
    assert shared_words(["fine"], ["dull"]) == ([], [])


def test_shared_words_in_the_same_order() -> None:
    """ "a fine of it" have 1 4 2 3 in both texts; with “it” and “of” changed, five of six pairs agree."""
    own = given([[1, 4, 9, 2, 3]] * 2, EVENLY, BEFORE)
    reworded = given([[2, 3, 1, 4, 9], [3, 2, 1, 4, 9]], EVENLY, AFTER)
    found = Rewordings.of(own, reworded)
    assert found.tau.tolist() == pytest.approx([1.0, 4 / 6])
    assert found.random.tolist() == pytest.approx([0.0, 0.0])
    assert (found.shared.tolist(), found.same.tolist()) == ([4, 4], [1, 1])


def test_signs_do_not_order_words() -> None:
    own, reworded = (
        given([values], EVENLY, words)
        for values, words in (([1, -4, 9, 2, -3], BEFORE), ([2, 3, 1, 4, 9], AFTER))
    )
    assert Rewordings.of(own, reworded).tau.tolist() == pytest.approx([1.0])


@pytest.mark.parametrize(
    ("values", "verdict"),
    [([2, 3, 1, 4, 9], YES), ([3, 2, 4, 1, 9], NO), ([1, 1, 1, 1, 9], NOT_TESTED)],
)
def test_the_one_rule_judges(values: list[float], verdict: str) -> None:
    """The same order, the contrary, and none at all."""
    own = given([[1, 4, 9, 2, 3]] * 20, EVENLY, BEFORE)
    row = rewordings_table(Rewordings.of(own, given([values] * 20, EVENLY, AFTER, 0)), 0.5, 0).iloc[0]
    assert row["verdict"] == verdict
    if verdict != NOT_TESTED:
        assert row[["texts", "random", "shared", "same"]].tolist() == pytest.approx([20, 0, 4, 0])
        assert row["tau"] == row["tau_low"] == pytest.approx(1.0 if verdict == YES else -1.0)


def test_texts_that_share_too_little_do_not_count() -> None:
    own = given([[1, 4, 9, 2, 3]], EVENLY, BEFORE)
    found = Rewordings.of(own, given([[2, 3, 1, 4, 9]], EVENLY, ["it", "is", "very", "good", "!"]))
    assert np.isnan(found.tau).all() and found.shared.tolist() == [1]
    row = rewordings_table(found, 0.5, 0).iloc[0]
    assert (row["texts"], row["verdict"]) == (0, NOT_TESTED)


def test_a_text_that_is_its_own_rewording_does_not_count() -> None:
    """Its words keep their order, whatever the explanation is worth."""
    own = given([[1, 4, 9, 2, 3]] * 20, EVENLY, BEFORE)
    row = rewordings_table(Rewordings.of(own, own), 0.5, 0).iloc[0]
    assert (row["texts"], row["equal"], row["verdict"]) == (0, 20, NOT_TESTED)
    half = Given(own.data, {**own.words, **dict.fromkeys(DOCUMENTS[:5].tolist(), BEFORE[::-1])})
    row = rewordings_table(Rewordings.of(own, half), 0.5, 0).iloc[0]
    assert (row["texts"], row["equal"]) == (5, 15)


@pytest.mark.parametrize(
    ("verdict", "ends", "said", "decided"),
    [
        (YES, (0.6, 0.8), "keep their order: tau", True),
        (NO, (-0.2, 0.2), "are not shown to keep their order", False),
        (NO, (-0.9, -0.5), "keep their order less than by chance", True),
        (UNDECIDED, (0.1, 0.8), "which is open", False),
    ],
)
def test_only_what_is_beyond_chance_is_said_as_found(
    verdict: str, ends: tuple[float, float], said: str, decided: bool
) -> None:
    row = {"texts": 9, "verdict": verdict, "tau": sum(ends) / 2, "tau_low": ends[0], "tau_high": ends[1]}
    tables = {"rewordings": pd.DataFrame([{**row, "random": 0.0}])}
    (found,) = _reworded(Result("trust", {}, tables, declared=BESIDE))
    assert said in found.text and found.decided == decided


def test_it_is_told_first_but_is_no_part_of_the_claim(tmp_path: Path) -> None:
    """The claim is of seeds alone; what was asked for stands in a table, and is said."""
    save_model(tmp_path / "classifier")
    data = write_edited(tmp_path / "test.tsv", 12)
    result = headscope.trust(tmp_path / "classifier", data, reworded="reworded", quick=True)
    row = result.table("rewordings").iloc[0]
    assert row["texts"] == 12 and row["verdict"] in (YES, NO, UNDECIDED)
    said = [finding for finding in findings_of(result) if finding.table == "rewordings"]
    assert len(said) == 1 and "that texts share with their rewordings" in said[0].text
    assert result.table("claims").set_index("claim")["verdict"]["is stable"] == NOT_TESTED
