"""Our numbers beside the published ones."""

from __future__ import annotations

import pandas as pd

from headscope.questions.syntax.published import TABLE_1, beside_published


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
    found = beside_published(ours("obj", "case", "nmod:poss", "obl", "all", "made-up", "aux:pass"))
    shown = dict(zip(found["relation"], found["ours"], strict=True))
    assert shown == {
        "all": "all", "prep": "case", "pobj": "obl", "dobj": "obj", "poss": "nmod:poss",
        "auxpass": "aux:pass",
    }  # fmt: skip
    assert list(found["relation"]) == [row.relation for row in TABLE_1 if row.relation in shown]


def test_numbers_stand_in_percent() -> None:
    found = beside_published(ours("det", "dobj")).set_index("relation")
    assert found.loc["dobj", ["head", "words"]].tolist() == ["L0H1", 101]
    assert found.loc["dobj", ["accuracy", "published"]].tolist() == [61.0, 86.8]
    assert found.loc["dobj", ["offset", "published_offset"]].tolist() == [31.0, 40.0]


def test_the_own_name_goes_before_others() -> None:
    found = beside_published(ours("obj", "dobj", "nmod", "obl", "pobj")).set_index("relation")
    assert found["ours"].to_dict() == {"pobj": "pobj", "dobj": "dobj"}
    assert beside_published(ours("nmod", "obl"))["ours"].tolist() == ["obl"]
    assert beside_published(ours("nmod"))["ours"].tolist() == ["nmod"]


def test_it_is_said_what_another_scheme_links_otherwise() -> None:
    ud = beside_published(ours("case", "det", "all")).set_index("relation")["differs"]
    assert "from the preposition to the noun" in ud["prep"] and ud["det"] == ""
    assert "punctuation and roots" in ud["all"]
    assert beside_published(ours("prep")).loc[0, "differs"] == ""


def test_nothing_in_common_gives_no_row() -> None:
    assert len(beside_published(ours("made-up"))) == len(beside_published(ours())) == 0
