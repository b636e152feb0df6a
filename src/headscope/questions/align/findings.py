"""What align found, in sentences."""

from __future__ import annotations

from typing import Any

from headscope.questions.align.readings import GOLD, HMM, IBM1
from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import BETTER, WORSE

SCORES = "an error rate of {error:full}, the best of diagonal and fixed offsets {fixed}"


def findings(result: Result) -> list[Finding]:
    """Whether a head links words, what the reading does, how aligners do, and which head looks beside."""
    alignment, effects = result.table("alignment"), result.table("align_effects")
    reference = alignment["reference"].iloc[0]
    first = alignment.index[(alignment["reference"] == reference) & alignment["error"].notna()]
    changes = effects.index[effects["reference"] == reference][:2]
    made = [_best(result, row) for row in first[:1]]
    made += [_effect(result, row) for row in changes]
    return [*made, *_aligner(result, reference), *_joined(result, reference)][:5]


def _best(result: Result, row: Any) -> Finding:
    best = values_of(result, "alignment", row)
    links = "words as gold does" if best["reference"] == GOLD else f"words as {best['reference']} does"
    is_sure, is_better = best["p_adjusted"] < LEVEL, best["error"] < best["fixed"]
    if is_sure and not is_better:
        text = f"No head links {links} as well as a fixed rule: the best has {SCORES} (p = {{p_adjusted}})."
        return finding(result, "alignment", row, text, head="item")
    if not best["found"]:
        twins = "but random twins are as good ({twin_low})"
        if best["twin_low"] != best["twin_low"]:
            twins = "but no random twin was asked"
        reason = twins if is_sure else "p = {p_adjusted}"
        text = f"That a head links {links} is not shown: the best has {SCORES}, {reason}."
        return finding(result, "alignment", row, text, head="item", decided=False)
    if best["item"] == best["other_item"]:
        text = f"Head {{item}} links {links}, with {SCORES}."
    else:
        heads = "Heads {item} and {other_item}, each chosen on half of the pairs,"
        text = f"{heads} link {links}, with {SCORES}."
    return finding(result, "alignment", row, text, head="item")


def _effect(result: Result, row: Any) -> Finding:
    effect = values_of(result, "align_effects", row)
    is_decided = effect["p_adjusted"] < LEVEL
    change = "With {change}, the error rate of the best head "
    if is_decided:
        moves = "falls" if effect["effect"] < 0 else "rises"
        text = change + moves + " from {plain} to {error}, by {effect:full}."
    else:
        text = change + "is not shown to change: {effect:full}, p = {p_adjusted}."
    return finding(result, "align_effects", row, text, decided=is_decided)


def _aligner(result: Result, reference: str) -> list[Finding]:
    """The best aligner that learnt from the pairs, beside the best head; none is held against itself."""
    aligners, learnt = result.table("aligners"), {IBM1, HMM} - {reference}
    own = aligners[(aligners["reference"] == reference) & aligners["aligner"].isin(learnt)]
    if not own["error"].notna().any():
        return []
    return [_beside(result, "aligners", own["error"].idxmin(), "{aligner} ({how})", "the best head")]


def _joined(result: Result, reference: str) -> list[Finding]:
    """The best way to join two directions, beside one of them."""
    if "align_joined" not in result.tables:
        return []
    joined = result.table("align_joined")
    own = joined[(joined["reference"] == reference) & joined["error"].notna()].iloc[2:]
    if not len(own):
        return []
    return [
        _beside(result, "align_joined", own["error"].idxmin(), "the {joined} of both directions", "the first")
    ]


def _beside(result: Result, table: str, row: Any, name: str, other: str) -> Finding:
    values = values_of(result, table, row)
    is_decided = values["p_adjusted"] < LEVEL
    has = f"has an error rate of {{error:full}}, {{effect}} against that of {other}"
    if is_decided:
        how = BETTER if values["effect"] < 0 else WORSE
        text = f"{name[0].upper()}{name[1:]} links words {how} than {other}: it {has}."
    else:
        text = f"Whether {name} links words better than {other} is open: it {has}, p = {{p_adjusted}}."
    return finding(result, table, row, text, decided=is_decided)
