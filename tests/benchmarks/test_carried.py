"""What is carried over to later code: only where a short run at both commits gives the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from benchmarks.carried import carry, short_run
from benchmarks.kept import Kept, code_of, state, write
from benchmarks.rows import Row, told
from headscope.errors import HeadscopeError
from tests.benchmarks.measured import MACHINE, git, kept

BEFORE = [told("text", "demo"), told("heads", 3), told("score", "0.5 (0.25 to 0.75)"), told("words", 20)]
TIME = told("time", 2.5, "s")


@pytest.fixture
def measured(tmp_path: Path) -> Kept:
    """A part that was measured at a commit, and whose code is another by now."""
    git(tmp_path, "init", "--quiet")
    for folder in ("src/headscope", "benchmarks"):
        (tmp_path / folder).mkdir(parents=True)
    counting = tmp_path / "src" / "headscope" / "counting.py"
    counting.write_text("size = 1\nother = 2\ngone = 3\n\n\ndef total():\n    return size + other + gone\n")
    (tmp_path / "benchmarks" / "part.py").write_text(
        "from headscope.counting import total\n\n\ndef run():\n    return total()\n"
    )
    git(tmp_path, "add", "benchmarks", "src")
    git(tmp_path, "commit", "--quiet", "--message", "One part")
    commit = git(tmp_path, "rev-parse", "HEAD")
    one = kept(code=code_of("part", tmp_path), machine={**MACHINE, "commit": commit}, rows=[*BEFORE, TIME])
    counting.write_text("size = 1\nother = 3\nmore = 1\n\n\ndef total():\n    return size + other - more\n")
    assert state("part", one, tmp_path).word == "stale"
    return one


def runs(root: Path, after: list[Row]) -> Callable[[str, Path], list[Row]]:
    """Short runs: of the code of then, and of that of today."""
    return lambda name, place: after if place == root else BEFORE


def test_the_same_values_carry_it_over(measured: Kept, tmp_path: Path) -> None:
    after = [*BEFORE, told("time", 9.0, "s")]
    carried = carry("part", measured, "1a2b", tmp_path, runs(tmp_path, after))
    assert state("part", carried, tmp_path).word == "fresh"
    assert (carried.rows, carried.machine) == (measured.rows, measured.machine)
    assert carried.note == (
        "Carried over: of 5 definitions that it led to, 2 changed since and 1 went, 1 came; a short run at "
        "that commit and one at 1a2b gave the same 4 values. Times and memory are of the code as it was."
    )


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ([*BEFORE[:1], told("heads", 4), *BEFORE[2:]], "measures the same: heads"),
        (BEFORE[:3], "measures the same: words"),
        ([*BEFORE, told("more", 1)], "measures the same: more"),
        ([*BEFORE[:3], {**told("words", 20), "details": {"a": "why"}}], "measures the same: words"),
    ],
)
def test_another_value_does_not(measured: Kept, tmp_path: Path, after: list[Row], message: str) -> None:
    with pytest.raises(HeadscopeError, match=message):
        carry("part", measured, "1a2b", tmp_path, runs(tmp_path, after))


@pytest.mark.parametrize("rows", [[TIME], [*BEFORE[:2], told("score", 0.0)]])
def test_a_short_run_that_tells_little_shows_nothing(measured: Kept, tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(HeadscopeError, match="it tells too few numbers"):
        carry("part", replace(measured, rows=rows), "1a2b", tmp_path, lambda name, place: rows)


def test_a_short_run_speaks_for_the_rows_that_it_has(measured: Kept, tmp_path: Path) -> None:
    more = replace(measured, rows=[*measured.rows, told("rollout, 3 seeds", 0.1), told("flow", 0.2)])
    with pytest.raises(HeadscopeError, match="it leaves out 2 rows, such as rollout, 3 seeds"):
        carry("part", more, "1a2b", tmp_path, runs(tmp_path, BEFORE))
    short = [*BEFORE, told("rollout, 1 seeds", 0.3), told("flow", 0.4)]
    assert carry("part", more, "1a2b", tmp_path, lambda name, place: short).note


def test_a_part_that_changed_itself_is_measured_again(measured: Kept, tmp_path: Path) -> None:
    (tmp_path / "benchmarks" / "part.py").write_text(
        "from headscope.counting import total\n\n\ndef run():\n    return 2 * total()\n"
    )
    with pytest.raises(HeadscopeError, match=r"benchmarks/part\.py:run has changed since; measure it again"):
        carry("part", measured, "1a2b", tmp_path, runs(tmp_path, BEFORE))


def test_code_that_changes_meanwhile_is_not_signed(measured: Kept, tmp_path: Path) -> None:
    def edited(name: str, place: Path) -> list[Row]:
        (tmp_path / "src" / "headscope" / "counting.py").write_text("def total():\n    return 1\n")
        return BEFORE

    with pytest.raises(HeadscopeError, match="part: its code changed while it ran"):
        carry("part", measured, "1a2b", tmp_path, edited)


@pytest.mark.parametrize(
    ("others", "message"),
    [
        (
            {"machine": {**MACHINE, "torch": "1.0"}},
            re.escape(f"torch is {version('torch')} now; measure it again"),
        ),
        ({"rows": kept().rows}, r"it promises what short runs do not show \(ours / theirs\)"),
    ],
)
def test_what_no_short_run_can_show(
    measured: Kept, tmp_path: Path, others: dict[str, Any], message: str
) -> None:
    with pytest.raises(HeadscopeError, match=message):
        carry("part", replace(measured, **others), "1a2b", tmp_path, runs(tmp_path, BEFORE))


def test_what_an_earlier_short_run_has_kept_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "build" / "evidence" / "measured"
    folder.mkdir(parents=True)
    write("part", folder, kept())
    with pytest.raises(HeadscopeError, match=r"part: its short run in .* kept nothing \(exit code 1\)"):
        short_run("part", tmp_path)


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
    with pytest.raises(
        HeadscopeError, match=r"some\.txt has changed since, or is not here; measure it again"
    ):
        carry("part", other, "1a2b", tmp_path, runs(tmp_path, BEFORE))


def test_a_commit_that_git_does_not_have(measured: Kept, tmp_path: Path) -> None:
    other = Kept(**{**vars(measured), "machine": {**MACHINE, "commit": "1a2b with uncommitted changes"}})
    with pytest.raises(HeadscopeError, match="git does not have 1a2b with uncommitted changes"):
        carry("part", other, "1a2b", tmp_path, runs(tmp_path, BEFORE))
