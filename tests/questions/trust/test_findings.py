"""Sentences of trust: the card for all combinations of verdicts, and each claim with its numbers."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from headscope.questions.trust.card import CLAIMS, FAILS, FAITHFUL, HOLDS, NEEDED
from headscope.questions.trust.findings import _EVEN, _WHETHER, _sentence
from headscope.results.vocabulary import ANSWERS, NO, NOT_TESTED, UNDECIDED, YES
from tests.questions.told import told

NAN = float("nan")


def test_the_card_never_says_more_than_its_verdicts() -> None:
    for answers in product(ANSWERS, repeat=len(CLAIMS)):
        verdicts = dict(zip(CLAIMS, answers, strict=True))
        sentence = _sentence(verdicts)
        first, *lists = sentence.removesuffix(".").split(". ")
        parts = dict(each.split(": whether it ") for each in lists)
        for claim, verdict in verdicts.items():
            holds, fails = (_EVEN[YES], _EVEN[NO]) if claim == NEEDED else (HOLDS[claim], FAILS[claim])
            assert (holds in first) == (verdict == YES), sentence
            assert (fails in first) == (verdict == NO), sentence
            assert (_WHETHER[claim] in parts.get("Not decided", "")) == (verdict == UNDECIDED), sentence
            assert (_WHETHER[claim] in parts.get("Not tested", "")) == (verdict == NOT_TESTED), sentence
        faithful = {verdicts[claim] for claim in FAITHFUL}
        assert first.startswith("Here {explanation} may be shown as an explanation:") == (faithful == {YES})
        assert ("should not be shown" in first) == (NO in faithful)
        assert ("is open" in first) == (NO not in faithful and faithful != {YES})
        assert "  " not in sentence and ": ." not in sentence and ";;" not in sentence


def test_the_card_reads_as_said() -> None:
    verdicts = dict.fromkeys([*FAITHFUL, NEEDED], YES)
    assert _sentence(verdicts) == (
        "Here {explanation} may be shown as an explanation: it marks the words that the answer rests on, "
        "orders words much as leaving them out does, and marks the words whose removal soon changes the "
        "answer; even attention in its place changes the answer. Not tested: whether it is unique, is "
        "stable, or agrees with people."
    )
    assert _sentence({**dict.fromkeys(CLAIMS, UNDECIDED), NEEDED: NO}).startswith(
        "Whether {explanation} may be shown as an explanation here is open: even attention in its place "
        "hardly changes the answer. Not decided: whether it marks the words that the answer rests on, orders"
    )


def claim(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    known = {
        "claim": name, "verdict": verdict, "value": 0.28, "value_low": 0.194, "value_high": 0.366,
        "baseline": 0.0283, "ceiling": 0.188, "way": 1.58, "low": 0.9, "high": 2.1, "answers": 120, "why": "",
    }  # fmt: skip
    return known | more


BOUND = {"ceiling": NAN, "way": NAN, "low": NAN, "high": NAN, "baseline": 0.05}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (claim("ranks", YES), "The explanation orders words much as leaving them out does: tau is 0.28 "
         "(0.194 to 0.366), that of random orders 0.0283, that of the best other explanation, chosen on the "
         "other half of the texts, 0.188."),
        (claim("ranks", UNDECIDED, why="tau is not above 0.2, nor are others much"), "Whether the "
         "explanation orders words as leaving them out does is open: tau is 0.28 (0.194 to 0.366), that of "
         "random orders 0.0283, that of the best other explanation, chosen on the other half of the texts, "
         "0.188; its lower end, 0.194, is not yet an order to speak of."),
        (claim("ranks", UNDECIDED, low=NAN, high=NAN, value_low=NAN, value_high=NAN, why="3 texts are too "
         "few"),
         "Whether the explanation orders words as leaving them out does is open: tau is 0.28, that of random "
         "orders 0.0283, that of the best other explanation, chosen on the other half of the texts, 0.188; "
         "3 texts are too few."),
        (claim("identifies", UNDECIDED, ceiling=0.5, way=0.53, low=0.4, high=0.7), "Whether the explanation "
         "marks the words that the answer rests on is open: as words go, the answer's probability falls by "
         "0.28 (0.194 to 0.366) on average, 0.0283 in random orders, 0.5 in the best order found; it comes "
         "0.53 (0.4 to 0.7) of the way from random orders to the best order, and the lower end is too "
         "little."),
        (claim("decides", NO), "The explanation marks too few of the words whose removal soon changes the "
         "answer: the share of words still there when the answer changes is 0.28 (0.194 to 0.366), 0.0283 in "
         "random orders, 0.188 in the best order found."),
        (claim("is needed", YES, **BOUND), "The explanation is needed: even attention in its place moves the "
         "answer by 0.28 (0.194 to 0.366), where more than 0.05 was asked for."),
        (claim("is needed", UNDECIDED, **BOUND | {"baseline": 0.3}), "Whether the explanation is needed is "
         "open: even attention in its place moves the answer by 0.28 (0.194 to 0.366), where more than 0.3 "
         "was asked for; the interval has 0.3 in it."),
        (claim("is unique", NO, **BOUND), "The explanation is matched by very different weights that answer "
         "alike: the furthest weights that answer alike lie 0.28 (0.194 to 0.366) away, where less than 0.05 "
         "was asked for."),
    ],
)  # fmt: skip
def test_a_claim_is_told_with_its_numbers(row: dict[str, Any], said: str) -> None:
    card = [{"explanation": "attention", "shown": NO, "instead": "", "passes": NAN, "backward": NAN}]
    _, (text, decided, _) = told("trust", card=card, claims=[row])
    assert (text, decided) == (said, row["verdict"] != UNDECIDED)


def test_what_to_show_while_it_is_open() -> None:
    card = [
        {
            "explanation": "attention",
            "shown": UNDECIDED,
            "instead": "occlusion",
            "passes": 7.0,
            "backward": 0.0,
        }
    ]
    _, (text, decided, _), *_ = told("trust", card=card, claims=[claim("ranks", UNDECIDED)])
    assert decided and text == (
        "While that is open, show occlusion, which marks better what answers rest on, for 7 forward passes."
    )


def test_what_to_show_instead() -> None:
    card = [{"explanation": "attention", "shown": NO, "instead": "occlusion", "passes": 7.0, "backward": 1.0}]
    _, (text, decided, _), *_ = told("trust", card=card, claims=[claim("ranks", NO)])
    assert decided and text == "Show occlusion instead, which costs 7 forward passes and 1 backward pass."
