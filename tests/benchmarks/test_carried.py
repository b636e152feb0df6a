"""What is carried over to later code: only where a short run at both commits gives the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.carried import carry
from benchmarks.kept import Kept, code_of, state
from benchmarks.rows import Row, told
from headscope.errors import HeadscopeError
from tests.benchmarks.measured import MACHINE, git, kept

BEFORE = [told("text", "demo"), told("heads", 3), told("time", 2.5, "s")]


@pytest.fixture
def measured(tmp_path: Path) -> Kept:
    """A part that was measured at a commit, and whose code is another by now."""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "empty.py").touch()
    (tmp_path / "benchmarks").mkdir()
    part = tmp_path / "benchmarks" / "part.py"
    part.write_text("size = 1\nother = 2\nthird = 3\n")
    git(tmp_path, "add", "benchmarks", "src")
    git(tmp_path, "commit", "--quiet", "--message", "One part")
    commit = git(tmp_path, "rev-parse", "HEAD")
    one = kept(code=code_of("part", tmp_path), machine={**MACHINE, "commit": commit})
    part.write_text("size = 1\nother = 3\nthird = 3\nfourth = 4\n")
    assert state("part", one, tmp_path).word == "stale"
    return one


def runs(root: Path, after: list[Row]) -> Callable[[str, Path], list[Row]]:
    """Short runs: of the code of then, and of that of today."""
    return lambda name, place: after if place == root else BEFORE


def test_the_same_values_carry_it_over(measured: Kept, tmp_path: Path) -> None:
    after = [*BEFORE[:2], told("time", 9.0, "s")]
    carried = carry("part", measured, "1a2b", tmp_path, runs(tmp_path, after))
    assert state("part", carried, tmp_path).word == "fresh"
    assert (carried.rows, carried.machine) == (measured.rows, measured.machine)
    assert carried.note == (
        "Since then 2 of the 4 definitions that it leads to have changed; a short run at that commit and one "
        "at 1a2b gave the same 2 values, times and memory aside."
    )


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ([told("text", "demo"), told("heads", 4)], "measures the same: heads"),
        ([told("text", "demo")], "measures the same: heads"),
        ([*BEFORE, told("more", 1)], "measures the same: more"),
    ],
)
def test_another_value_does_not(measured: Kept, tmp_path: Path, after: list[Row], message: str) -> None:
    with pytest.raises(HeadscopeError, match=message):
        carry("part", measured, "1a2b", tmp_path, runs(tmp_path, after))


def test_times_alone_show_nothing(measured: Kept, tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError, match="nothing but times is in it"):
        carry("part", measured, "1a2b", tmp_path, lambda name, place: BEFORE[2:])


def test_a_part_that_was_made_later_is_measured_again(measured: Kept, tmp_path: Path) -> None:
    (tmp_path / "benchmarks" / "later.py").touch()
    commit = measured.machine["commit"]
    with pytest.raises(HeadscopeError, match=f"later: {commit} has no such part; measure it again"):
        carry("later", measured, "1a2b", tmp_path, runs(tmp_path, BEFORE))


def test_other_data_are_measured_again(
    measured: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSCOPE_DATA", str(tmp_path))
    (tmp_path / "some.txt").write_text("Another text.")
    other = Kept(**{**vars(measured), "data": {"some.txt": "of another"}})
    with pytest.raises(HeadscopeError, match=r"some\.txt has changed since; measure it again"):
        carry("part", other, "1a2b", tmp_path, runs(tmp_path, BEFORE))


def test_a_commit_that_git_does_not_have(measured: Kept, tmp_path: Path) -> None:
    other = Kept(**{**vars(measured), "machine": {**MACHINE, "commit": "1a2b with uncommitted changes"}})
    with pytest.raises(HeadscopeError, match="git does not have 1a2b with uncommitted changes"):
        carry("part", other, "1a2b", tmp_path, runs(tmp_path, BEFORE))
