"""Our numbers beside the published ones."""

from __future__ import annotations

import pandas as pd

from headscope.questions.syntax.declared import TABLES
from headscope.questions.syntax.published import TABLE_1, about_published, beside_published


def ours(*relations: str) -> pd.DataFrame:
    """A table of relations, each with its own numbers: 60 %, 61 %, ..."""
    return pd.DataFrame(
        {
            "relation": relations,
            "words": range(100, 100 + len(relations)),
            "same_data_head": [f"L0H{number}" for number in range(len(relations))],
            "same_data_accuracy": [0.60 + number / 100 for number in range(len(relations))],
            "same_data_offset_accuracy": [0.30 + number / 100 for number in range(len(relations))],
        }
    )


def test_relations_are_found_under_their_other_names() -> None:
    found = beside_published(ours("obj", "compound", "made-up", "aux:pass", "det"))
    shown = dict(zip(found["relation"], found["ours"], strict=True))
    assert shown == {"det": "det", "nn": "compound", "dobj": "obj", "auxpass": "aux:pass"}
    assert list(found["relation"]) == [row.relation for row in TABLE_1 if row.relation in shown]


def test_numbers_stand_in_percent() -> None:
    found = beside_published(ours("det", "dobj")).set_index("relation")
    assert found.loc["dobj", ["head", "words"]].tolist() == ["L0H1", 101]
    assert found.loc["dobj", ["accuracy", "published"]].tolist() == [61.0, 86.8]
    assert found.loc["dobj", ["offset", "published_offset"]].tolist() == [31.0, 40.0]


def test_the_own_name_goes_before_others() -> None:
    found = beside_published(ours("obj", "dobj", "prep", "pobj")).set_index("relation")
    assert found["ours"].to_dict() == {"prep": "prep", "pobj": "pobj", "dobj": "dobj"}


def test_other_relations_share_no_row_but_are_named() -> None:
    """obl is no pobj and case no prep; all has other words in it, and possessors are asked otherwise."""
    table = ours("all", "case", "obl", "nmod", "det", "nmod:poss", "poss")
    assert beside_published(table)["relation"].tolist() == ["det"]
    sentence = about_published(table)
    assert "; not beside it: all (theirs has punctuation" in sentence
    for name in ("case", "obl", "nmod", "nmod:poss", "poss"):
        assert f", {name} (" in sentence
    assert "not beside it" not in about_published(ours("det", "obj"))
    # other schemes use these names for something else beside the published relation
    assert "not beside it" not in about_published(ours("prep", "pobj", "case", "nmod"))


def test_possessors_asked_as_the_paper_does() -> None:
    table = ours("nmod:poss", "det")
    assert beside_published(table, possessive=True)["ours"].tolist() == ["det", "nmod:poss"]
    assert "not beside it" not in about_published(table, possessive=True)


def test_nothing_in_common_gives_no_row() -> None:
    assert len(beside_published(ours("made-up"))) == len(beside_published(ours())) == 0


def test_the_table_says_how_its_heads_were_chosen_and_declares_what_it_has() -> None:
    says = TABLES["published"]
    assert says.title.startswith("Best head chosen and scored on the same words, beside Clark et al. 2019")
    assert list(beside_published(ours("det"))) == list(says.columns)
