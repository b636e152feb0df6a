"""What the tests of align share."""

from __future__ import annotations

from pathlib import Path

import pytest

import headscope
from benchmarks.planted_links import pairs, plant
from headscope.results.result import Result
from tests.made import made_once


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that follows the links of `pairs` where it writes a word."""
    return made_once(tmp_path_factory, "align/planted", plant)


@pytest.fixture(scope="session")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The links of `pairs`, counted from 0."""
    return made_once(tmp_path_factory, "align/gold", lambda path: path.write_text(pairs()[1]))


@pytest.fixture(scope="session")
def result(planted: Path, gold: Path) -> Result:
    """Everything that align can say of it."""
    answer: Result = headscope.align(
        planted, pairs()[0], gold=gold, reverse=planted, links=True, twins=2, batch_size=8
    )
    return answer


@pytest.fixture(scope="session")
def without_gold(planted: Path) -> Result:
    """The same held against aligners."""
    answer: Result = headscope.align(planted, pairs()[0], twins=1)
    return answer
