"""What was found of an explanation, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.trust.card import FAITHFUL, NEEDED, UNIQUE, summary
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import NO, UNDECIDED, YES

MOST = 5
_KEPT = {
    YES: "keep their order",
    NO: "are not shown to keep their order",
    UNDECIDED: "may be in the same order, which is open",
}
_SAID = {YES: "holds", NO: "does not hold", UNDECIDED: "is open"}


def findings(result: Result) -> list[Finding]:
    """The card's sentence, what to show instead, and the main claims with their numbers."""
    return [_card(result), *_instead(result), *_reworded(result), *_claims(result)][:MOST]


def _card(result: Result) -> Finding:
    claims = result.table("claims")
    verdicts = dict(zip(claims["claim"], claims["verdict"], strict=True))
    decided = values_of(result, "card", 0)["shown"] != UNDECIDED
    return finding(result, "card", 0, summary("{explanation}", verdicts), decided=decided)


def _claims(result: Result) -> Iterator[Finding]:
    """Those that were tested, with their numbers."""
    claims = result.table("claims")
    for row in claims.index[claims["claim"].isin([*FAITHFUL, NEEDED, UNIQUE]) & (claims["answers"] > 0)]:
        verdict, has_best = str(claims["verdict"][row]), bool(claims["ceiling"].notna()[row])
        beside = "by chance {baseline}, at best {ceiling}" if has_best else "held to {baseline}"
        text = f"The claim “{{claim}}” {_SAID[verdict]}: {{value:full}}, {beside}."
        yield finding(result, "claims", row, text, decided=verdict != UNDECIDED)


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
        back = " and {backward:n backward pass}" if card["backward"] else ""
        yield finding(
            result, "card", 0, f"Use instead: {{instead}}, which costs {{passes:n forward pass}}{back}."
        )
