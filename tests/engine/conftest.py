"""Fixtures of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from headscope.engine import shards
from headscope.engine.dask import cluster
from headscope.engine.running import running_on
from headscope.results.folder import RunFolder
from tests.cli.folders import save
from tests.engine.machines import Machines, machines
from tests.threads import one_thread

__all__ = ["one_thread"]

NODES = ("node-0", "node-1")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model; not to be changed."""
    return save(tmp_path_factory.mktemp("models"), "bert")


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Machines]:
    """A scheduler and two nodes; whoever kills a worker replaces it."""
    with machines(*NODES) as made:
        yield made


@pytest.fixture
def on_cluster(two_nodes: Machines) -> Iterator[None]:
    """Every analysis of the test runs on the two nodes."""
    with cluster(two_nodes.address) as runner, running_on(runner):
        yield


@pytest.fixture
def small_shards() -> Iterator[Callable[[int], AbstractContextManager[None]]]:
    """Sets how many characters fill a shard, until the end of the test."""
    with pytest.MonkeyPatch.context() as patch:
        yield lambda characters: patch.setattr(shards.shards, "__defaults__", (characters,))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts and numbers of all shards that are written, in order."""
    names: list[str] = []
    write = RunFolder.write_shard

    def noting(self: RunFolder, verb: str, number: int, *content: object) -> None:
        names.append(f"{verb}/{number:06d}")
        write(self, verb, number, *content)

    monkeypatch.setattr(RunFolder, "write_shard", noting)
    return names
