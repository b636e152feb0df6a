"""A desk for each verb, made once; clocks that tables may tell of stand still."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.battery.desk import Desk
from tests.engine.machines import Machines, machines
from tests.threads import one_thread

__all__ = ["one_thread"]


@pytest.fixture(scope="module")
def desks(models, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Desk]:
    """The desk of a verb."""
    made: dict[str, Desk] = {}

    def give(verb: str) -> Desk:
        if verb not in made:
            made[verb] = Desk(verb, tmp_path_factory.mktemp(verb), models)
        return made[verb]

    return give


@pytest.fixture
def desk(verb: str, desks: Callable[[str], Desk], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """That of the verb that a test is about."""
    given = desks(verb)
    for name, clock in given.asked.clocks.items():
        monkeypatch.setattr(name, clock)
    return given


@pytest.fixture(scope="module")
def nodes() -> Iterator[Machines]:
    """One cluster for all verbs."""
    with machines("node-0", "node-1") as made:
        yield made
