"""syntax through the command line: run folders, choices of heads, every shape of model, parsed text."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headscope
from tests.cli.conftest import Outcome, command
from tests.trees import conllu, treebank

OPTIONS = ("--least", "20", "--twins", "1", "--no-plots")
TABLES = {
    "relations",
    "readings",
    "attachment",
    "head_relations",
    "published",
    "known_relations",
    "relations_summary",
}


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A treebank of 30 short documents."""
    path = tmp_path_factory.mktemp("trees") / "small.conllu"
    path.write_text(conllu(treebank(30)))
    return path


@pytest.fixture(scope="session")
def finished(models: Path, trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished run of `bert`; not to be changed."""
    path = tmp_path_factory.mktemp("finished-syntax") / "run"
    assert run(models / "bert", trees, path, *OPTIONS) == Outcome(0, "", "")
    return path


def run(model: Path, trees: Path, out: Path, *options: str) -> Outcome:
    return command("syntax", model, trees, *options, "--out", out, "--quiet")


def relations(path: Path) -> pd.DataFrame:
    return headscope.open(path).table("relations").set_index("relation")


def test_a_run_folder_is_readable_without_us(finished: Path) -> None:
    told = json.loads((finished / "run.json").read_text())
    assert "syntax" in json.dumps(told) and "small.conllu" in json.dumps(told)
    table = pd.read_csv(finished / "tables/syntax/relations.csv")
    assert table["relation"].iloc[0] == "all" and {"det", "nsubj", "obj"} <= set(table["relation"])
    assert "root" not in set(table["relation"]) and "punct" not in set(table["relation"])
    assert (finished / "tables/syntax/relations.tex").read_text().count("det") >= 1
    assert (finished / "arrays.zarr").is_dir() and not (finished / "shards").exists()


def test_what_is_printed(models: Path, trees: Path, finished: Path) -> None:
    done = command("syntax", models / "bert", trees, *OPTIONS, "--out", finished)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    # A path is never parted, so that it can be pasted.
    assert max(len(line) for line in lines if str(finished) not in line) <= 80
    row = next(line for line in lines if line.startswith("det "))
    stored = relations(finished).loc["det"]
    assert f"{100 * stored['accuracy']:.1f}" in row and f"{100 * stored['offset_accuracy']:.1f}" in row
    assert "nan" not in re.findall(r"[a-z]+", done.out)
    told = " ".join(part.strip(" ·") for part in lines)
    for note in headscope.open(finished).notes("syntax"):
        assert " ".join(note.split()) in " ".join(told.split())


def test_chosen_layers_and_heads_have_the_numbers_of_the_full_run(
    models: Path, trees: Path, finished: Path, tmp_path: Path
) -> None:
    options = ("--least", "20", "--twins", "0", "--no-plots", "--layers", "1", "--heads", "0,2-3")
    assert run(models / "bert", trees, tmp_path / "run", *options).code == 0
    keys = ["head", "relation", "reading"]
    part, full = (
        headscope.open(one).table("head_relations").set_index(keys) for one in (tmp_path / "run", finished)
    )
    assert list(dict.fromkeys(part.index.get_level_values("head"))) == ["L1H0", "L1H2", "L1H3"]
    pd.testing.assert_frame_equal(part, full.loc[part.index], check_exact=True)
    chosen = relations(tmp_path / "run")["same_data_head"]
    assert set(chosen) <= {"L1H0", "L1H2", "L1H3"}


def test_batch_sizes_do_not_matter(models: Path, trees: Path, finished: Path, tmp_path: Path) -> None:
    assert run(models / "bert", trees, tmp_path / "run", *OPTIONS, "--batch-size", "3").code == 0
    for name in ("head_relations", "readings"):
        found, expected = (headscope.open(one).table(name) for one in (tmp_path / "run", finished))
        pd.testing.assert_frame_equal(found, expected)


def test_subtypes_punctuation_and_limits(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(conllu(treebank(8)).replace("\tobj\t", "\tobj:x\t"))

    def words(name: str, *options: str) -> dict[str, int]:
        chosen = ("--least", "1", "--twins", "0", "--no-plots", *options)
        assert run(models / "bert", path, tmp_path / name, *chosen).code == 0
        return relations(tmp_path / name)["words"].to_dict()

    plain = words("plain")
    assert "obj:x" in plain and "obj" not in plain and "punct" not in plain
    joined = words("joined", "--no-subtypes", "--punctuation")
    assert joined["obj"] == plain["obj:x"] and joined["punct"] > 0
    assert joined["all"] == plain["all"] + joined["punct"]
    assert words("some", "--limit", "3")["all"] < plain["all"]


def test_a_causal_model_covers_a_part(models: Path, trees: Path, tmp_path: Path) -> None:
    assert run(models / "llama", trees, tmp_path / "run", *OPTIONS) == Outcome(0, "", "")
    readings = headscope.open(tmp_path / "run").table("readings").set_index(["reading", "relation"])
    # articles stand before their nouns, objects behind their verbs
    assert (
        readings.loc[("dep->head", "det"), "coverage"] == readings.loc[("head<-dep", "obj"), "coverage"] == 0
    )
    assert (
        readings.loc[("head<-dep", "det"), "coverage"] == readings.loc[("dep->head", "obj"), "coverage"] == 1
    )
    assert np.isnan(readings.loc[("dep->head", "det"), "accuracy"])
    best = relations(tmp_path / "run")
    assert best.loc["det", "reading"] == "head<-dep" and best.loc["obj", "reading"] == "dep->head"
    assert best.loc["det", "coverage"] == 1 and 0 < best.loc["all", "coverage"] < 1
    notes = " ".join(headscope.open(tmp_path / "run").notes("syntax"))
    assert "the model is causal" in notes and "coverage is the share of pairs that the model can see" in notes


def test_an_encoder_decoder_reads_with_its_encoder(models: Path, trees: Path, tmp_path: Path) -> None:
    assert run(models / "t5", trees, tmp_path / "run", *OPTIONS) == Outcome(0, "", "")
    found = headscope.open(tmp_path / "run")
    assert set(found.table("attachment")["stack"]) == {"encoder"} and len(found.table("attachment")) == 8
    assert (relations(tmp_path / "run")["coverage"] == 1).all()
    assert "only the heads of the encoder are looked at" in " ".join(found.notes("syntax"))


def test_text_is_parsed_on_demand(models: Path, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    path = tmp_path / "my.txt"
    path.write_text("The old dog barks at the ships.\n\nA small dog sleeps.\n\nThe keeper saw a ship.\n")
    done = run(
        models / "bert", path, tmp_path / "run", "--parse", "--least", "1", "--twins", "0", "--no-plots"
    )
    assert done == Outcome(0, "", "")
    found = relations(tmp_path / "run")
    assert found.loc["det", "words"] >= 5 and {"nsubj", "all"} <= set(found.index)
    assert found.loc["all", "words"] == found["words"].drop("all").sum()
    assert "ROOT" not in found.index


def test_a_short_text_says_what_is_missing(models: Path, tmp_path: Path) -> None:
    """One document cannot be halved, and nothing has a hundred words; both are told, without a warning."""
    path = tmp_path / "a.conllu"
    path.write_text(conllu(treebank(1, seed=3)))
    options = ("--no-plots", "--twins", "1", "--out")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = command("syntax", models / "bert", path, "--least", "1", *options, tmp_path / "run")
    assert (done.code, done.err) == (0, "")
    assert "accuracy is missing where one half of the documents lacks" in " ".join(done.out.split())
    assert "of 1 documents" in done.out and "coverage" not in done.out
    assert "nan" not in re.findall(r"[a-z]+", done.out)
    found = relations(tmp_path / "run")
    assert found["accuracy"].isna().all() and found["same_data_accuracy"].notna().all()
    done = command("syntax", models / "bert", path, *options, tmp_path / "other")
    assert (done.code, done.err) == (0, "") and "no relation has 100 words" in done.out
    assert len(relations(tmp_path / "other")) == 0
