"""The card: what may be said of an explanation, made from the verdicts and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

IDENTIFIES, RANKS, DECIDES = "identifies", "ranks", "decides"
NEEDED, UNIQUE, STABLE, PEOPLE = "is needed", "is unique", "is stable", "agrees with people"
FAITHFUL = (IDENTIFIES, RANKS, DECIDES)
CLAIMS = (*FAITHFUL, NEEDED, UNIQUE, STABLE, PEOPLE)

MEANINGS = {
    IDENTIFIES: "the words it marks are those that the answer rests on",
    RANKS: "it orders words much as leaving each of them out does",
    DECIDES: "without the words it marks first, the answer soon becomes another",
    NEEDED: "with even weights in its place the answer moves",
    UNIQUE: "no very different weights would give the same answer",
    STABLE: "a model trained with another seed gives nearly the same",
    PEOPLE: "it marks what people mark",
}
HOLDS = {
    IDENTIFIES: "marks the words that the answer rests on",
    RANKS: "orders words much as leaving them out does",
    DECIDES: "marks the words whose removal soon changes the answer",
    NEEDED: "moves the answer when it is made even",
    UNIQUE: "is matched by no very different weights that answer alike, as far as a search found",
    STABLE: "is stable over seeds",
    PEOPLE: "agrees with people",
}
FAILS = {
    IDENTIFIES: "marks too little of what the answer rests on",
    RANKS: "does not order words as leaving them out does",
    DECIDES: "marks too few of the words whose removal soon changes the answer",
    NEEDED: "can be made even without moving the answer much",
    UNIQUE: "is matched by very different weights that answer alike",
    STABLE: "is not stable over seeds",
    PEOPLE: "does not agree with people",
}


def summary(name: str, verdicts: Mapping[str, str]) -> str:
    """One sentence: whether it may be shown, and what each verdict is; name: of the explanation.

    It may be shown as an explanation where it identifies, ranks and decides; not, where one of these is no.

    >>> summary("attention", dict.fromkeys(FAITHFUL, YES))
    'Here attention may be shown as an explanation: it marks the words that the answer rests on, orders \
words much as leaving them out does, and marks the words whose removal soon changes the answer; not \
tested: is needed, is unique, is stable, agrees with people.'
    """
    of = {answer: claims_with(verdicts, answer) for answer in (YES, NO, UNDECIDED, NOT_TESTED)}
    parts = []
    if of[NO]:
        parts.append(f"it {_joined([FAILS[claim] for claim in of[NO]])}")
    if of[YES]:
        parts.append(f"it {_joined([HOLDS[claim] for claim in of[YES]])}")
    told = ", but ".join(parts)
    lead = _lead(name, verdicts)
    lists = [f"{answer}: {', '.join(of[answer])}" for answer in (UNDECIDED, NOT_TESTED) if of[answer]]
    return "; ".join([f"{lead}: {told}" if told else lead, *lists]) + "."


def claims_with(verdicts: Mapping[str, str], answer: str) -> list[str]:
    """The claims with one answer; a claim without any was not tested."""
    return [claim for claim in CLAIMS if verdicts.get(claim, NOT_TESTED) == answer]


def may_be_shown(verdicts: Mapping[str, str]) -> str:
    """Yes, no or undecided."""
    answers = [verdicts.get(claim, NOT_TESTED) for claim in FAITHFUL]
    if NO in answers:
        return NO
    return YES if all(answer == YES for answer in answers) else UNDECIDED


def _lead(name: str, verdicts: Mapping[str, str]) -> str:
    return {
        YES: f"Here {name} may be shown as an explanation",
        NO: f"Here {name} should not be shown as an explanation",
        UNDECIDED: f"It is open whether {name} may be shown as an explanation here",
    }[may_be_shown(verdicts)]


def _joined(words: Sequence[str]) -> str:
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"
