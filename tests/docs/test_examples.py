"""Every example of the documentation runs, in the order of its page.

```python blocks of a page are executed in one namespace. Of ```console blocks the lines that begin with
`$ headscope` are run; what a page shows below such a line must be part of what is printed, and a message
that begins with `headscope:` must be what a mistake gives. Blocks in other languages are not run.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from headscope.cli import screen
from headscope.cli.main import run
from tests.docs.blocks import Block, Command, blocks, commands

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [
    page for name in ("README.md", "CONTRIBUTING.md") if (page := ROOT / name).exists()
]
LONG = {"demo", "serve"}
"""Verbs that take a minute, or do not end; their own tests run them."""


def of_language(page: Path, language: str) -> list[Block]:
    return [block for block in blocks(page) if block.language == language]


def pages_with(language: str) -> list[Any]:
    return [pytest.param(page, id=page.stem) for page in PAGES if of_language(page, language)]


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_blocks_run(page: Path, desk: Path) -> None:
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block in of_language(page, "python"):
        # Empty lines in front let a traceback name the line of the page; no `__future__` of ours holds there.
        text = "\n" * (block.line - 1) + block.text
        exec(compile(text, str(page), "exec", dont_inherit=True), namespace)


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_run(
    page: Path, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen.console, "width", 200)
    for block in of_language(page, "console"):
        for command in commands(block):
            arguments = shlex.split(command.arguments, comments=True)
            if arguments[0] not in LONG:
                check(command, arguments, monkeypatch, capsys)


def check(
    command: Command,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["headscope", *arguments])
    code = 0
    try:
        run()
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = capsys.readouterr()
    assert code == command.code, f"{command.arguments}\n{told.err}"
    printed = " ".join((told.out + told.err).split())
    for line in command.shown:
        assert line == "..." or " ".join(line.split()) in printed, (
            f"{command.arguments} does not print: {line}"
        )


def test_a_page_of_each_kind_is_run() -> None:
    """The searches above find something: an empty list would make them pass."""
    assert {"python", "survey", "run-folder"} <= {page.stem for page in PAGES if of_language(page, "python")}
    assert "cli" in {page.stem for page in PAGES if of_language(page, "console")}


def test_links_between_pages_lead_somewhere() -> None:
    """Relative links name files that exist."""
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which does not exist"
