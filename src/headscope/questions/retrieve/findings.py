"""What retrieve found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.retrieve.verdicts import is_above_chance
from headscope.results.finding import Finding, finding
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """The head that finds most, what is found without such heads, and how often anything is found."""
    return [*_best(result), *_removal(result), *_found(result)]


def _best(result: Result) -> Iterator[Finding]:
    summary = result.table("retrieval").iloc[0]
    if not summary["retrieved"]:
        text = "No head is named: in none of {trials} trials was a secret found again."
        yield finding(result, "retrieval", 0, text, decided=False)
        return
    best = result.table("heads").iloc[0]
    if not best["named"]:
        text = "No head is named: the most that one finds is {score}, {head}."
        yield finding(result, "heads", 0, text, decided=False)
        return
    is_sure = is_above_chance(best.to_dict())
    text = (
        "Head {head} finds most: while a secret is written, its strongest key lies on {score:full} of it; a "
    )
    text += "random key would on {chance}."
    text += "" if is_sure else " How sure that is stays open: the trials are too few."
    yield finding(result, "heads", 0, text, head="head", decided=is_sure)


def _removal(result: Result) -> Iterator[Finding]:
    table = result.table("removal")
    for name, what in (("found", "the heads that find most"), ("random 1", "as many random heads")):
        rows = table.index[table["removed"] == name]
        if len(rows):
            text = (
                f"Without {what} ({{heads}}), {{recall}} of the secrets found before are still written; how "
            )
            text += "far other needles would show the same is open."
            yield finding(result, "removal", rows[0], text, decided=False)


def _found(result: Result) -> Iterator[Finding]:
    text = (
        "Of {trials} secrets {retrieved} ({share}) are found again, and {named:n head} ({of_heads}) named; "
    )
    text += "of other texts that may be another number."
    yield finding(result, "retrieval", 0, text, decided=False)
