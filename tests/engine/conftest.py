"""Fixtures of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headscope.engine.dask import cluster
from headscope.engine.running import running_on
from headscope.results.folder import SHARDS
from headscope.results.shards import Part
from tests.engine.machines import Machines, machines
from tests.threads import one_thread

__all__ = ["one_thread"]

NODES = ("node-0", "node-1")


@pytest.fixture(scope="session")
def tiny(models: Path) -> Path:
    """The folder of a tiny model; not to be changed."""
    return models / "bert"


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
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts and numbers of all shards that are written, in order."""
    names: list[str] = []
    write = Part.write

    def noting(self: Part, number: int, *content: Any) -> None:
        part = self.folder.as_posix().rpartition(f"/{SHARDS}/")[2]
        names.append(f"{part}/{number:06d}")
        write(self, number, *content)

    monkeypatch.setattr(Part, "write", noting)
    return names
