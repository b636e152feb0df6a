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
        text = "No head is named: in none of {trials:n trial} was a secret found again."
        yield finding(result, "retrieval", 0, text, decided=False)
        return
    best = result.table("heads").iloc[0]
    if not best["named"]:
        text = "No head is named: the most that one finds is {score}, {head}."
        yield finding(result, "heads", 0, text, decided=False)
        return
    is_sure = is_above_chance(best.to_dict())
    text = (
        "Head {head} finds most: while a secret is written, its strongest key lies on {score:full} of it, a "
        "random key on {chance}."
    )
    text += "" if is_sure else " The trials are too few to be sure of it, so it stays open."
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
    summary = result.table("retrieval").iloc[0]
    found, named = ("is" if summary[name] == 1 else "are" for name in ("retrieved", "named"))
    text = (
        f"Of {{trials:n secret}}, {{retrieved}} ({{share}}) {found} found again, and {{named:n head}} "
        f"({{of_heads}}) {named} named; on other texts this may be different."
    )
    yield finding(result, "retrieval", 0, text, decided=False)
