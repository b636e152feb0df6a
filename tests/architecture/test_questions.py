"""A question is a folder: others use it through its offers alone, and nothing outside knows verbs by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from headscope.questions import VERBS
from tests.architecture.source import ROOT, files, imports_of, name_of, tree_of

OFFERED = {
    ("questions/adversary", "trust"),
    ("questions/compare", "survey"),
    ("questions/explain", "maps"),
    ("questions/keywords", "prune"),
    ("questions/show", "explain"),
    ("questions/show", "maps"),
    ("questions/survey", "maps"),
    ("questions/train", "finetune"),
    ("cli", "explain"),
    ("cli", "maps"),
    ("__init__.py", "maps"),
}
"""Who uses what another question offers."""

_TASKS = {f"questions/layers/{name}.py" for name in ("answer", "edge_tasks", "published")}
ALSO_DATA = {
    "adversary": {"questions/trust/swapping.py"},
    "coref": _TASKS,
    "keywords": None,
    "layers": None,
    "maps": None,
    "memory": None,
    "sentences": None,
    "syntax": {"results/vocabulary.py"},
    "train": None,
}
"""Verbs whose names are words of the data too: everywhere, or in these files."""

MAY_NAME_VERBS = {"questions/__init__.py", "cli/demo.py"}


def owner_of(path: Path) -> str:
    """The question that a file belongs to, or its room."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] == "questions" and len(parts) > 2 else parts[0]


def words_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every word that code says outside its documentation: texts, keywords, attributes of a mapping."""
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            yield from ((node.lineno, keyword.arg) for keyword in node.keywords if keyword.arg)


def uses_of_questions(path: Path) -> Iterator[tuple[str, str]]:
    """Every import of another question's folder, by statement or by name: the question, and what of it."""
    places = [name for _, name in imports_of(path)] + [word for _, word in words_of(tree_of(path))]
    for name in places:
        parts = name.split(".")
        inside = parts[:2] == ["headscope", "questions"] and len(parts) > 2 and parts[2] in VERBS
        if inside and owner_of(path) != f"questions/{parts[2]}":
            yield parts[2], parts[3] if len(parts) > 3 else ""


def test_questions_are_used_through_their_offers_by_those_who_are_listed() -> None:
    used = {
        (owner_of(path), question, what) for path in files() for question, what in uses_of_questions(path)
    }
    assert {what for _, _, what in used} == {"offers"}
    assert {(who, question) for who, question, _ in used} == OFFERED


def test_no_code_says_the_name_of_a_verb() -> None:
    """So none can choose by it, however it is written."""
    assert [said for path in files() if name_of(path) not in MAY_NAME_VERBS for said in verbs_in(path)] == []


def verbs_in(path: Path) -> list[tuple[str, int, str]]:
    """The names of verbs that a file says where they mean no data and not itself."""
    own = owner_of(path).removeprefix("questions/")
    data = {word for word, places in ALSO_DATA.items() if places is None or name_of(path) in places}
    names = VERBS.keys() - {own} - data
    return [(name_of(path), line, word) for line, word in words_of(tree_of(path)) if word in names]


def test_words_are_seen() -> None:
    """A test that sees nothing would always pass."""
    code = """
'''survey'''
if verb == "syntax" or VERBS.get("coref") or verb.startswith(f"probe"): ...
match verb:
    case {"prune": _} | "ablate": ...
NAMES = dict(compare=1), frozenset({"finetune"}), getattr(headscope, "show")
"""
    words = {word for _, word in words_of(ast.parse(code))}
    assert words == {"syntax", "coref", "probe", "prune", "ablate", "compare", "finetune", "show"}


@pytest.mark.parametrize("verb", VERBS)
def test_a_question_has_its_files(verb: str) -> None:
    inside = {path.stem for path in (ROOT / "questions" / verb).iterdir()}
    assert {"__init__", "options", "answer", "declared", "findings", "screen"} <= inside
    assert (ROOT.parents[1] / "docs" / f"{verb}.md").is_file()


def test_the_table_has_every_folder() -> None:
    folders = {
        path.name for path in (ROOT / "questions").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders == set(VERBS)
    assert all(verb.question.endswith("?") for verb in VERBS.values())
