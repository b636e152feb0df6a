"""The files that a part rests on: all that it imports of headscope and benchmarks, read from their source.

Imports inside functions and for type checkers count. What is imported by its name while running is found
too: public names (`headscope.load`), and files of the folders of verbs (`headscope.survey` with
`verb.module("answer")`). The two tables of such names are looked at and do not count: another line in them
changes nothing that a part measures. Nor does what is only said: comments and docstrings, and how a verb
words, prints and draws a result, unless a part imports it itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE, VERBS = "headscope", "headscope.questions"
FOLDERS = {HOUSE: "src/headscope", "benchmarks": "benchmarks"}
TABLES = (HOUSE, VERBS)
SHOWING = frozenset({"findings", "pictures", "screen"})
"""Files of verbs that read a result and change nothing of it."""


def closure(module: str, root: Path = ROOT) -> list[Path]:
    """The files of a module and of all it imports, in order, below a root with `src` and `benchmarks`."""
    walk = _Walk(root)
    if walk.path(module) is None:
        raise ValueError(f"{root} has no module {module}")
    walk.follow([module])
    return sorted(path for name, path in walk.found.items() if name not in TABLES)


def checksum(paths: Iterable[Path], root: Path = ROOT) -> str:
    """Of the names of files and of what they do: comments, docstrings and layout do not count."""
    texts = ((path, _done_by(path.read_text(encoding="utf-8"))) for path in paths)
    lines = (
        f"{sha256(text.encode()).hexdigest()} {path.relative_to(root).as_posix()}\n" for path, text in texts
    )
    return sha256("".join(lines).encode()).hexdigest()


@cache
def _done_by(text: str) -> str:
    """A file without what is only said in it.

    >>> _done_by("def half(x):\\n    'Divide.'\\n    return x/2  # by two")
    'def half(x):\\n    return x / 2'
    """
    return ast.unparse(_Unsaid().visit(ast.parse(text)))


class _Unsaid(ast.NodeTransformer):
    """Takes out strings that stand alone: docstrings, also those of fields."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        said = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if said else node


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a file of a package imports, in order, at whatever depth."""
    if isinstance(tree, ast.Import):
        yield from ((tree.lineno, alias.name) for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom):
        parents = package.split(".")[: len(package.split(".")) - tree.level + 1] if tree.level else []
        base = ".".join([*parents, *([tree.module] if tree.module else [])])
        yield from ((tree.lineno, f"{base}.{alias.name}") for alias in tree.names)
    for child in ast.iter_child_nodes(tree):
        yield from imports(child, package)


@dataclass
class _Walk:
    """Modules found so far; verbs that are asked, and which files of their folders are asked for."""

    root: Path
    found: dict[str, Path] = field(default_factory=dict)
    verbs: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)

    def follow(self, names: Iterable[str]) -> None:
        """Go through modules with the packages around them, and what they lead to, until nothing is new."""
        while new := {
            module: path
            for name in names
            for module in _around(name)
            if module not in self.found and (path := self.path(module))
        }:
            self.found |= new
            further = {name for module in new for name in self.imported(module)}
            names = further | {
                f"{VERBS}.{verb}.{file}" for verb in self.verbs for file in self.files - SHOWING
            }

    def path(self, module: str) -> Path | None:
        """The file of a module, if it is one of ours."""
        top, _, inner = module.partition(".")
        if top not in FOLDERS:
            return None
        place = self.root.joinpath(FOLDERS[top], *inner.split("."))
        files = (place / "__init__.py", place.with_suffix(".py"))
        return next((file for file in files if file.is_file()), None)

    def imported(self, module: str) -> Iterator[str]:
        """The full names of what a module imports."""
        path = self.found[module]
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        names, files = _read(path.read_text(encoding="utf-8"), package)
        self.files |= files
        for name in () if module in TABLES else names:
            yield name
            house, *inner = name.split(".")
            if house == HOUSE and inner and self.path(f"{HOUSE}.{inner[0]}") is None:
                yield from self.lazily(inner[0])

    def lazily(self, name: str) -> Iterator[str]:
        """Where a public name of headscope is imported from when it is first used."""
        places = _places(self.root / FOLDERS[HOUSE] / "__init__.py")
        if name in places:
            yield places[name]
        elif self.path(f"{VERBS}.{name}") is not None:
            self.verbs.add(name)
            yield from (f"{VERBS}.{name}", f"{VERBS}.asking")


def _around(name: str) -> list[str]:
    """A dotted name and what it lies in.

    >>> _around("headscope.engine.work")
    ['headscope', 'headscope.engine', 'headscope.engine.work']
    """
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]


@cache
def _read(text: str, package: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a file imports, public names of headscope among it, and which files of verbs it asks for."""
    tree = ast.parse(text)
    names = [name for _, name in imports(tree, package)]
    return frozenset([*names, *_public_names(tree)]), frozenset(_asked_of_verbs(tree))


def _public_names(tree: ast.Module) -> Iterator[str]:
    """`headscope.load` where a file says so, under whatever name it has imported headscope."""
    called = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == HOUSE
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in called:
            yield f"{HOUSE}.{node.attr}"


def _asked_of_verbs(tree: ast.Module) -> Iterator[str]:
    """Names in `verb.module("answer")`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "module":
            yield from (str(given.value) for given in node.args if isinstance(given, ast.Constant))


def _places(path: Path) -> dict[str, str]:
    """The table of public names, as it is written."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PLACES":
            places: dict[str, str] = ast.literal_eval(node.value)
            return places
    raise ValueError(f"{path}: the table _PLACES of public names was not found")
