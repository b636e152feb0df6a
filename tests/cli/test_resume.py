"""`headscope resume RUN`: what was stopped goes on as it was asked, from wherever it is typed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import headscope
from tests.cli.conftest import FAST, Outcome, command
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


@pytest.fixture(scope="module")
def stopped_once(models: Path, text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the text and a survey of it, typed with relative paths, stopped behind its shards."""
    folder = tmp_path_factory.mktemp("once")
    shutil.copy(text, folder / "mine.txt")
    stop_survey(models, folder)
    return folder


@pytest.fixture
def stopped(models: Path, place: Path, stopped_once: Path) -> Callable[..., Path]:
    """Such a survey, which may be gone on with."""

    def make(*options: object) -> Path:
        if options:
            return stop_survey(models, place, *options)
        run = shutil.copytree(stopped_once / "run", place / "run")
        record = (run / "run.json").read_text()
        assert f'"{stopped_once}"' in record
        (run / "run.json").write_text(record.replace(f'"{stopped_once}"', f'"{place}"'))
        return run

    return make


def stop_survey(models: Path, place: Path, *options: object) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.questions.survey.answer.heads_dataset", stop)
        words = ("survey", models / "bert", "mine.txt", *FAST, "-q", *options)
        assert command(*words, "--out", "run", cwd=place).code == 130
    assert headscope.open(place / "run").unfinished == ["survey"]
    return place / "run"


def is_finished(path: Path) -> bool:
    return headscope.open(path).unfinished == [] and not (path / "shards").exists()


def test_it_goes_on_from_any_folder(stopped: Callable[..., Path], tmp_path: Path) -> None:
    path = stopped()
    done = command("resume", "work/run", cwd=tmp_path)
    assert (done.code, done.err) == (0, f"resuming survey of work/run, asked in {path.parent}\n")
    assert "\nWhat the heads do\n" in done.out
    assert done.out.endswith(f"tables  {path}/tables\nnext    headscope report {path}\n")
    assert is_finished(path)
    assert Path.cwd() != path.parent


def test_it_can_be_quiet(stopped: Callable[..., Path]) -> None:
    path = stopped()
    for _ in range(2):
        assert command("resume", path, "--quiet") == Outcome(0, "", "")
    assert is_finished(path)


def test_json_is_that_of_the_verb(stopped: Callable[..., Path], models: Path, place: Path) -> None:
    path = stopped()
    done = command("resume", path, "--json")
    assert (done.code, done.err) == (0, f"resuming survey of {path}, asked in {place}\n")
    told = json.loads(done.out)
    assert told.pop("run") == str(path)
    again = command("survey", models / "bert", "mine.txt", *FAST, "--out", "run", "--json", cwd=place)
    assert {"run": "run", **told} == json.loads(again.out) and len(told["heads"]) == 8


def test_what_it_makes_is_what_a_run_in_one_go_makes(
    stopped: Callable[..., Path], models: Path, place: Path, tmp_path: Path
) -> None:
    options = ("--layers", "1", "--seed", "3")
    path = stopped(*options)
    assert command("resume", path, "-q").code == 0
    whole = ("survey", models / "bert", "mine.txt", *FAST, "-q", *options, "--out", tmp_path / "whole")
    assert command(*whole, cwd=place).code == 0
    found, expected = (headscope.open(run) for run in (path, tmp_path / "whole"))
    assert found.asked("survey")["identity"] == expected.asked("survey")["identity"]
    assert found.tables == expected.tables
    for name in found.tables:
        pd.testing.assert_frame_equal(found.table(name), expected.table(name), check_exact=True)
    assert not (path / "plots").exists()


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


IN_PYTHON = {"pieces": 16, "gradients": False, "distances": False, "plots": False}


