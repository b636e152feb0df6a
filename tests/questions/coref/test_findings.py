"""Sentences of coref, from a table made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told


def kind(name: str, accuracy: float, found: bool, **more: Any) -> dict[str, Any]:
    known = {
        "type": name, "mentions": 1200, "accuracy": accuracy, "low": accuracy - 0.04, "high": accuracy + 0.04,
        "chosen": "L4H3", "other_chosen": "L4H3", "twin_high": 0.05, "nearest": 0.36, "p_nearest": 0.001,
        "above_head_match": -0.013, "p_head_match": 0.5, "found": found,
    }  # fmt: skip
    return known | more


def test_what_was_found_and_what_is_open() -> None:
    rows = [
        kind("all", 0.48, True),
        kind("pronoun", 0.51, True, other_chosen="L2H9"),
        kind("proper", 0.3, False, p_nearest=0.8),
        kind("nominal", 0.4, False, twin_high=0.41),
    ]
    assert told("coref", coref_types=rows) == [
        ("Head L4H3 finds the antecedents of all mentions: right in 48 % (44 to 52 %) of 1,200 mentions, the "
         "nearest mention in 36 %.", True, "L4H3"),
        ("Heads L4H3 and L2H9, each chosen on half of the documents, find the antecedents of pronoun "
         "mentions: "
         "right in 51 % (47 to 55 %) of 1,200 mentions, the nearest mention in 36 %.", True, "L4H3"),
        ("That a head finds the antecedents of proper mentions is not shown: the best is right in 30 % (26 "
         "to 34 %) of 1,200 mentions, the nearest mention in 36 %, p = 0.8, corrected for all types.",
         False, "L4H3"),
        ("That a head finds the antecedents of nominal mentions is not shown: the best is right in 40 % (36 "
         "to 44 %) of 1,200 mentions, the nearest mention in 36 %, but a random twin is as good (41 %).",
         False, "L4H3"),
        ("Over all mentions, the best head is not shown to do better than the rule that takes the same head "
         "word (-1.3 points, p = 0.5).", False, "L4H3"),
    ]  # fmt: skip


def test_a_type_that_does_not_occur_is_not_told() -> None:
    rows = [
        kind("all", 0.6, True, p_head_match=0.01, above_head_match=0.1),
        kind("proper", float("nan"), False),
    ]
    assert told("coref", coref_types=rows)[1:] == [
        ("Over all mentions, the best head does better than the rule that takes the same head word (+10.0 "
         "points, p = 0.01).", True, "L4H3"),
    ]  # fmt: skip
