"""A sentence of the card never says more than its verdicts: all combinations."""

from __future__ import annotations

import re
from itertools import product

from headscope.questions.trust.card import CLAIMS, FAILS, FAITHFUL, HOLDS, MEANINGS, may_be_shown, summary
from headscope.results.vocabulary import ANSWERS, NO, NOT_TESTED, UNDECIDED, YES


def parts_of(sentence: str) -> dict[str, str]:
    """What a sentence says is so, is not so, is open and was not tested."""
    first, *lists = sentence.removesuffix(".").split("; ")
    told = dict(each.split(": ") for each in lists)
    return {"told": first.partition(": ")[2], UNDECIDED: "", NOT_TESTED: "", **told}


def test_every_combination_of_verdicts() -> None:
    for answers in product(ANSWERS, repeat=len(CLAIMS)):
        verdicts = dict(zip(CLAIMS, answers, strict=True))
        sentence = summary("attention", verdicts)
        parts = parts_of(sentence)
        for claim, verdict in verdicts.items():
            assert (HOLDS[claim] in parts["told"]) == (verdict == YES), sentence
            assert (FAILS[claim] in parts["told"]) == (verdict == NO), sentence
            assert (claim in parts[UNDECIDED].split(", ")) == (verdict == UNDECIDED), sentence
            assert (claim in parts[NOT_TESTED].split(", ")) == (verdict == NOT_TESTED), sentence
        faithful = [verdicts[claim] for claim in FAITHFUL]
        may = sentence.startswith("Here attention may be shown as an explanation:")
        assert may == (set(faithful) == {YES})
        assert ("should not be shown" in sentence) == (NO in faithful)
        assert re.fullmatch(r"[A-Z].*[^;,: ]\.", sentence) and "  " not in sentence, sentence


def test_what_was_not_asked_was_not_tested() -> None:
    assert may_be_shown({}) == UNDECIDED
    assert summary("rollout", {}) == (
        f"It is open whether rollout may be shown as an explanation here; not tested: {', '.join(CLAIMS)}."
    )


def test_no_phrase_is_part_of_another() -> None:
    """Or one could stand for the other."""
    phrases = [*HOLDS.values(), *FAILS.values()]
    assert not any(one != other and one in other for one in phrases for other in phrases)
    assert set(MEANINGS) == set(HOLDS) == set(FAILS) == set(CLAIMS)
