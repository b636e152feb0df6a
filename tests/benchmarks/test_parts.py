"""Every part says what it is, and takes what it is given in a reduced run."""

from __future__ import annotations

import doctest
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from benchmarks.parts import PARTS, load

FOLDER = Path(__file__).parents[2] / "benchmarks"


def name_of(path: Path) -> str:
    """A module of benchmarks, or a folder of modules, as one imports it."""
    return ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.py"))}
WITH_EXAMPLES = [name for name, text in MODULES.items() if ">>>" in text]


@pytest.mark.parametrize("name", PARTS)
def test_a_part_says_what_it_is(name: str) -> None:
    part = load(name)
    assert part.title and part.says.endswith(".") and all(isinstance(file, str) for file in part.data)
    call = signature(part.run)
    call.bind()  # a complete run needs nothing
    call.bind(**part.reduced)


def test_every_module_that_says_it_is_a_part_is_in_the_table() -> None:
    declared = {name for name, text in MODULES.items() if "\nTITLE = " in text}
    assert declared == set(PARTS)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(import_module(f"benchmarks.{name}"))
    assert tried and not failed
