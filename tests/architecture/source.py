"""The source as the tests of its plan see it: files, rooms, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import headscope
from benchmarks.source import imports

ROOT = Path(headscope.__file__).parent
PACKAGE = "headscope"


def files() -> list[Path]:
    """Every source file."""
    return sorted(ROOT.rglob("*.py"))


def client_files() -> list[Path]:
    """Every source file of the page."""
    folder = Path(__file__).parents[2] / "client" / "src"
    return sorted(path for path in folder.rglob("*") if path.suffix in (".ts", ".svelte", ".css"))


def name_of(path: Path) -> str:
    """A file's name for messages and test ids."""
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path) -> str:
    """The room a file is in: its folder, or the file itself at the top."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a file imports, inside functions and for type checkers too."""
    module = ".".join([PACKAGE, *path.relative_to(ROOT).with_suffix("").parts])
    package = module.removesuffix(".__init__") if path.name == "__init__.py" else module.rpartition(".")[0]
    yield from ((one.line, one.name) for one in imports(tree_of(path), package))


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, nested ones and methods too."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, kinds))


def top_level_functions(path: Path) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in tree_of(path).body if isinstance(node, ast.FunctionDef)}
