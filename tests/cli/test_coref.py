"""coref through the command line: what it prints and writes, how it goes on, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import headscope
from headscope.engine import shards
from tests.cli.conftest import command
from tests.mentions import conll, mixed

SMALL = ("--window", "22", "--batch-size", "4", "--twins", "1")
TABLES = ["coref_types", "coref_baselines", "coref_heads", "known_mentions"]
OPTIONS = {"window": 22, "batch_size": 4, "twins": 1}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve small documents."""
    path = tmp_path_factory.mktemp("coref") / "small.conll"
    path.write_text(conll(mixed()))
    return path


@pytest.fixture(scope="session")
def finished(models: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; not to be changed."""
    path = tmp_path_factory.mktemp("finished") / "run"
    done = command("coref", models / "bert", corpus, *SMALL, "--out", path, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    return path


def check_same(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    opened = headscope.open(run)
    assert opened.tables == list(tables) == TABLES
    for name, table in tables.items():
        pd.testing.assert_frame_equal(opened.table(name), table, check_exact=True)


def test_the_library_gives_the_tables_of_the_command_line(models: Path, corpus: Path, finished: Path) -> None:
    result = headscope.coref(str(models / "bert"), corpus, **OPTIONS)
    check_same(finished, result.tables)
    assert headscope.open(finished).notes("coref") == result.notes


def test_the_picture_is_written(finished: Path) -> None:
    for form, begin in {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}.items():
        assert (finished / "plots" / f"coref.{form}").read_bytes().startswith(begin)


def test_it_prints_the_best_heads_and_the_rules(models: Path, corpus: Path, tmp_path: Path) -> None:
    done = command("coref", models / "bert", corpus, *SMALL, "--out", tmp_path / "run", "--no-plots")
    assert done.code == 0
    for part in (
        "How often the best head finds an antecedent",
        "How often simple rules do",
        "pronoun",
        "covered",
    ):
        assert part in done.out


def test_json_holds_every_table(models: Path, corpus: Path, tmp_path: Path) -> None:
    done = command(
        "coref", models / "bert", corpus, *SMALL, "--out", tmp_path / "run", "--no-plots", "--json"
    )
    told = json.loads(done.out)
    assert list(told) == ["run", "notes", *TABLES]
    assert [row["type"] for row in told["coref_types"]] == ["all", "pronoun", "proper", "nominal"]
    assert len(told["coref_heads"]) == 8 * 4 and len(told["coref_baselines"]) == 16
    # The three kinds of documents by turns; the doubled one is two windows, each like the single one.
    assert told["coref_types"][0]["mentions"] == sum((6, 2, 12)[number % 3] for number in range(12))


def test_chosen_heads_have_the_numbers_of_the_full_run(
    models: Path, corpus: Path, tmp_path: Path, finished: Path
) -> None:
    chosen = ("--layers", "1", "--heads", "0,2-3", "--no-plots", "--quiet")
    assert command("coref", models / "bert", corpus, *SMALL, *chosen, "--out", tmp_path / "run").code == 0
    part = headscope.open(tmp_path / "run").table("coref_heads")
    full = headscope.open(finished).table("coref_heads")
    assert list(part["head"].unique()) == ["L1H0", "L1H2", "L1H3"]
    same = full[full["head"].isin(part["head"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, same, check_exact=True)


def test_the_first_window_is_a_part(models: Path, corpus: Path, tmp_path: Path, finished: Path) -> None:
    options = ("--window", "22", "--twins", "0", "--first", "--no-plots", "--quiet")
    assert command("coref", models / "bert", corpus, *options, "--out", tmp_path / "run").code == 0
    run = headscope.open(tmp_path / "run")
    # Of the doubled documents only the first half is seen: 6 mentions count there, as in the single ones.
    assert run.table("coref_types")["mentions"][0] == sum((6, 2, 6)[number % 3] for number in range(12))
    assert any("88 words left out: after the first window" in note for note in run.notes("coref"))


def test_a_survey_may_share_the_folder(models: Path, corpus: Path, text: Path, tmp_path: Path) -> None:
    folder = ("--out", tmp_path / "run", "--no-plots", "--quiet")
    options = ("--no-gradients", "--no-distances", "--pieces", "32")
    assert command("survey", models / "bert", text, *options, *folder).code == 0
    assert command("coref", models / "bert", corpus, *SMALL, *folder).code == 0
    assert set(headscope.open(tmp_path / "run").verbs) == {"survey", "coref"}


class Stopped(Exception):
    """Stands for whatever ends a run early."""


@pytest.mark.parametrize("batches", [2, 5, 8])
def test_a_stopped_run_goes_on_to_the_same_numbers(
    models: Path, corpus: Path, tmp_path: Path, finished: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    """Stopped within the model's shards, or within those of its twin."""
    monkeypatch.setattr(shards.shards, "__defaults__", (300,))
    whole = headscope.coref(str(models / "bert"), corpus, **OPTIONS)
    seen = 0

    def stop(segments: int, words: int) -> None:
        nonlocal seen
        seen += 1
        if seen > batches:
            raise Stopped

    path = tmp_path / "run"
    with pytest.raises(Stopped):
        headscope.coref(str(models / "bert"), corpus, out=path, plots=False, progress=stop, **OPTIONS)
    assert len(list((path / "shards" / "coref").iterdir())) > 0
    headscope.coref(str(models / "bert"), corpus, out=path, plots=False, **OPTIONS)
    check_same(path, whole.tables)
    assert not (path / "shards").exists()


def test_mistakes_end_with_two(models: Path, corpus: Path, text: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "run")
    cases = [
        (("coref", models / "bert", text, *out), "has no mentions; read CoNLL-2012 (.conll)"),
        (("coref", models / "bert", corpus, "--head-finder", "tree", *out), "has no tree to find the heads"),
        (("coref", models / "bert", corpus, "--trees", corpus, *out), "has no tree"),
        (
            ("coref", models / "bert", corpus, "--window", "2", *out),
            "no mention has an antecedent in its window",
        ),
        (
            ("coref", models / "bert", corpus, "--layers", "7", *out),
            "no layer 7: the model has layers 0 to 1",
        ),
    ]
    for arguments, message in cases:
        done = command(*arguments)
        assert done.code == 2 and message in done.err, (arguments, done.err)
        assert not (tmp_path / "run").exists()
