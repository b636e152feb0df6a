"""A question is a folder: others use it through its offers alone, and nothing outside knows verbs by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from headscope.questions import VERBS
from tests.architecture.source import ROOT, files, imports_of, name_of, tree_of

OFFERED = {
    ("questions/compare", "survey"),
    ("questions/show", "maps"),
    ("questions/survey", "maps"),
    ("cli", "maps"),
}
"""Who uses what another question offers."""

ALSO_DATA = {"maps"}
"""Verbs whose names are words of the data too."""

MAY_NAME_VERBS = {"questions/__init__.py", "cli/demo.py"}


def owner_of(path: Path) -> str:
    """The question that a file belongs to, or its room."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] == "questions" and len(parts) > 2 else parts[0]


def uses_of_questions(path: Path) -> Iterator[tuple[str, str]]:
    """Every import of another question's folder: the question, and what is imported of it."""
    for _, name in imports_of(path):
        parts = name.split(".")
        inside = parts[:2] == ["headscope", "questions"] and len(parts) > 3 and parts[2] in VERBS
        if inside and owner_of(path) != f"questions/{parts[2]}":
            yield parts[2], parts[3]


def test_questions_are_used_through_their_offers_by_those_who_are_listed() -> None:
    used = {
        (owner_of(path), question, what) for path in files() for question, what in uses_of_questions(path)
    }
    assert {what for _, _, what in used} == {"offers"}
    assert {(who, question) for who, question, _ in used} == OFFERED


def words_chosen_by(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Words by which code chooses: what is compared, matched, looked up, or a key of a dictionary."""
    for node in ast.walk(tree):
        places: list[ast.AST | None] = []
        if isinstance(node, ast.Compare):
            places = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            places = [node.value]
        elif isinstance(node, ast.Dict):
            places = list(node.keys)
        elif isinstance(node, ast.Subscript):
            places = [node.slice]
        for place in places:
            for inner in (
                ast.walk(place) if isinstance(place, ast.Constant | ast.Tuple | ast.List | ast.Set) else ()
            ):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.lineno, inner.value


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_no_code_chooses_by_the_name_of_a_verb(path: Path) -> None:
    if name_of(path) in MAY_NAME_VERBS:
        return
    own = owner_of(path).removeprefix("questions/")
    named = [
        (line, word)
        for line, word in words_chosen_by(tree_of(path))
        if word in VERBS.keys() - {own, *ALSO_DATA}
    ]
    assert named == []


def test_choosing_is_seen() -> None:
    """A test that sees nothing would always pass."""
    code = """
if verb == "survey" or verb in ("syntax", "coref"): ...
match verb:
    case "probe" | "prune": ...
{"ablate": 1, **others}[verb]["compare"]
"""
    words = {word for _, word in words_chosen_by(ast.parse(code))}
    assert words == {"survey", "syntax", "coref", "probe", "prune", "ablate", "compare"}


@pytest.mark.parametrize("verb", VERBS)
def test_a_question_has_its_files(verb: str) -> None:
    inside = {path.stem for path in (ROOT / "questions" / verb).iterdir()}
    assert {"__init__", "options", "answer", "screen"} <= inside
    assert (ROOT.parents[1] / "docs" / f"{verb}.md").is_file()


def test_the_table_has_every_folder() -> None:
    folders = {
        path.name for path in (ROOT / "questions").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders == set(VERBS)
    assert all(verb.question.endswith("?") for verb in VERBS.values())
