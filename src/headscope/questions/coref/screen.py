"""What is printed after a run of coref."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, both_of, readable
from headscope.results.result import Result

SCORES = ["type", "mentions", "accuracy", "same_data", "twin"]
RULES = ["type", "nearest", "head_match", "head_match_or_nearest", "sieves"]
TESTS = ["type", "above_nearest", "p_nearest", "above_head_match", "p_head_match"]


def screen(result: Result) -> Iterator[Shown]:
    """The best heads, what simple rules give, and whether heads are above them."""
    types, says = result.table("coref_types"), result.declaration("coref_types")
    heads = readable(types, says, SCORES)
    heads.insert(2, "head", both_of(types, "chosen"))
    yield Shown(says.title, heads)
    yield Shown("How often simple rules do", readable(types, says, RULES))
    yield Shown("How far the best head is above them", readable(types, says, TESTS))
