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
from ..questions.asking import ask
def late():
    from headscope.cli import info
    class Inner:
        import headscope.drawing.style
"""


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(source, "tree_of", lambda path: ast.parse(CODE))
    return [name for _, name in source.imports_of(source.ROOT / "text" / "made_up.py")]


def test_all_imports_are_seen(found: list[str]) -> None:
    assert found == [
        "os",
        "typing.TYPE_CHECKING",
        "headscope.cli.main",
        "json",
        "headscope.text.beside",
        "headscope.questions.asking.ask",
        "headscope.cli.info",
        "headscope.drawing.style",
    ]


def test_upward_imports_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.architecture.test_floors import upward

    monkeypatch.setattr(source, "tree_of", lambda path: ast.parse(CODE))
    wrong = upward(Path(source.ROOT / "text" / "made_up.py"))
    assert len(wrong) == 4 and wrong[2] == (
        "text/made_up.py:11: text (floor 1) imports headscope.cli.info (floor 10)"
    )
