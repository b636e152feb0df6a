"""Sentences of compare, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told

PAIR = "before → after"


def counted(measure: str, changed: int, judged: int = 72) -> dict[str, Any]:
    own = {"pair": PAIR, "measure": measure, "heads": 72, "judged": judged}
    return own | {"changed": changed, "share": changed / 72}


def difference(head: str, difference: float, significant: bool) -> dict[str, Any]:
    own = {"pair": PAIR, "head": head, "measure": "entropy", "difference": difference}
    return own | {"low": difference - 0.05, "high": difference + 0.05, "significant": significant}


def test_what_changed() -> None:
    made = told(
        "compare",
        differences_summary=[
            counted("first", 3), counted("entropy", 40), counted("to:[SEP]", 9), counted("offset:1", 0),
        ],
        differences=[
            difference("L0H0", 0.3, True), difference("L3H2", -0.62, True), difference("L1H1", 0.9, False),
        ],
    )  # fmt: skip
    assert made == [
        ("40 of 72 heads (56 %) changed in entropy (before → after).", True, None),
        ("Head L3H2 changed most in entropy, by -0.62 (-0.67 to -0.57).", True, "L3H2"),
        ("9 of 72 heads (12 %) changed in attention to [SEP] (before → after).", True, None),
        ("3 of 72 heads (4 %) changed in attention to the first token (before → after).", True, None),
        ("In attention to the next token none of 72 heads is shown to have changed (before → after).", False,
         None),
    ]  # fmt: skip


def test_nothing_changed() -> None:
    made = told("compare", differences_summary=[counted("entropy", 0)], differences=[])
    assert made == [("In entropy none of 72 heads is shown to have changed (before → after).", False, None)]


def test_documents_are_too_few() -> None:
    few = [counted("entropy", 0, judged=0), counted("first", 0, judged=0)]
    text = "before → after: too few documents to tell any difference from chance, so nothing is claimed."
    assert told("compare", differences_summary=few, differences=[]) == [(text, False, None)]
