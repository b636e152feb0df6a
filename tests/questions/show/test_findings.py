"""Sentences of show, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.sentences import told


def link(head: str, place: int, start: str, end: str, weight: float, special: bool = False) -> dict[str, Any]:
    own = {"head": head, "place": place, "from": start, "to": end}
    return own | {"weight": weight, "special": special}


LINKS = [
    link("L2H8", 0, "[CLS]", "[CLS]", 0.99, special=True),
    link("L2H8", 1, "the", "mat", 0.875),
    link("L2H8", 2, "mat", "", 0.0),
    link("L0H2", 1, "the", "{head}", 0.5),
    link("L0H2", 2, "mat", "the", 0.4),
]


def test_the_strongest_link_of_each_head() -> None:
    output = [
        {"place": 0, "label": "good", "before": 0.9, "after": 0.85},
        {"place": 1, "label": "bad", "before": 0.1, "after": 0.25},
    ]
    assert told("show", links=LINKS, output=output) == [
        ("In this text, the strongest link of head L2H8 is from “the” to “mat”: 88 %.", True, "L2H8"),
        ("In this text, the strongest link of head L0H2 is from “the” to “{head}”: 50 %.", True, "L0H2"),
        ("With heads switched off, “bad” goes from 0.1 to 0.25.", True, None),
    ]


def test_with_all_heads_on_nothing_goes_anywhere() -> None:
    output = [{"place": 0, "label": "good", "before": 0.9, "after": None}]
    assert len(told("show", links=LINKS, output=output)) == 2
