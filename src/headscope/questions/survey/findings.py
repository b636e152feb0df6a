"""What a survey found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.blocks import FEWEST
from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.reading import WIDTH
from headscope.results.result import Result
from headscope.results.vocabulary import (
    BROAD,
    DUPLICATE_TOKEN,
    FIRST_TOKEN,
    INDUCTION,
    LOCAL,
    MIXED,
    NEXT_TOKEN,
    PREVIOUS_TOKEN,
    PUNCTUATION,
    SAME_TOKEN,
    SEPARATOR,
    partly,
)

PLACES = {
    PREVIOUS_TOKEN: "the previous token",
    NEXT_TOKEN: "the next token",
    SAME_TOKEN: "the token itself",
    FIRST_TOKEN: "the first token",
    SEPARATOR: "special tokens that part or close the text",
    PUNCTUATION: "punctuation",
    LOCAL: "the three tokens before and after",
    INDUCTION: "what followed the same token before, in random tokens that are repeated",
    DUPLICATE_TOKEN: "the same token before, in random tokens that are repeated",
}
OF_INDUCTION = "induction"
"""The pattern of that name in the table of patterns."""

ELSEWHERE = " On other text this may be different."

MOST = 5
"""Sentences, at most."""

TARGETS = {
    PREVIOUS_TOKEN: "previous",
    NEXT_TOKEN: "next",
    SAME_TOKEN: "self",
    FIRST_TOKEN: "first",
    PUNCTUATION: "all punctuation",
}
"""Under which name the table `shares` has the score of a role, with a standard error."""


def findings(result: Result) -> list[Finding]:
    """The clearest head, the commonest role, what is behind it, whether layers are alike, what is unknown."""
    parts = (_clearest, _commonest, _induction, _behind, _layers, _unclear)
    return [each for part in parts for each in part(result)][:MOST]


def _clearest(result: Result) -> Iterator[Finding]:
    """The head that follows one of the rules most closely; broad heads follow none but even attention."""
    roles = result.table("roles")
    clear = roles[roles["role"].isin(PLACES)].sort_values("score", ascending=False, kind="stable")
    if not len(clear):
        yield finding(
            result,
            "roles",
            0,
            "No head gives most of its attention to one place that a rule knows.",
            decided=False,
        )
        return
    best = values_of(result, "roles", clear.index[0])
    given = f"of its attention to {PLACES[best['role']]}; even attention would give {{uniform}}"
    target = TARGETS.get(best["role"])
    if target is None:
        yield finding(result, "roles", clear.index[0], f"Head {{best}} gives {{score}} {given}.", head="best")
        return
    shares = result.table("shares")
    (row,) = shares.index[(shares["head"] == best["best"]) & (shares["target"] == target)]
    share = values_of(result, "shares", row)
    is_sure = share["share"] - WIDTH * share["se"] > share["uniform"]
    text = f"Head {{head}} gives {{share:full}} {given}."
    if share["se"] != share["se"]:
        text += (
            f" Of fewer than {FEWEST} documents there is no interval, so how sure that is stays open; in a "
            "text file, blank lines part documents."
        )
    elif not is_sure:
        text += " The interval reaches down to that, so it stays open."
    yield finding(result, "shares", row, text, head="head", decided=is_sure)


def _commonest(result: Result) -> Iterator[Finding]:
    """The role that most heads have, wholly or partly."""
    roles = result.table("roles")
    seen = {*PLACES, *map(partly, PLACES)}
    most = roles[roles["role"].isin(seen)].sort_values("heads", ascending=False, kind="stable")
    if len(most):
        text = "The commonest role, that of {heads:n head} ({share}), is {role}: {rule}."
        has_errors = _has_errors(result)
        if not has_errors:
            text += ELSEWHERE
        yield finding(result, "roles", most.index[0], text, head="best", decided=has_errors)


def _has_errors(result: Result) -> bool:
    """Whether there are documents enough to tell."""
    return bool(result.table("shares")["se"].notna().any())


def _behind(result: Result) -> Iterator[Finding]:
    """What heads that rest on the first token do otherwise, the clearest of it."""
    if not len(result.tables.get("behind", ())):
        return
    table = result.table("behind")
    clear = table[table["role"].isin(PLACES)].sort_values("score", ascending=False, kind="stable")
    if not len(clear):
        text = "What heads that rest on the first token do otherwise stays open: no rule gives them a place."
        yield finding(result, "behind", 0, text, decided=False)
        return
    place = PLACES[str(clear["role"].iloc[0])]
    has = "has" if clear["heads"].iloc[0] == 1 else "have"
    text = (
        f"Of heads that rest on the first token, {{heads}} ({{share}}) {has} the role {{role}} otherwise: of "
        f"what {{best}} does not leave there, {{score}} goes to {place}; even attention would give "
        f"{{uniform}}."
    )
    has_errors = _has_errors(result)
    text += "" if has_errors else ELSEWHERE
    yield finding(result, "behind", clear.index[0], text, head="best", decided=has_errors)


def _induction(result: Result) -> Iterator[Finding]:
    """The clearest induction head; where there is none, the head that comes nearest."""
    if "induction" not in result.tables:
        return
    chance = "even attention would give {uniform}."
    if len(result.table("induction")):
        others = " Other heads do so too." if len(result.table("induction")) > 1 else ""
        text = (
            "Where random tokens are repeated, {head} gives {share:full} of its attention to what followed "
        )
        text += f"the same one before; {chance}{others}"
        yield finding(result, "induction", 0, text, head="head")
        return
    patterns = result.table("patterns")
    shares = patterns.loc[patterns["pattern"] == OF_INDUCTION, "share"].dropna()
    if shares.empty:  # no head sees as far as a copy
        return
    nearest = shares.idxmax()
    text = "No head does induction: {head} comes nearest, with {share:full} of its attention on what "
    text += f"followed the same random token before; {chance}"
    yield finding(result, "patterns", nearest, text, decided=False)


def _layers(result: Result) -> Iterator[Finding]:
    """Whether heads of one layer are alike, in the first stack; nothing where that has one layer."""
    if "layers" not in result.tables or result.table("layers")["p"].isna().iloc[0]:
        return
    p = float(result.table("layers")["p"].iloc[0])
    numbers = "divergence {divergence within layers} within, {across layers} across (p = {p})"
    alike = "heads of one layer are more alike than heads of different layers"
    if p < LEVEL:
        text = f"In the {{stack}}, {alike}: {numbers}."
    else:
        text = f"Whether in the {{stack}} {alike} is open: {numbers}."
    yield finding(result, "layers", 0, text, decided=p < LEVEL)


def _unclear(result: Result) -> Iterator[Finding]:
    """The heads that are like even attention, and those that follow no rule."""
    texts = {
        BROAD: ("spreads its attention almost evenly, which tells nothing of what it does: {rule}",
                "spread their attention almost evenly, which tells nothing of what they do: {rule}"),
        MIXED: ("fits none of the roles", "fit none of the roles"),
    }  # fmt: skip
    roles = result.table("roles")
    for row, (role, heads) in enumerate(zip(roles["role"], roles["heads"], strict=True)):
        if role in texts:
            text = f"{{heads:n head}} ({{share}}) {texts[role][int(heads != 1)]}."
            yield finding(result, "roles", row, text, decided=False)
