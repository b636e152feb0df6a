"""The embedded model over the English treebank, against numbers that an independent script has found."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from headscope import syntax
from headscope.results.result import Result

# relation: words, best head, percent right, percent right of the best single offset, and which that is
REFERENCE = {
    "case": (2_015, "L2H8", 67.4, 37.7, 1),
    "nsubj": (1_958, "L2H8", 57.5, 36.5, 1),
    "det": (1_817, "L2H8", 80.8, 59.6, 1),
    "advmod": (1_353, "L2H1", 57.3, 45.8, 1),
    "amod": (1_326, "L2H8", 79.0, 74.7, 1),
    "obj": (1_211, "L2H0", 74.0, 35.8, -2),
    "conj": (916, "L2H4", 36.7, 26.6, -2),
    "aux": (749, "L1H4", 66.8, 48.2, 1),
    "nmod:poss": (391, "L1H7", 70.8, 58.1, 1),
    "xcomp": (381, "L1H6", 73.0, 56.2, -2),
    "all": (20_085, "L2H1", 45.4, 34.5, 1),
}
POINTS, NEAR = 0.3, 6.0
TREEBANK = "01_ud_english_ewt/en_ewt-ud-dev.conllu"


@pytest.fixture(scope="module")
def result(data: Path) -> Result:
    return syntax("default", data / TREEBANK, twins=0)


@pytest.fixture(scope="module")
def some_relations(data: Path) -> pd.DataFrame:
    result = syntax("default", data / TREEBANK, twins=0, limit=24, least=20)
    return result.table("relations").set_index("relation")


@pytest.fixture(scope="module")
def relations(result: Result) -> pd.DataFrame:
    return result.table("relations").set_index("relation")


@pytest.mark.parametrize("relation", ["case", "nsubj", "det"])
def test_a_part_is_near_the_whole(some_relations: pd.DataFrame, relation: str) -> None:
    """The first documents, which are long ones: the same head, about as often right."""
    words, head, accuracy, offset_accuracy, offset = REFERENCE[relation]
    row = some_relations.loc[relation]
    assert words / 10 < row["words"] < words / 3
    assert (row["same_data_head"], row["same_data_reading"]) == (head, "dep->head")
    assert 100 * row["same_data_accuracy"] == pytest.approx(accuracy, abs=NEAR)
    assert row["same_data_offset"] == offset
    assert 100 * row["same_data_offset_accuracy"] == pytest.approx(offset_accuracy, abs=NEAR)


@pytest.mark.slow
@pytest.mark.parametrize("relation", REFERENCE)
def test_the_numbers_on_the_same_data(relations: pd.DataFrame, relation: str) -> None:
    words, head, accuracy, offset_accuracy, offset = REFERENCE[relation]
    row = relations.loc[relation]
    assert (row["words"], row["same_data_head"], row["same_data_reading"]) == (words, head, "dep->head")
    assert 100 * row["same_data_accuracy"] == pytest.approx(accuracy, abs=POINTS)
    assert row["same_data_offset"] == offset
    assert 100 * row["same_data_offset_accuracy"] == pytest.approx(offset_accuracy, abs=POINTS)


@pytest.mark.slow
def test_what_holds_beyond_luck(relations: pd.DataFrame) -> None:
    """The heads that the reference names beat every offset on documents that did not choose them."""
    named = relations.drop("all").loc[[name for name in REFERENCE if name != "all"]]
    assert named["found"].all() and (named["accuracy"] > named["offset_accuracy"]).all()
    assert (named["accuracy"] <= named["same_data_accuracy"] + 1e-12).all()
    assert (named["low"] < named["accuracy"]).all() and (named["accuracy"] < named["high"]).all()
    # heads that mostly follow an offset are not found
    assert not relations.loc[["compound", "acl", "aux:pass"], "found"].any()


@pytest.mark.slow
def test_every_word_is_accounted_for(result: Result) -> None:
    assert result.notes[0].startswith("2,001 sentences of 318 documents; 20,085 of 25,147 words are scored")
    assert not any("skipped" in note for note in result.notes)
