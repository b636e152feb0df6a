"""Files and functions stay small, and none is called what says nothing."""

from __future__ import annotations

from tests.architecture.source import ROOT, client_files, files, functions_of, name_of

LONGEST_FILE, LONGEST_FUNCTION, LARGEST_CORE = 300, 60, 1880
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}


def test_files_are_short() -> None:
    sizes = {
        str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in (*files(), *client_files())
    }
    assert len(sizes) > 300
    assert {name: size for name, size in sizes.items() if size > LONGEST_FILE} == {}


def test_functions_are_short() -> None:
    sizes = {
        f"{name_of(path)}: {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for path in files()
        for function in functions_of(path)
    }
    assert len(sizes) > 1000
    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}


def test_the_core_is_small() -> None:
    core = [path for path in files() if path.relative_to(ROOT).parts[0] == "attention"]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in core) <= LARGEST_CORE


def test_no_name_says_nothing() -> None:
    names = {part.removesuffix(".py") for path in files() for part in path.relative_to(ROOT).parts}
    assert len(names) > 50
    assert names & EMPTY_NAMES == set()


def test_every_file_says_what_it_is() -> None:
    silent = [path for path in files() if not path.read_text(encoding="utf-8").startswith('"""')]
    assert [name_of(path) for path in silent] == []


def test_nothing_is_pickled() -> None:
    """Runs must be readable without us, and reading them must run no code."""
    assert [name_of(path) for path in files() if "pickle" in path.read_text(encoding="utf-8")] == []
