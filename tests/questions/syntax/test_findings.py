"""Sentences of syntax, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told


def relation(name: str, accuracy: float, offset: float, **more: Any) -> dict[str, Any]:
    known = {
        "relation": name, "words": 540, "head": "L2H8", "other_head": "L2H8", "accuracy": accuracy,
        "low": accuracy - 0.03, "high": accuracy + 0.02, "offset_accuracy": offset, "twin_high": 0.1,
        "coverage": 1.0, "p": 0.001, "p_holm": 0.004, "found": True,
    }  # fmt: skip
    return known | more


def summary(tested: int, found: int) -> list[dict[str, int]]:
    return [{"relations": tested, "tested": tested, "found": found}]


OPEN = {"found": False, "p": 0.2, "p_holm": 0.6}
ALL = relation("all", 0.45, 0.34, words=2000, head="L2H1", other_head="L2H1", found=False, p=float("nan"))


def test_what_was_found() -> None:
    rows = [
        ALL,
        relation("case", 0.6, 0.5, head="L1H1", other_head="L2H2"),
        relation("nsubj", 0.91, 0.72, words=1540),
        relation("compound", 0.83, 0.825, **OPEN),
    ]
    assert told("syntax", relations=rows, relations_summary=summary(3, 2)) == [
        ("Head L2H8 links subjects to their verbs (nsubj): right in 91 % (88 to 93 %) of 1,540 cases, the "
         "best fixed offset in 72 %.", True, "L2H8"),
        ("Heads L1H1 and L2H2, each chosen on half of the documents, link prepositions to their nouns "
         "(case): right in 60 % (57 to 62 %) of 540 cases, the best fixed offset in 50 %.", True, "L1H1"),
        ("For 2 of 3 relations tested, a head does better than any fixed offset.", True, None),
        ("That a head links parts of compounds to their heads (compound) is not shown: the best is right in "
         "83 % (80 to 85 %) of 540 cases, the best fixed offset in 82 %, but p = 0.6, corrected for all "
         "relations tested.", False, "L2H8"),
    ]  # fmt: skip


def test_what_is_open() -> None:
    rows = [ALL, relation("det", 0.7, 0.6, found=False, twin_high=0.75)]
    assert told("syntax", relations=rows, relations_summary=summary(1, 0)) == [
        ("Of 1 relation tested, none has a head that is shown to beat every fixed offset.", False, None),
        ("That a head links determiners to their nouns (det) is not shown: the best is right in 70 % (67 to "
         "72 %) of 540 cases, the best fixed offset in 60 %, but a random twin is as good (75 %).", False,
         "L2H8"),
        ("Over all relations together, the best head is right in 45 % (42 to 47 %) of 2,000 cases, the best "
         "fixed offset in 34 %; whether that is chance was not tested.", False, "L2H1"),
    ]  # fmt: skip


def test_a_head_below_the_offset_is_no_exception() -> None:
    rows = [relation("det", 0.5, 0.6, **OPEN)]
    made = told("syntax", relations=rows, relations_summary=summary(1, 0))
    assert made[1][0].endswith("the best fixed offset in 60 %, p = 0.6, corrected for all relations tested.")


def test_a_causal_model_is_asked_about_what_it_can_see() -> None:
    rows = [relation("obj", 0.9, 0.2, coverage=0.75, low=float("nan"), high=float("nan"))]
    made = told("syntax", relations=rows, relations_summary=summary(1, 1))
    assert made[0][0] == (
        "Head L2H8 links objects to their verbs (obj): right in 90 % of the 75 % of 540 cases that it can "
        "see, the best fixed offset in 20 %."
    )


def test_too_few_trees() -> None:
    made = told("syntax", relations=[{**ALL, "accuracy": float("nan")}], relations_summary=summary(0, 0))
    assert made == [
        (
            "No relation could be tested, so nothing was found: none has the words that --least asks for.",
            False,
            None,
        )
    ]
