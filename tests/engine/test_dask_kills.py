"""Workers and the driver are killed at random moments: the same bits, each shard counted once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.engine.dask import cluster
from headscope.engine.running import running_on
from headscope.text.batches import Progress
from tests.engine.machines import Machines, command_line, forked, forking_workers, killing, left_over
from tests.stops import results

# A guard against hanging. On a busy machine, what the first fork needs takes minutes to be imported.
pytestmark = pytest.mark.timeout(900)

DATA = {"survey": "07_wikitext2/valid.txt", "syntax": "01_ud_english_ewt/en_ewt-ud-dev.conllu"}
SMALL = {"shard_characters": 100}
OPTIONS: dict[str, dict[str, Any]] = {
    "survey": {"pieces": 64, "batch_size": 16, "limit": 70, "gradients": False, "distances": False, **SMALL},
    "syntax": {"pieces": 60, "batch_size": 16, "limit": 20, "twins": 1, **SMALL},
}


@dataclass
class Case:
    """A verb over a part of real data with a tiny model, and what an undisturbed run of it gave."""

    verb: str
    model: Path
    data: Path
    written: list[str]
    counted: Counter[str]
    expected: dict[str, bytes]
    names: list[str]

    @classmethod
    def of(cls, verb: str, model: Path, data: Path, written: list[str], folder: Path) -> Case:
        """Run it here once."""
        made = cls(verb, model, data / DATA[verb], written, Counter(), {}, [])
        made.run(folder / "whole")
        made.expected, made.names = results(folder / "whole"), sorted(written)
        assert len(made.names) == len(set(made.names)) >= 30
        written.clear()
        return made

    def run(self, out: Path, heard: Progress | None = None) -> Counter[str]:
        """The library's call; gives what its progress was told."""
        told = Counter[str]()

        def progress(segments: int, words: int) -> None:
            told.update(segments=segments, words=words)
            if heard is not None:
                heard(segments, words)

        run = getattr(headscope, self.verb)
        run(str(self.model), self.data, out=out, plots=False, progress=progress, **OPTIONS[self.verb])
        self.counted = self.counted or told
        return told

    def arguments(self, out: Path, address: str) -> list[object]:
        """The same as words of the command line."""
        words: list[object] = []
        for name, value in OPTIONS[self.verb].items():
            option = name.replace("_", "-")
            words += [f"--no-{option}"] if value is False else [f"--{option}", value]
        places = ["--out", out, "--engine", address]
        return [self.verb, self.model, self.data, *words, *places, "--no-plots", "--quiet"]


MANY = pytest.param("survey", marks=pytest.mark.slow)
"""The verb that differs from syntax in nothing but that it has no twin."""


@pytest.fixture(params=DATA)
def case(request: pytest.FixtureRequest, tiny: Path, data: Path, tmp_path: Path, written: list[str]) -> Case:
    return Case.of(request.param, tiny, data, written, tmp_path)


@pytest.mark.parametrize("case", [MANY, "syntax"], indirect=True)
def test_killed_workers_change_nothing(case: Case, two_nodes: Machines, tmp_path: Path) -> None:
    check_killed_workers(case, two_nodes, tmp_path, 5)


@pytest.mark.slow
def test_many_killed_workers_change_nothing(case: Case, two_nodes: Machines, tmp_path: Path) -> None:
    # Not as fast: a shard that loses its worker 40 times is taken for the cause.
    check_killed_workers(case, two_nodes, tmp_path, 100, longest=2)


def check_killed_workers(case: Case, nodes: Machines, folder: Path, least: int, longest: float = 0.4) -> None:
    """Run again and again until so many workers were killed; every run must end as the undisturbed one."""
    draw, killed, runs = random.Random(case.verb), 0, 0
    while killed < least:
        run = folder / f"run-{runs}"
        with (
            cluster(nodes.address) as runner,
            running_on(runner),
            killing(nodes, draw, least - killed, longest) as kills,
        ):
            told = case.run(run)
        assert told == case.counted
        assert sorted(case.written) == case.names, "each shard is written once"
        assert results(run) == case.expected
        case.written.clear()
        killed, runs = killed + len(kills), runs + 1
        assert runs < least, "no run lives long enough to be hit"
    nodes.wait(len(nodes.nodes))


@pytest.mark.parametrize("case", ["survey"], indirect=True)
def test_killed_workers_of_its_own_are_replaced(case: Case, tmp_path: Path) -> None:
    """Those that `--engine dask` starts."""
    draw, before, told, kills = random.Random(0), forked(), [], []

    def kill(segments: int, words: int) -> None:
        told.append(segments)
        alive = sorted(forked() - before - {*kills})
        # Where none is alive at its moment, the next one pays for it.
        if alive and len(told) // 6 > len(kills):
            with suppress(ProcessLookupError):
                chosen = draw.choice(alive)
                os.kill(chosen, signal.SIGKILL)
                kills.append(chosen)

    with forking_workers(), cluster(workers=2) as runner, running_on(runner):
        case.run(tmp_path / "run", kill)
    assert len(kills) >= 3
    assert results(tmp_path / "run") == case.expected
    assert sorted(case.written) == case.names
    assert left_over(before) == set()


@pytest.mark.parametrize("case", [MANY, "syntax"], indirect=True)
def test_a_killed_driver_goes_on(case: Case, two_nodes: Machines, tmp_path: Path) -> None:
    check_killed_drivers(case, two_nodes, tmp_path / "run", 2)


@pytest.mark.slow
def test_a_driver_killed_often_goes_on(case: Case, two_nodes: Machines, tmp_path: Path) -> None:
    check_killed_drivers(case, two_nodes, tmp_path / "run", 8)


def check_killed_drivers(case: Case, nodes: Machines, run: Path, times: int) -> None:
    """Kill the command at random moments, workers meanwhile too; what it kept is not run again."""
    draw = random.Random(case.verb)
    with killing(nodes, draw, 5 * times) as kills:
        for attempt in range(times):
            told = run.with_name(f"told-{attempt}")
            driver = command_line(*case.arguments(run, nodes.address), told=told)
            wait_for_shards(run, case.verb, (attempt + 1) * len(case.names) // (times + 2), driver, told)
            time.sleep(draw.uniform(0, 0.2))
            driver.kill()
            driver.join()
        kept = shards_of(run, case.verb)
        assert headscope.open(run).unfinished == [case.verb]
        with cluster(nodes.address) as runner, running_on(runner):
            counted = case.run(run)
    assert kills and kept
    assert counted == case.counted, "what was kept is told too"
    assert sorted([*kept, *case.written]) == case.names, "none is lost and none is run again"
    assert results(run) == case.expected
    nodes.wait(len(nodes.nodes))


def shards_of(run: Path, verb: str) -> list[str]:
    """The parts and numbers of the shards that a run has kept."""
    paths = (run / "shards" / verb).rglob("*.safetensors")
    names = [path.with_suffix("").relative_to(run / "shards") for path in paths]
    return [name.as_posix() for name in names if name.name.isdecimal()]


def wait_for_shards(run: Path, verb: str, count: int, driver: Any, told: Path) -> None:
    end = time.monotonic() + 300
    while len(shards_of(run, verb)) < count:
        assert driver.is_alive(), f"it ended too early: {told.read_text()}"
        assert time.monotonic() < end, "no shard was written"
        time.sleep(0.005)
