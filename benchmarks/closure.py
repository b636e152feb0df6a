"""What a part rests on: the definitions of headscope and benchmarks that its names lead to, in their source.

A function that a part's functions name, the classes and constants that this one names, and so on; a class
counts whole. What runs on import counts of every file that is touched. Found too is what is imported by its
name while running: public names (`headscope.load`), and files of the folders of verbs (`headscope.survey`
with `verb.module("answer")`), which count whole. The two tables of such names are looked at and do not
count: another line in them changes nothing that a part measures. Nor does what is only said: comments,
docstrings, annotations of functions, the words of a raised error and of an announced step of work, what
tables say of themselves, and how a verb words, prints and draws a result, unless a part asks for that itself.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from benchmarks.source import Source, done_by, files_of_verbs, source, uses

ROOT = Path(__file__).parents[1]
HOUSE, VERBS = "headscope", "headscope.questions"
FOLDERS = {HOUSE: "src/headscope", "benchmarks": "benchmarks"}
TABLES = (HOUSE, VERBS)
SHOWING = frozenset({"findings", "pictures", "screen"})
"""Files of verbs that read a result and change nothing of it."""
SAYING = "headscope.results.declaration"
"""What tables say of themselves, in the files of verbs that are called declared."""
WHOLE = "*"
ALWAYS = "on import"


def closure(module: str, root: Path = ROOT) -> dict[str, str]:
    """What a module rests on, below a root with `src` and `benchmarks`: `file:name`, and what it does."""
    walk = _Walk(root)
    if walk.path(module) is None:
        raise ValueError(f"{root} has no module {module}")
    walk.follow(module)
    return dict(sorted(walk.found.items()))


def checksum(found: dict[str, str]) -> str:
    """Of names and what they do."""
    lines = (f"{sha256(text.encode()).hexdigest()} {name}\n" for name, text in found.items())
    return sha256("".join(lines).encode()).hexdigest()


@dataclass
class _Walk:
    """Names that were asked for, what they do, and which verbs and files of their folders are asked."""

    root: Path
    found: dict[str, str] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    waiting: list[tuple[str, str]] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    paths: dict[str, Path | None] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def follow(self, module: str) -> None:
        """Go to all that a module leads to, until nothing is new."""
        self.ask(module, WHOLE)
        while self.waiting:
            while self.waiting:
                self.visit(*self.waiting.pop())
            for verb in self.verbs:
                for file in self.files - SHOWING:
                    self.ask(f"{VERBS}.{verb}.{file}", WHOLE)

    def ask(self, module: str, name: str) -> None:
        """Have a name of a module visited, once."""
        if (module, name) not in self.asked and self.path(module) is not None:
            self.asked.add((module, name))
            self.waiting.append((module, name))

    def visit(self, module: str, name: str) -> None:
        """Take in what a name of a module stands for; of a whole module, all names but modules it imports."""
        self.touch(module)
        if module in TABLES or _only_says(module):
            return
        opened = self.source(module)
        for one in [*opened.defined, *opened.bound] if name == WHOLE else [name]:
            self.take(module, one, opened.defined.get(one, []))
            for target in opened.bound.get(one, ()):
                if name != WHOLE or self.path(target) is None:
                    self.resolve(target.split("."))
        self.ask(f"{module}.{name}", WHOLE)

    def touch(self, module: str) -> None:
        """Take in what runs when a module is imported, with the packages around it and all it imports."""
        for around in _around(module):
            if around in TABLES or _only_says(around):
                continue
            if around not in self.touched and self.path(around) is not None:
                self.touched.add(around)
                opened = self.source(around)
                self.take(around, ALWAYS, opened.always)
                for name in opened.imported:
                    self.touch(name)

    def take(self, module: str, name: str, statements: list[ast.stmt]) -> None:
        """Take in what a name does, and ask for all that it names."""
        if not statements:
            return
        path = self.path(module)
        assert path is not None
        key = f"{path.relative_to(self.root).as_posix()}:{name}"
        if key in self.found:
            return
        self.found[key] = "\n".join(map(done_by, statements))
        opened = self.source(module)
        for statement in statements:
            self.files.update(files_of_verbs(statement))
            for first, *rest in uses(statement):
                if first in opened.defined:
                    self.ask(module, first)
                for target in opened.bound.get(first, ()):
                    self.resolve([*target.split("."), *rest])

    def resolve(self, words: list[str]) -> None:
        """Ask for what stands behind dots: the longest module in it, and the name in that."""
        known = [size for size in range(1, len(words) + 1) if self.path(".".join(words[:size]))]
        if not known:
            return
        module, rest = ".".join(words[: known[-1]]), words[known[-1] :]
        if module == HOUSE:
            self.lazily(*rest[:1])
        else:
            self.ask(module, rest[0] if rest else WHOLE)

    def lazily(self, name: str = "") -> None:
        """Ask for a public name of headscope where it is imported from when it is first used."""
        places = _places(self.root / FOLDERS[HOUSE] / "__init__.py")
        if name in places:
            self.ask(places[name], name)
        elif name and self.path(f"{VERBS}.{name}") is not None:
            self.verbs.add(name)
            self.ask(f"{VERBS}.asking", WHOLE)

    def path(self, module: str) -> Path | None:
        """The file of a module, if it is one of ours."""
        if module not in self.paths:
            top, _, inner = module.partition(".")
            place = self.root.joinpath(FOLDERS.get(top, "nowhere"), *filter(None, inner.split(".")))
            files = (place / "__init__.py", place.with_suffix(".py")) if top in FOLDERS else ()
            self.paths[module] = next((file for file in files if file.is_file()), None)
        return self.paths[module]

    def source(self, module: str) -> Source:
        """A module of ours, taken apart."""
        if module not in self.sources:
            path = self.path(module)
            assert path is not None
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            self.sources[module] = source(path.read_text(encoding="utf-8"), package)
        return self.sources[module]


def _only_says(module: str) -> bool:
    """Whether a module holds nothing but what tables say of themselves.

    >>> _only_says("headscope.questions.survey.declared"), _only_says("headscope.questions.survey.tables")
    (True, False)
    """
    return module == SAYING or module.rpartition(".")[2].startswith("declared")


def _around(name: str) -> list[str]:
    """A dotted name and what it lies in.

    >>> _around("headscope.engine.work")
    ['headscope', 'headscope.engine', 'headscope.engine.work']
    """
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]


@cache
def _places(path: Path) -> dict[str, str]:
    """The table of public names, as it is written."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PLACES":
            places: dict[str, str] = ast.literal_eval(node.value)
            return places
    raise ValueError(f"{path}: the table _PLACES of public names was not found")
