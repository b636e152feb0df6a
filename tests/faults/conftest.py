"""A quick disk, a tiny model in a folder, small texts, and a server that runs commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.cli.conftest import written
from tests.faults.commands import Commands
from tests.threads import one_thread
from tests.trees import conllu, treebank

__all__ = ["one_thread"]


@pytest.fixture(scope="session")
def disk() -> Iterator[Path]:
    """A folder in memory where there is one, so that thousands of runs wear out no disk."""
    memory = Path("/dev/shm")
    folder = Path(mkdtemp(prefix="headscope-", dir=memory if memory.is_dir() else None))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def small_text(disk: Path) -> Path:
    """A text of three small shards."""
    path = disk / "small.txt"
    path.write_text(written(12))
    return path


@pytest.fixture(scope="session")
def small_trees(disk: Path) -> Path:
    """A treebank of a few small shards."""
    path = disk / "small.conllu"
    path.write_text(conllu(treebank(20)))
    return path


@pytest.fixture(scope="session")
def commands(models: Path, small_text: Path) -> Iterator[Commands]:
    with Commands(models / "bert", small_text) as started:
        yield started
