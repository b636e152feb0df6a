"""docs/roles.md says what the rules say."""

from __future__ import annotations

import re
from pathlib import Path

from headscope.questions.survey.rules import LAST, LIFT, PARTLY_LIFT, RULES
from headscope.questions.survey.scores import NEAR
from headscope.results.vocabulary import MIXED

PAGE = (Path(__file__).parents[2] / "docs" / "roles.md").read_text("utf-8")


def test_the_table_is_the_table_of_rules() -> None:
    rows = re.findall(r"^\| ([\w -]+) \| .+ \| `(\w+)` \| (\d+) % \| (\d+ %|none) \|$", PAGE, re.MULTILINE)
    expected = [
        (
            rule.role,
            rule.score,
            f"{100 * rule.at_least:g}",
            f"{100 * rule.partly:g} %" if rule.partly else "none",
        )
        for rule in (*RULES, *LAST)
    ]
    assert rows == expected


def test_the_lifts_are_told() -> None:
    assert f"at least {LIFT:g} times what even attention gives" in PAGE
    assert f"at least {PARTLY_LIFT:g} times what even attention gives" in PAGE


def test_the_other_words_of_the_rules_are_told() -> None:
    assert f"`{MIXED}`" in PAGE
    assert f"{NEAR} tokens before and the {NEAR} after" in PAGE
