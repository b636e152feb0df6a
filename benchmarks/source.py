"""A file taken apart: what its top defines, what of it runs in any case, what its names stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Import(NamedTuple):
    """An import: line, full name of what is imported, the name that it is given, what this stands for."""

    line: int
    name: str
    given: str
    stands_for: str


@dataclass(frozen=True)
class Source:
    """The statements at the top of a file.

    defined: by name, those that bind it: a function, a whole class, a constant. always: the others, which run
    when the file is imported, and what Python asks for by itself (`__getattr__`). bound: what an imported
    name stands for, with all its dots; imports inside functions count, those for type checkers do not.
    imported: the full names of what is imported with the file.
    """

    defined: dict[str, list[ast.stmt]]
    always: list[ast.stmt]
    bound: dict[str, set[str]]
    imported: set[str]


@cache
def source(text: str, package: str) -> Source:
    """Take a file of a package apart."""
    found = Source({}, [], {}, set())
    for statement in ast.parse(text).body:
        if _is_for_checkers(statement) or is_said(statement):
            continue
        for one in imports(statement, package):
            found.bound.setdefault(one.given, set()).add(one.stands_for)
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found.imported.update(one.name for one in imports(statement, package))
            continue
        names = _bound_by(statement)
        if names and not _runs_anyway(statement, names[0]):
            for name in names:
                found.defined.setdefault(name, []).append(statement)
        else:
            found.always.append(statement)
    return found


def imports(tree: ast.AST, package: str) -> Iterator[Import]:
    """All that a file of a package imports, in order, at whatever depth."""
    if isinstance(tree, ast.Import):
        for alias in tree.names:
            first = alias.name.partition(".")[0]
            yield Import(
                tree.lineno, alias.name, alias.asname or first, alias.name if alias.asname else first
            )
    elif isinstance(tree, ast.ImportFrom):
        parents = package.split(".")[: len(package.split(".")) - tree.level + 1] if tree.level else []
        base = ".".join([*parents, *([tree.module] if tree.module else [])])
        for alias in tree.names:
            name = f"{base}.{alias.name}"
            yield Import(tree.lineno, name, alias.asname or alias.name, name)
    for child in ast.iter_child_nodes(tree):
        yield from imports(child, package)


def is_said(node: ast.AST) -> bool:
    """Whether it is a string that stands alone: a docstring, also that of a field."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@cache
def uses(statement: ast.stmt) -> tuple[tuple[str, ...], ...]:
    """What `used` gives, each once."""
    return tuple(dict.fromkeys(map(tuple, used(statement))))


def used(node: ast.AST) -> Iterator[list[str]]:
    """Every name that runs, with what follows it behind dots; annotations of functions do not run, and what
    words an error or a step of work is only said.

    >>> list(used(ast.parse("def f(x: int = low): return here.there.get(x)")))
    [['low'], ['here', 'there', 'get'], ['x']]
    """
    node = _without_words(node)
    if isinstance(node, ast.Name):
        yield [node.id]
    elif isinstance(node, ast.Attribute):
        inner = list(used(node.value))
        is_chain = isinstance(node.value, ast.Name | ast.Attribute) and len(inner) == 1
        yield from ([[*inner[0], node.attr]] if is_chain else inner)
    elif isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        for part in (*node.decorator_list, *defaults, *node.body):
            yield from used(part)
    else:
        for child in ast.iter_child_nodes(node):
            yield from used(child)


@cache
def files_of_verbs(statement: ast.stmt) -> frozenset[str]:
    """Which files of verbs are asked for: the name in `verb.module("answer")`."""
    calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
    asking = (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "module")
    return frozenset(
        str(given.value) for call in asking for given in call.args if isinstance(given, ast.Constant)
    )


@cache
def done_by(statement: ast.stmt) -> str:
    """A statement without what is only said in it: comments, docstrings, layout, the words of errors.

    >>> done_by(ast.parse("def half(x):\\n    'Divide.'\\n    return x/2  # by two").body[0])
    'def half(x):\\n    return x / 2'
    """
    copy = ast.parse(ast.unparse(statement)).body[0]
    return ast.unparse(_Unsaid().visit(copy))


class _Unsaid(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        return super().generic_visit(_without_words(node))

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if is_said(node) else self.generic_visit(node)


def _without_words(node: ast.AST) -> ast.AST:
    """A raised error without its words, and a step of work (`engine/effort.py`) without its own.

    >>> ast.unparse(_without_words(ast.parse("raise ModelError(f'{name} has no head')").body[0]))
    'raise ModelError'
    >>> ast.unparse(_without_words(ast.parse("Step(f'{epochs} epochs', words, 3.0)").body[0].value))
    "Step('', words, 3.0)"
    """
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        name = ast.unparse(node.exc.func)
        return ast.Raise(node.exc.func, node.cause) if name.endswith("Error") else node
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Step" and node.args:
        what, *rest = node.args
        is_worded = isinstance(what, ast.JoinedStr) or (
            isinstance(what, ast.Constant) and isinstance(what.value, str)
        )
        return ast.Call(node.func, [ast.Constant(""), *rest], node.keywords) if is_worded else node
    return node


def _is_for_checkers(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test)


def _bound_by(statement: ast.stmt) -> list[str]:
    """The names that a statement binds, if that is all it does."""
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, ast.AnnAssign):
        return [statement.target.id] if isinstance(statement.target, ast.Name) else []
    if not isinstance(statement, ast.Assign):
        return []
    parts = [node for target in statement.targets for node in ast.walk(target)]
    if any(isinstance(node, ast.Attribute | ast.Subscript) for node in parts):
        return []
    return [node.id for node in parts if isinstance(node, ast.Name)]


def _runs_anyway(statement: ast.stmt, name: str) -> bool:
    """What Python looks up by itself, and what a decorator puts into a table."""
    decorators = getattr(statement, "decorator_list", [])
    return (name.startswith("__") and name != "__all__") or any(
        ".register" in ast.unparse(decorator) for decorator in decorators
    )
