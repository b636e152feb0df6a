"""Sentences of show, from tables made by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import xarray as xr

from headscope.questions import VERBS
from headscope.questions.findings import findings_of
from headscope.results.result import Result
from tests.questions.told import told


def link(
    head: str,
    place: int,
    start: str,
    end: str,
    weight: float,
    special: bool = False,
    left: float = 1.0,
    alone: bool = False,
) -> dict[str, Any]:
    own = {"head": head, "place": place, "from": start, "to": end}
    return own | {"weight": weight, "left": left, "special": special, "alone": alone}


LINKS = [
    link("L2H8", 0, "[CLS]", "[CLS]", 0.99, special=True),
    link("L2H8", 1, "the", "mat", 0.875),
    link("L2H8", 2, "mat", "", 0.0),
    link("L0H2", 0, "So", "So", 1.0, alone=True),
    link("L0H2", 1, "the", "{head}", 0.5),
    link("L0H2", 2, "mat", "the", 0.4),
    link("L0H2", 3, "sat", "mat", 0.97, left=0.002),
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


@pytest.mark.parametrize(
    ("unit", "rows", "said"),
    [
        ("probability", [("bad", 0.501, 0.471), ("good", 0.499, 0.529)],
         "“good” becomes the most probable: from 0.499 to 0.529."),
        ("probability", [("bad", 0.9, 0.6), ("good", 0.1, 0.4)], "“bad” goes from 0.9 to 0.6."),
        ("cosine", [("on", 1.0, 0.996), ("mat", 1.0, 0.999)],
         "the vector of “on” changes most: the cosine with what it was is 0.996."),
        # Labels of two words are no rivals, nor are the likeliest of many pieces.
        ("probability", [("cat: X", 0.96, 0.1), ("is: O", 0.95, 0.96)], "“cat: X” goes from 0.96 to 0.1."),
        ("probability", [("mat", 0.5, 0.05), ("floor", 0.2, 0.1)], "“mat” goes from 0.5 to 0.05."),
    ],
)  # fmt: skip
def test_what_changes_without_heads(unit: str, rows: list[tuple[str, float, float]], said: str) -> None:
    output = [
        {"place": place, "label": label, "before": before, "after": after}
        for place, (label, before, after) in enumerate(rows)
    ]
    tables = {"links": pd.DataFrame(LINKS[:1]), "output": pd.DataFrame(output)}
    maps = xr.Dataset(attrs={"measured_in": unit})
    result = Result("show", {"maps": maps}, tables, declared=VERBS["show"].tables)
    assert findings_of(result)[-1].text == f"With heads switched off, {said}"


def mattered(way: str, place: int, token: str, importance: float, share: float) -> dict[str, Any]:
    own = {"answer": 0, "label": "1", "explainer": way, "place": place, "token": token, "special": False}
    return own | {"importance": importance, "share": share}


def test_what_mattered_most_may_speak_against_the_answer() -> None:
    importance = [
        mattered("rollout", 0, "the", 0.75, 0.75),
        mattered("rollout", 1, "mat", 0.25, 0.25),
        mattered("occlusion", 0, "the", 1.0, 0.2),
        mattered("occlusion", 1, "mat", -4.0, 0.8),
    ]
    assert told("show", links=LINKS[:1], importance=importance) == [
        ("By rollout, “the” mattered most for the answer “1”, with 75 % of all importance.", True, None),
        (
            "By occlusion, “mat” mattered most for the answer “1”, speaking against it, with 80 % of all "
            "importance.",
            True,
            None,
        ),
    ]


def test_which_of_two_equal_words_mattered_is_told() -> None:
    importance = [mattered("rollout", place, "the", share, share) for place, share in enumerate((0.25, 0.75))]
    (told_first, _, _), *_ = told("show", links=LINKS[:1], importance=importance)
    assert (
        told_first == "By rollout, “the (2)” mattered most for the answer “1”, with 75 % of all importance."
    )


def test_with_all_heads_on_nothing_goes_anywhere() -> None:
    output = [{"place": 0, "label": "good", "before": 0.9, "after": None}]
    assert len(told("show", links=LINKS, output=output)) == 2
