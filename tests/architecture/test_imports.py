"""The reading of imports is right: a test of the plan that sees nothing would always pass."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture import source

CODE = """
import os
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from headscope.cli import main
else:
    import json
from . import beside
from ..jobs.survey import survey
def late():
    from headscope.cli import description as info
    class Inner:
        import headscope.drawing.style
"""


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(source, "tree_of", lambda path: ast.parse(CODE))
    return [name for _, name in source.imports_of(source.ROOT / "text" / "made_up.py")]


def test_all_imports_are_seen_but_those_for_type_checkers(found: list[str]) -> None:
    assert found == [
        "os",
        "typing.TYPE_CHECKING",
        "json",
        "headscope.text.beside",
        "headscope.questions.survey.answer.survey",
        "headscope.cli.description",
        "headscope.drawing.style",
    ]


def test_upward_imports_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.architecture.test_floors import upward

    monkeypatch.setattr(source, "tree_of", lambda path: ast.parse(CODE))
    wrong = upward(Path(source.ROOT / "text" / "made_up.py"))
    assert len(wrong) == 3 and wrong[1] == (
        "text/made_up.py:11: text (floor 1) imports headscope.cli.description (floor 7)"
    )
