"""What is printed after a run of coref."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown
from headscope.results.result import Result

SHOWN = ["type", "mentions", "accuracy", "low", "high", "chosen", "same_data", "twin"]
TESTS = ["above_nearest", "p_nearest", "above_head_match", "p_head_match"]
BESIDE = ["type", "nearest", "head_match", "head_match_or_nearest", "sieves", *TESTS]


def screen(result: Result) -> Iterator[Shown]:
    """The best heads and what stands beside them."""
    types = result.table("coref_types")
    yield Shown("How often the best head finds an antecedent", types[SHOWN])
    yield Shown("Beside simple rules", types[BESIDE])
