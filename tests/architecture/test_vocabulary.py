"""Roles, verdicts, readings and trees have one place, and are retyped nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from headscope.questions.survey.findings import PLACES
from headscope.questions.survey.rules import roles_in_order
from headscope.results.vocabulary import (
    BROAD,
    COPYING,
    FALSE_TREES,
    INDUCTION,
    KEYWORDS,
    LOCAL,
    MATCHED,
    PUNCTUATION,
    READINGS,
    RETRIEVAL,
    ROLES,
    SEPARATOR,
    STREAMING,
    SURFACE_ROLES,
    SYNTAX,
    UNIFORM,
    VERDICTS,
    partly,
)
from tests.architecture.source import client_files, files, name_of, tree_of
from tests.architecture.test_questions import words_of

HOME = "results/vocabulary.py"
OTHER_WORDS = {
    *(SYNTAX, KEYWORDS, RETRIEVAL, LOCAL, PUNCTUATION, SEPARATOR, UNIFORM, MATCHED, INDUCTION, COPYING),
    STREAMING,
}
"""Also names of other things: verbs, an engine, a table, kinds of tokens, scores, even attention."""

BENCHMARKS = sorted((Path(__file__).parents[2] / "benchmarks").rglob("*.py"))
CLIENT = [path for path in client_files() if path.parent.name != "wire"]
"""Without the names of the wire's types, which are written by Python."""


def retyped(words: Iterable[str]) -> list[str]:
    """Those of the words that the vocabulary owns."""
    own = {*ROLES, *VERDICTS, *FALSE_TREES, partly("")} - OTHER_WORDS
    return [word for word in words if word in own or any(reading in word for reading in READINGS)]


def said_in(paths: Iterable[Path]) -> dict[str, list[str]]:
    """The texts in the code of each file."""
    return {str(path): [word for _, word in words_of(tree_of(path))] for path in paths}


def retyped_by_file(said: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Those of each file that retypes any."""
    assert said, "nothing was read"
    found = {name: retyped(words) for name, words in said.items()}
    return {name: words for name, words in found.items() if words}


def test_words_are_not_retyped() -> None:
    assert retyped_by_file(said_in(path for path in files() if name_of(path) != HOME)) == {}


def test_benchmarks_do_not_retype_them() -> None:
    parts = {path.stem for path in BENCHMARKS}
    said = {
        name: [word for word in words if word not in parts] for name, words in said_in(BENCHMARKS).items()
    }
    assert retyped_by_file(said) == {}


def test_the_page_is_told_them() -> None:
    """Neither quoted nor as the key of an object."""
    said = {}
    for path in CLIENT:
        text = path.read_text("utf-8")
        keys = re.findall(r"^ +(\w+):", text, re.MULTILINE)
        said[path.name] = [*re.findall(r"""['"`](.*?)['"`]""", text), *keys]
    assert retyped_by_file(said) == {}


def test_retyped_words_are_found() -> None:
    """Even attention may be called so; a word within a sentence is no name."""
    assert retyped(["mixed", UNIFORM, "a mixed text", "swapped", f"as {READINGS[0]}"]) == [
        "mixed", "swapped", f"as {READINGS[0]}",
    ]  # fmt: skip


def test_the_order_of_roles_is_that_of_the_rules() -> None:
    assert [role for role, _ in roles_in_order()] == list(ROLES)


def test_every_role_of_a_place_can_be_told() -> None:
    assert set(PLACES) == set(SURFACE_ROLES) - {BROAD}
