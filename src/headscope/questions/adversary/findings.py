"""What was found of adversaries and of given maps, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from headscope.questions.adversary.kinds import (
    ADVERSARY,
    CARRIES,
    ELSEWHERE,
    EMPTY,
    FALLS,
    MIXED,
    NEEDED,
    NEEDED_BY_COPIES,
    PLAIN,
    REGIMES,
    SAME,
    WORDS,
)
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

MOST = 5

_TEXTS = {
    ELSEWHERE: {
        YES: "Other attention gives the same answers: at penalty {penalty} it is {jsd} away (matched heads; "
        "{ordinary} {jsd_of_seeds}); the score moves by {value:full}, agreement with the model by "
        "{agreement}.",
        NO: "Attention beyond that of {ordinary} ({jsd_of_seeds}) costs more than the margin: at penalty "
        "{penalty} it is {jsd} away, the score moves by {value:full}, agreement with the model by "
        "{agreement}.",
        UNDECIDED: "Whether other attention gives the same answers is open: no penalty took it beyond that "
        "of {ordinary} ({jsd_of_seeds}).",
    },
    NEEDED: {
        YES: "The task needs learned attention: {against} attention costs {value:full} of the score.",
        NO: "The task hardly needs learned attention: {against} attention costs {value:full} of the score.",
        UNDECIDED: "Whether the task needs learned attention is open: {against} attention costs "
        "{value:full}.",
    },
    NEEDED_BY_COPIES: {
        YES: "A copy of the model that is trained on needs its attention: {against} attention costs "
        "{value:full} of the score.",
        NO: "A copy of the model that is trained on hardly needs its attention: {against} attention costs "
        "{value:full} of the score.",
        UNDECIDED: "Whether a copy of the model that is trained on needs its attention is open: {against} "
        "attention costs {value:full}.",
    },
    CARRIES: {
        YES: "Maps of the model help another net ({net}): {value:full} beyond {against}.",
        NO: "Maps of the model do not help another net ({net}): {value:full} beyond {against}.",
        UNDECIDED: "Whether maps of the model help another net ({net}) is open: {value:full} beyond "
        "{against}.",
    },
    FALLS: {
        YES: "The higher the penalty, the less maps help another net ({net}): correlation {correlation}.",
        UNDECIDED: "Whether maps help less, the higher the penalty ({net}), is open: "
        "correlation {correlation}.",
    },
    REGIMES: {
        YES: "At penalty {penalty} scores of adversaries are not of one normal distribution: {lower_models} "
        "of {models} score {lower} (attention {lower_jsd} away), the others {higher} ({higher_jsd}).",
        UNDECIDED: "Whether there are two kinds of adversaries at one penalty is open (p = {p}).",
    },
    EMPTY: {
        YES: "Adversaries behind the collapse score as nets with {against} attention do: {value:full} apart.",
        NO: "Adversaries behind the collapse score otherwise than nets with {against} attention: "
        "{value:full} apart.",
        UNDECIDED: "Whether adversaries behind the collapse score as nets with {against} attention is open: "
        "{value:full} apart.",
    },
}
_ELSEWHERE_OPEN = (
    "Whether other attention gives the same answers is open: at penalty {penalty} it is {jsd} away "
    "({ordinary} {jsd_of_seeds}), the score moves by {value:full}, agreement with the model by {agreement}; "
    "{models:n model} of a kind cannot decide it."
)
_UNLEARNED = (
    "What attention is worth is open: already at penalty {penalty} models agree with the one on trial on "
    "only {agreement} of the answers; give them more epochs, data or a higher rate."
)
LEARNED = 0.8
"""Share of answers that models of penalty 0 must have in common with the model, to be read as its kind."""

_ORDER = (ELSEWHERE, CARRIES, NEEDED, NEEDED_BY_COPIES, EMPTY, REGIMES, FALLS)
_NETS = (SAME, PLAIN, WORDS, MIXED)


def findings(result: Result) -> list[Finding]:
    """The claims that were tested, the most telling first, each once."""
    return [*_unlearned(result), *_claims(result)][:MOST]


def _unlearned(result: Result) -> Iterator[Finding]:
    """Adversaries that nothing drives away should answer as the model does."""
    curve = result.table("curve")
    for row in curve.index[(curve["kind"] == ADVERSARY) & (curve["penalty"] == 0)]:
        if float(curve.loc[row, "agreement"]) < LEARNED:
            yield finding(result, "curve", row, _UNLEARNED, decided=False)


def _claims(result: Result) -> Iterator[Finding]:
    table = result.table("verdict")
    tested = table[table["verdict"] != NOT_TESTED]
    for claim in _ORDER:
        rows = tested.index[tested["claim"] == claim]
        if not len(rows):
            continue
        row = min(rows, key=lambda each: _telling(*tested.loc[each, ["verdict", "net"]]))
        verdict = str(values_of(result, "verdict", row)["verdict"])
        text, name = _TEXTS[claim][verdict], "verdict"
        if claim == ELSEWHERE and verdict == UNDECIDED and not isnan(float(tested.loc[row, "penalty"])):
            text = _ELSEWHERE_OPEN
        if claim == REGIMES and verdict == YES:  # the groups themselves
            name, groups = "regimes", result.table("regimes")
            row = groups.index[groups["penalty"] == tested.loc[row, "penalty"]][0]
        yield finding(result, name, row, text, decided=verdict != UNDECIDED)


def _telling(verdict: str, net: str) -> tuple[bool, int]:
    """Of one claim about several nets, what is decided comes first, then the nearest net."""
    return verdict == UNDECIDED, _NETS.index(net)
