"""What was found of adversaries and of given maps, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.adversary.kinds import CARRIES, ELSEWHERE, EMPTY, FALLS, NEEDED, REGIMES
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

MOST = 5

_TEXTS = {
    ELSEWHERE: {
        YES: "Other attention gives the same answers: at penalty {penalty} it is {jsd} away (matched heads; "
        "ordinary models {jsd_of_seeds}), and the score moves by {value:full}.",
        NO: "Attention beyond that of ordinary models ({jsd_of_seeds}) costs more than the margin: at "
        "penalty {penalty} it is {jsd} away and the score moves by {value:full}.",
        UNDECIDED: "Whether other attention gives the same answers is open: no penalty took it beyond that "
        "of ordinary models ({jsd_of_seeds}) at a cost that is known.",
    },
    NEEDED: {
        YES: "The task needs learned attention: even attention costs {value:full} of the score.",
        NO: "The task hardly needs learned attention: even attention costs {value:full} of the score.",
        UNDECIDED: "Whether the task needs learned attention is open: even attention costs {value:full}.",
    },
    CARRIES: {
        YES: "Maps of the model help another net ({net}): {value:full} beyond {against} maps.",
        NO: "Maps of the model do not help another net ({net}): {value:full} beyond {against} maps.",
        UNDECIDED: "Whether maps of the model help another net ({net}) is open: {value:full} beyond "
        "{against} maps.",
    },
    FALLS: {
        YES: "The higher the penalty, the less maps help another net ({net}): correlation {correlation}.",
        UNDECIDED: "Whether maps help less, the higher the penalty ({net}), is open: "
        "correlation {correlation}.",
    },
    REGIMES: {
        YES: "At penalty {penalty} adversaries are of two kinds, {value} apart in their score.",
        UNDECIDED: "Whether there are two kinds of adversaries at one penalty is open (p {p}).",
    },
    EMPTY: {
        YES: "Adversaries behind the step answer as nets with {against} attention do: {value:full} apart.",
        NO: "Adversaries behind the step answer otherwise than nets with {against} attention: {value:full} "
        "apart.",
        UNDECIDED: "Whether adversaries behind the step answer as nets with {against} attention is open: "
        "{value:full} apart.",
    },
}
_ORDER = (ELSEWHERE, CARRIES, NEEDED, EMPTY, REGIMES, FALLS)


def findings(result: Result) -> list[Finding]:
    """The claims that were tested, the most telling first."""
    return [*_claims(result)][:MOST]


def _claims(result: Result) -> Iterator[Finding]:
    table = result.table("verdict")
    for claim in _ORDER:
        for row in table.index[(table["claim"] == claim) & (table["verdict"] != NOT_TESTED)]:
            verdict = str(values_of(result, "verdict", row)["verdict"])
            yield finding(result, "verdict", row, _TEXTS[claim][verdict], decided=verdict != UNDECIDED)
