"""What was measured is fresh while code, data and versions are those of then."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.kept import State, code_of, read, reread, state, write
from benchmarks.rows import at_most, told
from tests.benchmarks.measured import MACHINE, git, kept

NAME = "texts/some.txt"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A part of one file, and a folder of data."""
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "part.py").write_text("size = 1")
    (tmp_path / "data" / "texts").mkdir(parents=True)
    (tmp_path / "data" / NAME).write_text("A text.")
    monkeypatch.setenv("HEADSCOPE_DATA", str(tmp_path / "data"))
    return tmp_path


def measured(root: Path, **others: object) -> State:
    sums = {NAME: sha256(b"A text.").hexdigest()}
    return state("part", kept(**{"code": code_of("part", root), "data": sums, **others}), root)


def test_what_is_unchanged_is_fresh(root: Path) -> None:
    assert measured(root) == ("fresh", "")


def test_what_was_not_measured_was_never_run(root: Path) -> None:
    assert state("part", None, root).word == "never run"


def test_changed_code_makes_stale(root: Path) -> None:
    before = code_of("part", root)
    (root / "benchmarks" / "part.py").write_text("size = 2")
    assert measured(root, code=before) == ("stale", "the code has changed since")


def test_changed_data_make_stale(root: Path) -> None:
    (root / "data" / NAME).write_text("Another text.")
    assert measured(root) == ("stale", f"{NAME} has changed since")


def test_data_that_are_not_here_are_not_judged(root: Path) -> None:
    (root / "data" / NAME).unlink()
    assert measured(root).word == "fresh"


def test_another_version_makes_stale(root: Path) -> None:
    word, why = measured(root, machine={**MACHINE, "torch": "0.1"})
    assert word == "stale" and why == f"torch is {MACHINE['torch']} now"


def test_unknown_code_is_stale(root: Path) -> None:
    assert measured(root, code=None) == ("stale", "of the code that was measured, only the commit is known")


def test_code_of_then_is_read_as_it_is_read_now(root: Path) -> None:
    """A measurement whose checksum was made in another way is judged by the commit that it names."""
    git(root, "init", "--quiet")
    (root / "src").mkdir()
    (root / "src" / "empty.py").touch()
    git(root, "add", "benchmarks", "src")
    git(root, "commit", "--quiet", "--message", "One part")
    then = kept(code="made in another way", machine={**MACHINE, "commit": git(root, "rev-parse", "HEAD")})
    assert reread("part", then, root) == replace(then, code=code_of("part", root))
    (root / "benchmarks" / "part.py").write_text("size = 1  # with a comment")
    assert reread("part", then, root).code == code_of("part", root)
    (root / "benchmarks" / "part.py").write_text("size = 2")
    assert reread("part", then, root) == then


def test_code_of_a_commit_that_is_not_there_stays_as_it_is(root: Path) -> None:
    git(root, "init", "--quiet")
    changed = {**MACHINE, "commit": f"{MACHINE['commit']} with uncommitted changes"}
    for machine in (MACHINE, changed):
        assert reread("part", kept(machine=machine), root) == kept(machine=machine)


def test_all_reasons_are_told(root: Path) -> None:
    (root / "data" / NAME).write_text("Another text.")
    why = measured(root, code="other", machine={**MACHINE, "torch": "0.1"}).why
    assert why == f"the code has changed since; {NAME} has changed since; torch is {MACHINE['torch']} now"


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    one = kept(rows=[{**told("passed", 2), "details": {"bert": "", "gpt2": "slow"}}], note="A note.")
    write("part", tmp_path / "new", one)
    assert read("part", tmp_path / "new") == one
    assert read("other", tmp_path / "new") is None


def test_failed_limits_are_named() -> None:
    assert kept().failed == []
    assert kept(rows=[at_most("growth", 12, "%", 10)]).failed == ["Speed: growth"]
