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
    UNIQUE: "is matched by no very different weights that answer alike, as far as a search found",
    STABLE: "is stable over seeds",
    PEOPLE: "agrees with people",
}
FAILS = {
    IDENTIFIES: "marks too little of what the answer rests on",
    RANKS: "does not order words as leaving them out does",
    DECIDES: "marks too few of the words whose removal soon changes the answer",
    UNIQUE: "is matched by very different weights that answer alike",
    STABLE: "is not stable over seeds",
    PEOPLE: "does not agree with people",
}
EVEN = {
    YES: "even attention in its place changes the answer",
    NO: "even attention in its place hardly changes the answer",
}
"""What is told of `NEEDED`, which is no virtue of the explanation itself."""
WHETHER = {
    IDENTIFIES: "marks the words that the answer rests on",
    RANKS: "orders words as leaving them out does",
    DECIDES: "marks the words whose removal soon changes the answer",
    NEEDED: "is needed",
    UNIQUE: "is unique",
    STABLE: "is stable",
    PEOPLE: "agrees with people",
}
_LEADS = {
    YES: "Here {name} may be shown as an explanation",
    NO: "Here {name} should not be shown as an explanation",
    UNDECIDED: "Whether {name} may be shown as an explanation here is open",
}


def summary(name: str, verdicts: Mapping[str, str]) -> str:
    """Whether it may be shown, what holds and what does not; then what is not decided, and not tested.

    It may be shown as an explanation where it identifies, ranks and decides; not, where one of these is no.
    name: of the explanation.

    >>> summary("attention", dict.fromkeys(FAITHFUL, YES))
    'Here attention may be shown as an explanation: it marks the words that the answer rests on, orders \
words much as leaving them out does, and marks the words whose removal soon changes the answer. Not \
tested: whether it is needed, is unique, is stable, or agrees with people.'
    """
    of = {answer: claims_with(verdicts, answer) for answer in (YES, NO, UNDECIDED, NOT_TESTED)}
    fails = [FAILS[claim] for claim in of[NO] if claim != NEEDED]
    holds = [HOLDS[claim] for claim in of[YES] if claim != NEEDED]
    told = ", but ".join(f"it {_joined(each, 'and')}" for each in (fails, holds) if each)
    even = EVEN.get(verdicts.get(NEEDED, NOT_TESTED), "")
    lead = _LEADS[may_be_shown(verdicts)].format(name=name)
    text = ": ".join(filter(None, [lead, "; ".join(filter(None, [told, even]))]))
    for said, answer in (("Not decided", UNDECIDED), ("Not tested", NOT_TESTED)):
        if of[answer]:
            text += f". {said}: whether it {_joined([WHETHER[claim] for claim in of[answer]], 'or')}"
    return f"{text}."


def claims_with(verdicts: Mapping[str, str], answer: str) -> list[str]:
    """The claims with one answer; a claim without any was not tested."""
    return [claim for claim in CLAIMS if verdicts.get(claim, NOT_TESTED) == answer]


def may_be_shown(verdicts: Mapping[str, str]) -> str:
    """Yes, no or undecided."""
    answers = [verdicts.get(claim, NOT_TESTED) for claim in FAITHFUL]
    if NO in answers:
        return NO
    return YES if all(answer == YES for answer in answers) else UNDECIDED


def _joined(words: Sequence[str], by: str) -> str:
    if len(words) < 3:
        return f" {by} ".join(words)
    return f"{', '.join(words[:-1])}, {by} {words[-1]}"
