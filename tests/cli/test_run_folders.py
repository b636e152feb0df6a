"""Run folders: refused where they are not ours, numbered, continued, never lost or left half made."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import headscope
from headscope.results.folder import RunFolder
from tests.cli.conftest import FAST, command, contents


def test_a_file_or_a_foreign_folder_is_refused_and_kept(models: Path, text: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    before = contents(tmp_path)
    cases = {
        "file": "file is a file, so no run can be written there",
        "photos": "photos holds other files (cat.png",
    }
    for out, message in cases.items():
        done = command("survey", models / "bert", text, *FAST, "--out", tmp_path / out)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("headscope: ") and done.err.count("\n") == 1
        assert message in done.err
    assert contents(tmp_path) == before


def test_other_options_in_the_same_folder_are_refused_and_the_run_is_kept(
    models: Path, text: Path, run_of: Callable[[str], Path]
) -> None:
    path = run_of("bert")
    before = contents(path)
    done = command("survey", models / "bert", text, "--pieces", "32", "--seed", "7", "--out", path)
    assert done.code == 2
    assert (
        "has a survey run with other options: options.seed was 0, now 7; repeat the old options" in done.err
    )
    assert contents(path) == before


def test_a_folder_that_another_process_writes_to_is_left_alone(
    models: Path, text: Path, tmp_path: Path
) -> None:
    with RunFolder.claim(tmp_path / "run", "survey", {"identity": {"model": "other"}}):
        before = contents(tmp_path)
        done = command("compare", tmp_path, tmp_path, "--out", tmp_path / "run")
        assert done.code == 2
        done = command("survey", models / "bert", text, *FAST, "--out", tmp_path / "run")
        assert done.code == 2 and "of another model" in done.err
        assert contents(tmp_path) == before


def test_the_same_finished_command_returns_what_is_stored(
    models: Path, text: Path, run_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: object) -> None:
        raise AssertionError("a finished survey was run again")

    path = run_of("bert")
    before = contents(path)
    monkeypatch.setattr("headscope.questions.survey.answer.run", never)
    done = command("survey", models / "bert", text, "--pieces", "32", "--out", path, "--json")
    assert (done.code, done.err) == (0, "")
    stored = headscope.open(path).table("heads")
    assert [row["entropy"] for row in json.loads(done.out)["heads"]] == stored["entropy"].tolist()
    assert contents(path) == before


def test_runs_are_numbered_and_a_stopped_one_is_continued(
    models: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    def survey(*options: str) -> int:
        return command("survey", models / "bert", text, *FAST, *options, "--quiet", cwd=tmp_path).code

    def runs() -> dict[str, list[str]]:
        return {path.name: headscope.open(path).unfinished for path in sorted((tmp_path / "runs").iterdir())}

    assert survey() == 0
    assert survey("--seed", "1") == 0
    assert runs() == {"survey-bert-1": [], "survey-bert-2": []}
    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "write_result", stop)
        assert survey("--seed", "2") == 130
    assert runs()["survey-bert-3"] == ["survey"]
    assert survey("--seed", "3") == 0
    assert survey("--seed", "2") == 0
    assert runs() == {f"survey-bert-{number}": [] for number in (1, 2, 3, 4)}


def test_a_run_stopped_before_any_work_leaves_no_folder(
    models: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headscope.questions.survey.answer.run", stop)
    for out in ((), ("--out", "mine")):
        done = command("survey", models / "bert", text, *FAST, *out, cwd=tmp_path)
        assert (done.code, done.out) == (130, "")
        assert done.err == "\nheadscope: stopped; nothing was finished yet, so the same command begins anew\n"
    assert not list(tmp_path.glob("runs/*")) and not (tmp_path / "mine").exists()


def test_two_verbs_share_a_run_folder(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "both"
    shutil.copytree(run_of("bert-later"), path)
    assert command("compare", run_of("bert"), run_of("bert-last"), "--out", path, "-q").code == 0
    for form, begin in {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}.items():
        assert (path / "plots" / f"curves.{form}").read_bytes().startswith(begin)
    opened = headscope.open(path)
    assert (opened.verbs, opened.unfinished) == (["survey", "compare"], [])
    assert len(opened.table("heads")) == 8
    assert "difference" in opened.table("differences")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a disk of some size, or change the size of the one that is mounted."""
    place = tmp_path / "disk"
    place.mkdir()

    def resize(size: str) -> Path:
        again = "remount," if place.is_mount() else ""
        arguments = ["mount", "-t", "tmpfs", "-o", f"{again}size={size}", "tmpfs", str(place)]
        try:
            subprocess.run(arguments, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("a small disk cannot be mounted here")
        return place

    yield resize
    if place.is_mount():
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(("size", "kept"), [("100k", False), ("650k", True)])
def test_a_full_disk_is_told_and_the_work_goes_on_later(
    size: str,
    kept: bool,
    small_disk: Callable[[str], Path],
    models: Path,
    text: Path,
    run_of: Callable[[str], Path],
) -> None:
    place = small_disk(size)
    arguments = (
        "survey",
        models / "bert",
        text,
        "--pieces",
        "32",
        "--no-plots",
        "--out",
        place / "run",
        "-q",
    )
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("headscope: no space left on ") and done.err.count("\n") == 1
    assert (place / "run").exists() == kept
    if kept:
        assert headscope.open(place / "run").unfinished == ["survey"]
    small_disk("20m")
    assert command(*arguments).code == 0
    assert _numbers(place / "run") == _numbers(run_of("bert"))


def _numbers(run: Path) -> dict[str, bytes]:
    return {
        name: content for name, content in contents(run).items() if name.startswith(("arrays.zarr", "tables"))
    }