def stopped_in_python(model: object, text: object, out: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.questions.survey.answer.heads_dataset", stop)
        with pytest.raises(KeyboardInterrupt):
            headscope.survey(model, text, out=out, **IN_PYTHON)
    assert headscope.open(out).unfinished == ["survey"]


@pytest.mark.parametrize("loaded", [False, True])
def test_a_run_that_python_began_goes_on_where_model_and_data_are_on_disk(
    loaded: bool, models: Path, text: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    model = headscope.load(models / "bert") if loaded else models / "bert"
    stopped_in_python(model, text, path)
    done = command("resume", path)
    assert (done.code, done.err) == (0, f"resuming survey of {path}, asked in {Path.cwd()}\n")
    assert is_finished(path)
    whole = headscope.survey(models / "bert", text, **{**IN_PYTHON, "plots": True})
    pd.testing.assert_frame_equal(headscope.open(path).table("heads"), whole.table("heads"), check_exact=True)


def test_what_only_python_has_is_told(models: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "run", ["The old keeper slept."]
    stopped_in_python(models / "bert", text, path)
    done = command("resume", path)
    assert (done.code, done.out, done.err) == (
        2,
        "",
        f"headscope: {path}: survey: 'text' was given in Python and is on no disk (list); make the same call "
        f"with out={path}\n",
    )
    headscope.survey(models / "bert", text, out=path, **IN_PYTHON)
    assert is_finished(path)


def test_a_model_that_only_python_has_is_told(models: Path, text: Path, tmp_path: Path) -> None:
    path, mine = tmp_path / "run", headscope.load(models / "bert")
    stopped_in_python(headscope.load(mine.module, mine.tokenizer), text, path)
    done = command("resume", path)
    assert done.code == 2 and done.err.count("\n") == 1
    assert "'model' was given in Python and is on no disk" in done.err


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        "x",
        {"words": ["survey"], "folder": "."},
        {"options": [], "folder": "."},
        {"options": {}, "folder": "."},
        {"options": {"model": "default"}, "folder": "."},
        {"options": {"text": "mine.txt"}, "folder": 1},
        {"options": {"text": "mine.txt"}},
    ],
)
def test_a_record_that_does_not_say_how_it_was_asked_is_told(
    stopped: Callable[..., Path], told: object
) -> None:
    path = stopped()
    recorded(path, lambda asked: asked.update(question=told))
    done = command("resume", path)
    assert (done.code, done.out, done.err) == (
        2,
        "",
        f"headscope: {path}: run.json does not tell how survey was asked; repeat the command by hand\n",
    )


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("batch_size", 0, "--batch-size must be at least 1, not 0"),
        ("batch_size", {}, "--batch-size takes a whole number, not {}"),
        ("dtype", "float7", "unknown --dtype 'float7'"),
        ("layers", {"a": 1}, "--layers takes a whole number"),
        ("colour", "red", "unknown option 'colour'"),
        ("seed", 1, "has a survey run with other options: options.seed was 0, now 1"),
        ("text", "gone.txt", "gone.txt: no such file or folder"),
        ("text", 5, "text"),
        ("model", 5, "model"),
    ],
)
def test_a_record_with_other_options_cannot_have_anything_run(
    option: str, value: object, message: str, stopped: Callable[..., Path]
) -> None:
    path = stopped()
    recorded(path, lambda asked: asked["question"]["options"].update({option: value}))
    done = command("resume", path)
    assert (done.code, done.out) == (2, "")
    assert message in done.err.splitlines()[-1] and done.err.splitlines()[-1].startswith("headscope: ")
    assert "Traceback" not in done.err
    assert headscope.open(path).unfinished == ["survey"]


def test_a_verb_that_this_version_does_not_have_is_told(stopped: Callable[..., Path]) -> None:
    path = stopped()
    record = json.loads((path / "run.json").read_text())
    record["verbs"]["divine"] = record["verbs"].pop("survey")
    (path / "run.json").write_text(json.dumps(record))
    done = command("resume", path)
    assert done.code == 2 and "run.json does not tell how divine was asked" in done.err


def recorded(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change what run.json says of how a survey was asked."""
    record = json.loads((path / "run.json").read_text())
    change(record["verbs"]["survey"]["asked"])
    (path / "run.json").write_text(json.dumps(record))


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


def test_it_goes_on_where_it_was_asked_to_run(stopped: Callable[..., Path]) -> None:
    path = stopped()
    recorded(path, lambda asked: asked["question"].update(engine="tcp://node1", workers=None))
    done = command("resume", path)
    assert done.code == 2 and "--engine 'tcp://node1': write local, dask, or an address" in done.err
    assert headscope.open(path).unfinished == ["survey"]


def test_another_engine_takes_over(stopped: Callable[..., Path]) -> None:
    """What was asked of a cluster goes on here, without its workers."""
    path = stopped()
    recorded(path, lambda asked: asked["question"].update(engine="dask", workers=3))
    shutil.rmtree(path / "shards")
    done = command("resume", path, "--engine", "local")
    assert done.code == 0, done.err
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
    told = [f"resuming {verb} of {path}, asked in {place}\n" for verb in ("survey", "syntax")]
    assert done.err == "".join(told)
    assert is_finished(path)


def test_it_can_be_stopped_again(stopped: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = stopped()
    monkeypatch.setattr("headscope.questions.survey.answer.heads_dataset", stop)
    done = command("resume", path)
    assert done.code == 130
    assert done.err.endswith(
        f"stopped; headscope resume {path}, or the same command, goes on from what has finished\n"
    )
    assert headscope.open(path).unfinished == ["survey"]
