"""What was found of an explanation, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headscope.questions.trust.card import (
    DECIDES,
    FAILS,
    FAITHFUL,
    HOLDS,
    IDENTIFIES,
    NEEDED,
    PEOPLE,
    RANKS,
    STABLE,
    UNIQUE,
    claims_with,
    may_be_shown,
)
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

MOST = 5
_KEPT = {
    YES: "keep their order",
    NO: "are not shown to keep their order",
    UNDECIDED: "may be in the same order, which is open",
}
_LEADS = {
    YES: "Here {explanation} may be shown as an explanation",
    NO: "Here {explanation} should not be shown as an explanation",
    UNDECIDED: "Whether {explanation} may be shown as an explanation here is open",
}
_EVEN = {
    YES: "even attention in its place changes the answer",
    NO: "even attention in its place hardly changes the answer",
}
_WHETHER = {
    IDENTIFIES: "marks the words that the answer rests on",
    RANKS: "orders words as leaving them out does",
    DECIDES: "marks the words whose removal soon changes the answer",
    NEEDED: "is needed",
    UNIQUE: "is unique",
    STABLE: "is stable",
    PEOPLE: "agrees with people",
}
_IN_ORDERS = "{baseline} in random orders, {ceiling} in the best order found"
_NUMBERS = {
    IDENTIFIES: f"as words go, the answer's probability falls by {{value:full}} on average, {_IN_ORDERS}",
    RANKS: "tau is {value:full}, that of random orders {baseline}, that of the best other explanation, "
    "chosen on the other half of the texts, {ceiling}",
    DECIDES: f"the share of words still there when the answer changes is {{value:full}}, {_IN_ORDERS}",
    NEEDED: "even attention in its place moves the answer by {value:full}, where more than {baseline} "
    "was asked for",
    UNIQUE: "the furthest weights that answer alike lie {value:full} away, where less than {baseline} "
    "was asked for",
}


def findings(result: Result) -> list[Finding]:
    """The card's sentence, what to show instead, and the main claims with their numbers."""
    return [_card(result), *_instead(result), *_reworded(result), *_claims(result)][:MOST]


def _card(result: Result) -> Finding:
    claims = result.table("claims")
    verdicts = dict(zip(claims["claim"], claims["verdict"], strict=True))
    decided = values_of(result, "card", 0)["shown"] != UNDECIDED
    return finding(result, "card", 0, _sentence(verdicts), decided=decided)


def _sentence(verdicts: Mapping[str, str]) -> str:
    """Whether it may be shown, what holds and what does not; then what is not decided, and not tested."""
    of = {answer: claims_with(verdicts, answer) for answer in (YES, NO, UNDECIDED, NOT_TESTED)}
    fails = [FAILS[claim] for claim in of[NO] if claim != NEEDED]
    holds = [HOLDS[claim] for claim in of[YES] if claim != NEEDED]
    told = ", but ".join(f"it {_joined(each, 'and')}" for each in (fails, holds) if each)
    even = _EVEN.get(verdicts.get(NEEDED, NOT_TESTED), "")
    text = ": ".join(filter(None, [_LEADS[may_be_shown(verdicts)], "; ".join(filter(None, [told, even]))]))
    for said, answer in (("Not decided", UNDECIDED), ("Not tested", NOT_TESTED)):
        if of[answer]:
            text += f". {said}: whether it {_joined([_WHETHER[claim] for claim in of[answer]], 'or')}"
    return f"{text}."


def _joined(words: Sequence[str], by: str) -> str:
    if len(words) < 3:
        return f" {by} ".join(words)
    return f"{', '.join(words[:-1])}, {by} {words[-1]}"


def _claims(result: Result) -> Iterator[Finding]:
    """Those that were tested, with their numbers."""
    claims = result.table("claims")
    for row in claims.index[claims["claim"].isin([*FAITHFUL, NEEDED, UNIQUE]) & (claims["answers"] > 0)]:
        values = values_of(result, "claims", row)
        claim, verdict = values["claim"], values["verdict"]
        text = f"{_claimed(claim, verdict)}: {_NUMBERS[claim]}"
        if verdict == UNDECIDED:
            text += f"; {_why(values)}"
        yield finding(result, "claims", row, f"{text}.", decided=verdict != UNDECIDED)


def _claimed(claim: str, verdict: str) -> str:
    if verdict == UNDECIDED:
        return f"Whether the explanation {_WHETHER[claim]} is open"
    if claim == NEEDED:
        return f"The explanation is {'needed' if verdict == YES else 'hardly needed'}"
    return f"The explanation {(HOLDS if verdict == YES else FAILS)[claim]}"


def _why(values: Mapping[str, Any]) -> str:
    """What kept a claim from a verdict: too little data, or an end of its interval."""
    if values["why"] and values["claim"] == RANKS and values["low"] == values["low"]:
        return "its lower end, {value_low}, is not yet an order to speak of"
    if values["why"]:
        return "{why}"
    if values["ceiling"] != values["ceiling"]:
        return "the interval has {baseline} in it"
    best = "the best other explanation" if values["claim"] == RANKS else "the best order"
    return f"it comes {{way:full}} of the way from random orders to {best}, and the lower end is too little"


def _reworded(result: Result) -> Iterator[Finding]:
    """Whether it says the same where a text does, as far as that was asked and could be.

    That a yes was not reached is true of noise, too, so it is not worded as found; an order below chance is.
    """
    if "rewordings" in result.tables and (row := values_of(result, "rewordings", 0))["texts"]:
        below = bool(row["tau_high"] < row["random"])
        said = "keep their order less than by chance" if below else _KEPT[str(row["verdict"])]
        shared = f"The words that texts share with their rewordings {said}"
        text = f"{shared}: tau {{tau:full}}, by chance {{random}}."
        yield finding(result, "rewordings", 0, text, decided=below or row["verdict"] == YES)


def _instead(result: Result) -> Iterator[Finding]:
    card = values_of(result, "card", 0)
    if card["instead"]:
        cost = "{passes:n forward pass}" + (" and {backward:n backward pass}" if card["backward"] else "")
        text = f"Show {{instead}} instead, which costs {cost}."
        if card["shown"] == UNDECIDED:
            text = (
                f"While that is open, show {{instead}}, which marks better what answers rest on, for {cost}."
            )
        yield finding(result, "card", 0, text)
