"""A run killed at any point where it changes a file goes on to the same bits."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.faults.commands import SMALL_SHARDS, Commands
from tests.faults.verbs import Verb
from tests.sampling import sampled

FAST = ("--pieces", "32", "--no-gradients", "--no-distances", "--quiet", *SMALL_SHARDS)
TREES = ("--least", "20", "--no-plots", "-q", *SMALL_SHARDS)
KILLS = 8


@pytest.fixture
def place(disk: Path) -> Iterator[Path]:
    folder = disk / "points"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def survey(commands: Commands, models: Path, small_text: Path, place: Path) -> Verb:
    given = [str(models / "bert"), str(small_text), *FAST, "--no-plots"]
    return Verb(commands, lambda path: ["survey", *given, "--out", str(path)], place)


@pytest.fixture
def syntax(commands: Commands, models: Path, small_trees: Path, place: Path) -> Verb:
    given = [str(models / "bert"), str(small_trees), *TREES, "--twins", "0"]
    return Verb(commands, lambda path: ["syntax", *given, "--out", str(path)], place)


@pytest.mark.slow
def test_what_every_point_of_syntax_leaves_goes_on(syntax: Verb) -> None:
    check_every_point(syntax, points=200, states=20)


@pytest.mark.slow
def test_what_every_point_of_a_survey_leaves_goes_on(survey: Verb) -> None:
    check_every_point(survey, points=1000, states=25)


def check_every_point(verb: Verb, points: int, states: int) -> None:
    """Shards, arrays, and tables in three formats each give a state, and so do their folders."""
    copies = verb.copies()
    for copy in copies:
        verb.take(copy)
        verb.check_goes_on()
    assert len(copies) > points and len(verb.states) > states


def test_killed_at_some_points(survey: Verb) -> None:
    check_kills(survey, random.Random(0).sample(range(1, len(survey.points)), KILLS))


def test_killed_while_two_shards_are_merged_into_one(survey: Verb) -> None:
    removed = [n for n, point in enumerate(survey.points, start=1) if point.startswith("os.remove /shards")]
    assert len(removed) > 1, "the first two go, and at the end all"
    check_kills(survey, range(removed[0] - 5, removed[1] + 2))
    assert any("-merged.safetensors" in name for state in survey.states if state for name in state)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_killed_at_every_point(survey: Verb) -> None:
    check_kills(survey, range(1, len(survey.points)))


@pytest.mark.slow
def test_killed_while_it_draws(commands: Commands, models: Path, small_text: Path, place: Path) -> None:
    given = [str(models / "bert"), str(small_text), *FAST, "--layers", "0", "--heads", "0"]
    survey = Verb(commands, lambda path: ["survey", *given, "--out", str(path)], place)
    drawing = [number for number, point in enumerate(survey.points, start=1) if "/plots" in point]
    check_kills(survey, random.Random(0).sample(drawing, 5))


def test_killed_with_a_twin(commands: Commands, models: Path, small_trees: Path, place: Path) -> None:
    given = [str(models / "bert"), str(small_trees), *TREES, "--twins", "1"]
    syntax = Verb(commands, lambda path: ["syntax", *given, "--out", str(path)], place)
    renamed = [number for number, point in enumerate(syntax.points, start=1) if "os.rename /shards" in point]
    own = len(renamed) // 2
    assert own > 1, "the model has as many shards as its twin"
    later = random.Random(0).choice(range(renamed[-1], len(syntax.points)))
    check_kills(syntax, [renamed[0], *renamed[own : own + 2], later])


def check_kills(verb: Verb, points: Sequence[int]) -> None:
    killed = 0
    for point in points:
        killed += verb.kill(point)
        verb.check_goes_on()
    assert killed > 0.95 * len(points) - 1


@pytest.mark.parametrize("step", sampled((1, 4), always=[4]))
def test_killed_while_a_folder_without_work_is_withdrawn(
    commands: Commands, models: Path, small_trees: Path, place: Path, step: int
) -> None:
    """That no sentence is short enough is found out in the new folder, which then goes."""
    path = place / "run"
    words = ["syntax", models / "bert", small_trees, "--pieces", "3", "--no-plots", "--out", path]
    whole = commands.run(words, path)
    assert (whole.code, path.exists()) == (2, False)
    assert "the text gives no segment" in whole.said
    for number in range(1, len(whole.points) + 1, step):
        if path.exists():
            shutil.rmtree(path)  # only a new folder is withdrawn
        assert commands.run(words, path, kill_at=number).code == -SIGKILL
        again = commands.run(words, path)
        assert (again.code, again.said) == (2, whole.said), f"killed at {whole.points[number - 1]}"
