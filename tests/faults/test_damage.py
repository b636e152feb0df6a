"""A run folder that was damaged, or mixed with another: found out and explained, never silently used."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.errors import RunError
from headscope.results import provenance
from tests.cli.conftest import FAST, Outcome, command
from tests.faults.commands import SMALL_SHARDS, left

VERSION = headscope.__version__
AGAIN = "delete the file and run the same command again to recompute it\n"


@pytest.fixture(scope="module")
def models(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models that may be changed, and are as they were afterwards."""
    return shutil.copytree(models, tmp_path_factory.mktemp("mine") / "models")


@pytest.fixture(scope="module")
def text(text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text that may be changed, and is as it was afterwards."""
    return Path(shutil.copy(text, tmp_path_factory.mktemp("mine")))


@pytest.fixture
def survey(models: Path, text: Path) -> Callable[..., Outcome]:
    """The survey of a model over the text, into a folder."""

    def run(path: Path, *options: object, model: str = "bert") -> Outcome:
        return command("survey", models / model, text, *FAST, *SMALL_SHARDS, "-q", *options, "--out", path)

    return run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any, Callable[[Path], None]], Path]:
    """A folder for each key, made once; tests damage copies of it."""
    folders: dict[Any, Path] = {}

    def give(key: Any, make: Callable[[Path], None]) -> Path:
        if key not in folders:
            path = tmp_path_factory.mktemp("made") / "run"
            make(path)
            folders[key] = path
        return folders[key]

    return give


@pytest.fixture
def whole(made: Callable[..., Path], survey: Callable[..., Outcome], tmp_path: Path) -> Path:
    """A finished run."""

    def make(path: Path) -> None:
        assert survey(path).code == 0

    return shutil.copytree(made("whole", make), tmp_path / "whole")


@pytest.fixture
def stopped(made: Callable[..., Path], survey: Callable[..., Outcome], tmp_path: Path) -> Callable[..., Path]:
    """A run that was stopped when all its shards were there."""

    def give(name: str, *options: object, model: str = "bert") -> Path:
        def make(path: Path) -> None:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr("headscope.questions.survey.answer.heads_dataset", _stop)
                assert survey(path, *options, model=model).code == 130
            assert len(list(path.glob("shards/survey/*"))) > 3

        return shutil.copytree(made((options, model), make), tmp_path / name)

    return give


def _stop(*given: object) -> None:
    raise KeyboardInterrupt


def shard(run: Path, number: int = 1) -> Path:
    return run / "shards" / "survey" / f"{number:06d}.safetensors"


def test_a_truncated_shard_is_named(
    stopped: Callable[..., Path], survey: Callable[..., Outcome], whole: Path
) -> None:
    path = stopped("run")
    content = shard(path).read_bytes()
    shard(path).write_bytes(content[: len(content) // 2])
    done = survey(path)
    assert done.code == 2
    assert done.err.startswith(f"headscope: {shard(path)}: this shard is damaged (")
    assert done.err.endswith(AGAIN)
    shard(path).unlink()
    assert survey(path).code == 0
    assert left(path) == left(whole)


def test_a_missing_shard_is_made_again(
    stopped: Callable[..., Path], survey: Callable[..., Outcome], whole: Path
) -> None:
    path = stopped("run")
    for number in (0, 2):
        shard(path, number).unlink()
    assert survey(path).code == 0
    assert left(path) == left(whole)


@pytest.mark.parametrize(("options", "model"), [(("--seed", "1"), "bert"), ((), "bert-later")])
def test_a_shard_of_another_run_is_refused(
    options: tuple[str, ...],
    model: str,
    stopped: Callable[..., Path],
    survey: Callable[..., Outcome],
    whole: Path,
) -> None:
    path, other = stopped("run"), stopped("other", *options, model=model)
    shutil.copy(shard(other), shard(path))
    done = survey(path)
    assert (done.code, done.err) == (
        2,
        f"headscope: {shard(path)}: this shard belongs to another run; {AGAIN}",
    )
    shard(path).unlink()
    assert survey(path).code == 0
    assert left(path) == left(whole)


def test_a_shard_of_another_verb_is_refused(
    stopped: Callable[..., Path], models: Path, small_trees: Path, survey: Callable[..., Outcome]
) -> None:
    path = stopped("run")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headscope.questions.syntax.answer.relations_table", _stop)
        trees = (small_trees, "--twins", "0", "--no-plots", *SMALL_SHARDS)
        command("syntax", models / "bert", *trees, "--out", path)
    shutil.copy(path / "shards" / "syntax" / shard(path).name, shard(path))
    assert "this shard belongs to another run" in survey(path).err


def test_shards_of_a_run_with_the_same_question_are_its_own(
    stopped: Callable[..., Path], survey: Callable[..., Outcome], whole: Path
) -> None:
    path, other = stopped("run"), stopped("other")
    shutil.copy(shard(other), shard(path))
    assert survey(path).code == 0
    assert left(path) == left(whole)


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("options", "with other options: options.seed was 0, now 7; repeat the old options"),
        ("model", 'of another model: model.weights was "'),
        ("config", 'of another model: model.settings was "'),
        ("tokenizer", 'of another model: model.tokenizer was "'),
        ("data", 'over other data: data.checksum was "'),
        ("version", f'of another version of headscope: headscope was "{VERSION}", now "99.0"; install that'),
    ],
)
def test_another_question_is_refused_and_the_run_is_kept(
    finished: bool, change: str, told: str, stopped: Callable[..., Path], whole: Path,
    survey: Callable[..., Outcome], changed: Callable[[str], tuple[str, ...]],
) -> None:  # fmt: skip
    path = whole if finished else stopped("run")
    before = left(path)
    done = survey(path, *changed(change))
    assert done.code == 2
    assert f"{path} has a survey run {told}" in done.err
    assert done.err.endswith(", or choose another folder with --out\n")
    assert left(path) == before


def test_what_was_begun_with_other_packages_is_not_gone_on_with(
    stopped: Callable[..., Path], whole: Path, survey: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stopped("run")
    here = provenance.computing()
    monkeypatch.setattr("headscope.questions.asking.computing", lambda: {**here, "torch": "1.0"})
    done = survey(path)
    assert done.code == 2
    told = f'begun with other packages: computing.torch was "{here["torch"]}", now "1.0"; install those'
    assert told in done.err
    assert survey(whole).code == 0, "what has finished is only read"


@pytest.fixture
def changed(
    models: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], tuple[str, ...]]]:
    """Change something under the same name; everything is as it was afterwards."""
    weights, config, tokenizer = (
        models / "bert" / name for name in ("model.safetensors", "config.json", "tokenizer.json")
    )
    kept = {path: path.read_bytes() for path in (weights, config, tokenizer, text)}

    def change(what: str) -> tuple[str, ...]:
        if what == "model":
            weights.write_bytes((models / "bert-later" / weights.name).read_bytes())
        if what == "config":
            config.write_text(config.read_text().replace('"layer_norm_eps": 1e-12', '"layer_norm_eps": 1e-3'))
        if what == "tokenizer":
            tokenizer.write_text(tokenizer.read_text().replace('"lowercase": true', '"lowercase": false'))
        if what == "data":
            text.write_bytes(kept[text] + b"\nOne more.\n")
        if what == "version":
            monkeypatch.setattr(headscope, "__version__", "99.0")
        return ("--seed", "7") if what == "options" else ()

    yield change
    for path, content in kept.items():
        path.write_bytes(content)


def test_a_truncated_record_is_named_and_nothing_is_touched(
    stopped: Callable[..., Path], survey: Callable[..., Outcome]
) -> None:
    path = stopped("run")
    record = path / "run.json"
    content = record.read_bytes()
    before = sorted(path.rglob("*"))
    for length in (0, 10, len(content) // 2):
        record.write_bytes(content[:length])
        for done in (survey(path), command("resume", path)):
            assert done.code == 2
            assert done.err.startswith(f"headscope: {record}:") and "is not JSON" in done.err
            assert done.err.endswith("; restore the file, or choose another folder with --out\n")
        assert sorted(path.rglob("*")) == before


def test_a_record_that_is_gone_is_told(stopped: Callable[..., Path], survey: Callable[..., Outcome]) -> None:
    path = stopped("run")
    (path / "run.json").unlink()
    assert "holds other files (shards, ...) and no run.json, so it is not a run" in survey(path).err
    assert f"{path} is not a run folder: it has no run.json" in command("resume", path).err


@pytest.mark.parametrize("harm", ["truncated", "gone", "exchanged"])
@pytest.mark.parametrize("part", ["tables/survey/heads.parquet", "arrays.zarr/survey/heads/entropy/c.0"])
def test_a_result_that_is_not_as_it_was_written_is_named(
    part: str, harm: str, whole: Path, survey: Callable[..., Outcome]
) -> None:
    file = whole / part
    if harm == "gone":
        file.unlink()
    else:
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if harm == "truncated" else content[::-1])
    named = f"{whole / part.removesuffix('/entropy/c.0')}: "
    opened = headscope.open(whole)
    with pytest.raises(RunError) as caught:
        opened.table("heads") if "tables" in part else opened.arrays("heads")
    assert str(caught.value).startswith(named)
    assert str(caught.value).endswith("restore the file or run the command again with another --out")
    done = survey(whole)
    assert done.code == 2 and done.err.startswith(f"headscope: {named}")
