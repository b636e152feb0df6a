"""Roles, verdicts, readings and trees have one place, and are retyped nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from headscope.questions.survey.findings import PLACES
from headscope.questions.survey.rules import roles_in_order
from headscope.results.vocabulary import (
    BROAD,
    FALSE_TREES,
    LOCAL,
    PUNCTUATION,
    READINGS,
    ROLES,
    SEPARATOR,
    SURFACE_ROLES,
    SYNTAX,
    UNIFORM,
    VERDICTS,
    partly,
)
from tests.architecture.source import client_files, files, name_of, tree_of
from tests.architecture.test_questions import words_of

HOME = "results/vocabulary.py"
OTHER_WORDS = {SYNTAX, LOCAL, PUNCTUATION, SEPARATOR, UNIFORM}
"""Words that are also names of other things: a verb, an engine, kinds of tokens, a score, even attention."""

BENCHMARKS = sorted((Path(__file__).parents[2] / "benchmarks").rglob("*.py"))
CLIENT = [path for path in client_files() if path.name != "wire.ts"]
"""Without the names of the wire's types, which are written by Python."""


def retyped(words: Iterable[str]) -> list[str]:
    """Those of the words that the vocabulary owns."""
    own = {*ROLES, *VERDICTS, *FALSE_TREES, partly("")} - OTHER_WORDS
    return [word for word in words if word in own or any(reading in word for reading in READINGS)]


@pytest.mark.parametrize("path", [path for path in files() if name_of(path) != HOME], ids=name_of)
def test_words_are_not_retyped(path: Path) -> None:
    assert retyped(word for _, word in words_of(tree_of(path))) == []


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.name)
def test_benchmarks_do_not_retype_them(path: Path) -> None:
    parts = {path.stem for path in BENCHMARKS}
    assert retyped(word for _, word in words_of(tree_of(path)) if word not in parts) == []


@pytest.mark.parametrize("path", CLIENT, ids=lambda path: path.name)
def test_the_page_is_told_them(path: Path) -> None:
    """Neither quoted nor as the key of an object."""
    text = path.read_text("utf-8")
    quoted, keys = re.findall(r"""['"`](.*?)['"`]""", text), re.findall(r"^ +(\w+):", text, re.MULTILINE)
    assert retyped([*quoted, *keys]) == []


def test_retyped_words_are_found() -> None:
    """Even attention may be called so; a word within a sentence is no name."""
    assert retyped(["mixed", UNIFORM, "a mixed text", "swapped", f"as {READINGS[0]}"]) == [
        "mixed", "swapped", f"as {READINGS[0]}",
    ]  # fmt: skip


def test_the_order_of_roles_is_that_of_the_rules() -> None:
    assert [role for role, _ in roles_in_order()] == list(ROLES)


def test_every_role_of_a_place_can_be_told() -> None:
    assert set(PLACES) == set(SURFACE_ROLES) - {BROAD}
