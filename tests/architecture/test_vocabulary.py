"""Roles, verdicts and readings have one place, and are retyped nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.questions.survey.findings import PLACES
from headscope.questions.survey.rules import roles_in_order
from headscope.results.vocabulary import (
    BROAD,
    LOCAL,
    PUNCTUATION,
    READINGS,
    ROLES,
    SEPARATOR,
    SURFACE_ROLES,
    SYNTAX,
    VERDICTS,
)
from tests.architecture.source import files, name_of, tree_of
from tests.architecture.test_questions import words_of

HOME = "results/vocabulary.py"
OTHER_WORDS = {SYNTAX, LOCAL, PUNCTUATION, SEPARATOR}
"""Roles that are also names of other things: a verb, an engine, kinds of tokens, a score."""


@pytest.mark.parametrize("path", [path for path in files() if name_of(path) != HOME], ids=name_of)
def test_words_are_not_retyped(path: Path) -> None:
    said = [word for _, word in words_of(tree_of(path))]
    own = {*ROLES, *VERDICTS} - OTHER_WORDS
    assert [word for word in said if word in own or any(reading in word for reading in READINGS)] == []


def test_the_order_of_roles_is_that_of_the_rules() -> None:
    assert [role for role, _ in roles_in_order()] == list(ROLES)


def test_every_role_of_a_place_can_be_told() -> None:
    assert set(PLACES) == set(SURFACE_ROLES) - {BROAD}
