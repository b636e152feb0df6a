"""`headscope resume RUN`: what was stopped goes on as it was asked, from wherever it is typed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import headscope
from tests.cli.conftest import ENVIRONMENT, FAST, child, command
from tests.trees import conllu, treebank


def stop(*given: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def place(tmp_path: Path, text: Path) -> Path:
    """A folder with the text in it."""
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copy(text, folder / "mine.txt")
    return folder


@pytest.fixture
def stopped(models: Path, place: Path) -> Callable[..., Path]:
    """A survey, typed with relative paths, that was stopped behind its shards."""

    def make(*options: object, out: str = "run") -> Path:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("headscope.questions.survey.answer.heads_dataset", stop)
            words = ("survey", models / "bert", "mine.txt", *FAST, "-q", *options)
            assert command(*words, "--out", out, cwd=place).code == 130
        assert headscope.open(place / out).unfinished == ["survey"]
        return place / out

    return make


def is_finished(path: Path) -> bool:
    return headscope.open(path).unfinished == [] and not (path / "shards").exists()


def test_it_goes_on_from_any_folder(stopped: Callable[..., Path], tmp_path: Path) -> None:
    path = stopped()
    done = command("resume", "work/run", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"resuming in {path.parent}: headscope survey --out ")
    assert is_finished(path)
    assert Path.cwd() != path.parent


def test_nothing_is_left_to_do(stopped: Callable[..., Path]) -> None:
    path = stopped()
    assert command("resume", path).code == 0
    before = (path / "run.json").read_bytes()
    done = command("resume", path)
    assert (done.code, done.out, done.err) == (0, "", f"{path}: everything has finished here (survey)\n")
    assert (path / "run.json").read_bytes() == before


def test_shards_of_what_has_finished_are_cleared_away(stopped: Callable[..., Path]) -> None:
    path = stopped()
    shutil.copytree(path / "shards", path.parent / "shards")
    assert command("resume", path).code == 0
    shutil.copytree(path.parent / "shards", path / "shards")
    assert command("resume", path).code == 0
    assert is_finished(path)


def test_a_folder_that_is_no_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    cases = {"nowhere": "nowhere: there is no such run folder", "photos": "it has no run.json"}
    for name, told in cases.items():
        done = command("resume", tmp_path / name)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert told in done.err


def test_a_run_made_from_python_is_told(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    options = {"pieces": 16, "gradients": False, "distances": False, "plots": False}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.questions.survey.answer.heads_dataset", stop)
        with pytest.raises(KeyboardInterrupt):
            headscope.survey(models / "bert", ["The old keeper slept."], out=path, **options)
    done = command("resume", path)
    assert (done.code, done.err) == (
        2,
        f"headscope: {path}: survey was called from Python, so no command is known; make the same call with "
        f"out={path}\n",
    )
    headscope.survey(models / "bert", ["The old keeper slept."], out=path, **options)
    assert is_finished(path)


@pytest.mark.parametrize(
    "told",
    [
        {},
        "x",
        {"words": ["survey"]},
        {"words": [], "folder": "."},
        {"words": ["survey", 1], "folder": "."},
        {"words": ["survey"], "folder": 1},
        {"words": ["finetune", "default", "x.tsv"], "folder": "."},
    ],
)
def test_a_record_cannot_have_anything_run(stopped: Callable[..., Path], told: object) -> None:
    path = stopped()
    record = json.loads((path / "run.json").read_text())
    record["verbs"]["survey"]["asked"]["command"] = told
    (path / "run.json").write_text(json.dumps(record))
    done = command("resume", path)
    assert (done.code, done.err) == (
        2,
        f"headscope: {path}: run.json tells no command of survey; repeat the command by hand\n",
    )


def test_a_moved_folder_goes_on_where_it_is(stopped: Callable[..., Path], tmp_path: Path) -> None:
    path = tmp_path / "moved"
    stopped().rename(path)
    assert command("resume", path).code == 0
    assert is_finished(path)
    assert not (tmp_path / "work" / "run").exists()


def test_a_folder_of_the_command_that_is_gone_is_told(stopped: Callable[..., Path], tmp_path: Path) -> None:
    stopped().rename(tmp_path / "run")
    (tmp_path / "work").rename(tmp_path / "elsewhere")
    done = command("resume", tmp_path / "run")
    assert done.code == 2
    assert f"survey was started in {tmp_path / 'work'}, which is gone; repeat the command by hand" in done.err


def test_another_engine_takes_over(stopped: Callable[..., Path], tmp_path: Path) -> None:
    """What was asked of a cluster goes on here, without its workers."""
    path = stopped()
    record = json.loads((path / "run.json").read_text())
    words = record["verbs"]["survey"]["asked"]["command"]["words"]
    words += ["--engine=dask", "--workers", "3"]
    (path / "run.json").write_text(json.dumps(record))
    shutil.rmtree(path / "shards")
    done = command("resume", path, "--engine", "local")
    assert done.code == 0, done.err
    assert "--engine local" in done.err and "dask" not in done.err and "--workers" not in done.err
    assert is_finished(path)


def test_workers_without_a_cluster_are_told(stopped: Callable[..., Path]) -> None:
    path = stopped()
    done = command("resume", path, "--workers", "2")
    assert done.code == 2 and done.err.endswith("headscope: --workers is for --engine dask\n")
    assert headscope.open(path).unfinished == ["survey"]


def test_a_verb_without_shards_has_no_engine(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "run"
    compare = ("compare", run_of("bert"), run_of("bert-later"), "--no-plots", "-q", "--out", path)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.results.folder.write_table", stop)
        assert command(*compare).code == 130
    # The interrupted comparison had written its arrays, so the folder stays.
    assert command("resume", path, "--engine", "dask", "--workers", "2").code == 0
    assert is_finished(path)


def test_all_that_was_stopped_in_a_folder_goes_on(
    stopped: Callable[..., Path], models: Path, place: Path
) -> None:
    path = stopped()
    (place / "trees.conllu").write_text(conllu(treebank(10)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.questions.syntax.answer.relations_table", stop)
        words = ("syntax", models / "bert", "--twins", 1, "--least", 5, "--no-plots", "-q", "--out", "run")
        assert command(*words, "--", "trees.conllu", cwd=place).code == 130
    assert headscope.open(path).unfinished == ["survey", "syntax"]
    done = command("resume", path)
    assert done.code == 0, done.err
    assert [line.split()[4] for line in done.err.splitlines()] == ["survey", "syntax"]
    assert is_finished(path)


def test_ctrl_c_stops_it_again(stopped: Callable[..., Path]) -> None:
    path = stopped()
    shutil.rmtree(path / "shards")
    process = subprocess.Popen(child("resume", path), stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    while not (path / ".lock").exists():
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130
    assert err.endswith(", or the same command, goes on from what has finished\n")
    assert headscope.open(path).unfinished == ["survey"]
