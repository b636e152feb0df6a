"""A command killed at random moments, again and again until it has finished, ends in the same bits."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.conftest import ENVIRONMENT, child, written
from tests.faults.commands import SMALL_SHARDS, Commands, left
from tests.sampling import sampled

Run = Callable[[list[str], Path, float | None], int]
"""Runs a command that writes to a folder, kills it after so many seconds, and gives its exit code."""


def forked(commands: Commands) -> Run:
    def run(words: list[str], path: Path, seconds: float | None) -> int:
        return commands.run(words, path, kill_after=seconds).code

    return run


def started(words: list[str], path: Path, seconds: float | None) -> int:
    """A process of its own: the time counts from when it has taken the folder, as imports take most of it."""
    process = subprocess.Popen(child(*words), env=ENVIRONMENT)
    while process.poll() is None and not (path / ".lock").exists():
        sleep(0.001)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


@pytest.mark.parametrize("kills", sampled((8, 30), always=[8]))
def test_forked_processes(commands: Commands, models: Path, disk: Path, kills: int) -> None:
    check(forked(commands), kills, models, disk / "forked")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_commands(models: Path, disk: Path) -> None:
    check(started, 30, models, disk / "started")


def check(run: Run, kills: int, models: Path, place: Path) -> None:
    place.mkdir()
    text, path = place / "text.txt", place / "run"
    text.write_text(written(20))
    options = [
        "--pieces",
        "32",
        "--batch-size",
        "2",
        "--no-gradients",
        "--no-distances",
        "--no-plots",
        "--quiet",
    ]
    survey = ["survey", str(models / "bert"), str(text), *options, *SMALL_SHARDS, "--out", str(path)]
    begun = monotonic()
    assert run(survey, path, None) == 0
    whole, seconds = left(path), monotonic() - begun
    shutil.rmtree(path)
    draw = random.Random(kills)
    killed = 0
    while killed < kills:
        words = ["resume", str(path)] if (path / "run.json").exists() and killed % 2 else survey
        if run(words, path, draw.uniform(0, seconds)) != 0:
            killed += 1
        else:
            # It was quicker than the kill, so the next run begins anew.
            assert left(path) == whole
            shutil.rmtree(path)
    assert run(survey, path, None) == 0
    assert left(path) == whole
