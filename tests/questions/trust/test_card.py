"""A sentence of the card never says more than its verdicts: all combinations."""

from __future__ import annotations

import re
from itertools import product

from headscope.questions.trust.card import (
    CLAIMS,
    EVEN,
    FAILS,
    FAITHFUL,
    HOLDS,
    MEANINGS,
    NEEDED,
    WHETHER,
    may_be_shown,
    summary,
)
from headscope.results.vocabulary import ANSWERS, NO, NOT_TESTED, UNDECIDED, YES


def test_every_combination_of_verdicts() -> None:
    for answers in product(ANSWERS, repeat=len(CLAIMS)):
        verdicts = dict(zip(CLAIMS, answers, strict=True))
        sentence = summary("attention", verdicts)
        first, *lists = sentence.removesuffix(".").split(". ")
        parts = dict(each.split(": whether it ") for each in lists)
        for claim, verdict in verdicts.items():
            holds, fails = (EVEN[YES], EVEN[NO]) if claim == NEEDED else (HOLDS[claim], FAILS[claim])
            assert (holds in first) == (verdict == YES), sentence
            assert (fails in first) == (verdict == NO), sentence
            assert (WHETHER[claim] in parts.get("Not decided", "")) == (verdict == UNDECIDED), sentence
            assert (WHETHER[claim] in parts.get("Not tested", "")) == (verdict == NOT_TESTED), sentence
        faithful = {verdicts[claim] for claim in FAITHFUL}
        assert first.startswith("Here attention may be shown as an explanation:") == (faithful == {YES})
        assert ("should not be shown" in first) == (NO in faithful)
        assert ("is open" in first) == (NO not in faithful and faithful != {YES})
        assert re.fullmatch(r"[A-Z].*[^;,: ]\.", sentence) and "  " not in sentence, sentence


def test_the_card_reads_as_said() -> None:
    verdicts = dict.fromkeys([*FAITHFUL, NEEDED], YES)
    assert summary("rollout", verdicts) == (
        "Here rollout may be shown as an explanation: it marks the words that the answer rests on, "
        "orders words much as leaving them out does, and marks the words whose removal soon changes the "
        "answer; even attention in its place changes the answer. Not tested: whether it is unique, is "
        "stable, or agrees with people."
    )
    assert summary("rollout", {**dict.fromkeys(CLAIMS, UNDECIDED), NEEDED: NO}).startswith(
        "Whether rollout may be shown as an explanation here is open: even attention in its place "
        "hardly changes the answer. Not decided: whether it marks the words that the answer rests on, orders"
    )


def test_what_was_not_asked_was_not_tested() -> None:
    assert may_be_shown({}) == UNDECIDED
    assert summary("rollout", {}) == (
        "Whether rollout may be shown as an explanation here is open. Not tested: whether it marks the words "
        "that the answer rests on, orders words as leaving them out does, marks the words whose removal soon "
        "changes the answer, is needed, is unique, is stable, or agrees with people."
    )


def test_no_phrase_is_part_of_another() -> None:
    """Or one could stand for the other."""
    phrases = [*HOLDS.values(), *FAILS.values(), *EVEN.values()]
    assert not any(one != other and one in other for one in phrases for other in phrases)
    assert set(MEANINGS) == set(WHETHER) == {*HOLDS, NEEDED} == {*FAILS, NEEDED} == set(CLAIMS)
