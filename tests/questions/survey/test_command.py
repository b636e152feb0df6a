"""survey through the command line: every shape of model, every format of text, every way of choosing."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headscope
from headscope.questions.pictures import available, draw
from tests.cli.conftest import FAST, command

NUMBERS = ["self", "previous", "first", "entropy", "strongest"]


def heads(model: Path, text: Path, out: Path, *options: str) -> pd.DataFrame:
    """The table of heads of a survey, which must end well and silently."""
    done = command("survey", model, text, *options, "--out", out, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    return headscope.open(out).table("heads")


def test_figures_tables_and_latex_are_written(run_of: Callable[[str], Path]) -> None:
    path = run_of("bert")
    for picture in ("shares", "entropy", "headmap", "gradients", "roles", "examples"):
        assert (path / "plots" / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    table = headscope.open(path).table("heads")
    latex = (path / "tables/survey/heads.tex").read_text()
    assert r"\begin{tabular}" in latex and latex.count("L0H") == 4
    assert list(pd.read_csv(path / "tables/survey/heads.csv")["head"]) == list(table["head"])


def test_chosen_layers_and_heads_have_the_numbers_of_the_full_run(
    models: Path, text: Path, tmp_path: Path, run_of: Callable[[str], Path]
) -> None:
    full = headscope.open(run_of("bert")).table("heads").set_index("head")
    options = ("--pieces", "32", "--no-plots", "--layers", "1", "--heads", "0,2-3")
    part = heads(models / "bert", text, tmp_path / "run", *options).set_index("head")
    assert list(part.index) == ["L1H0", "L1H2", "L1H3"]
    shared = [name for name in part.columns if name not in ("cluster", "x", "y")]
    pd.testing.assert_frame_equal(part[shared], full.loc[part.index, shared], check_exact=True)
    pairs = headscope.open(tmp_path / "run").table("divergences").set_index(["first", "second"])["divergence"]
    all_pairs = (
        headscope.open(run_of("bert")).table("divergences").set_index(["first", "second"])["divergence"]
    )
    pd.testing.assert_series_equal(pairs, all_pairs.loc[pairs.index], rtol=1e-12)
    gradients = headscope.open(tmp_path / "run").table("gradients")
    assert set(gradients["head"]) == set(part.index)


def test_parts_can_be_left_out(
    models: Path, text: Path, tmp_path: Path, run_of: Callable[[str], Path]
) -> None:
    part = heads(models / "bert", text, tmp_path / "run", *FAST)
    full = headscope.open(run_of("bert")).table("heads")
    pd.testing.assert_frame_equal(part[NUMBERS], full[NUMBERS], check_exact=True)
    assert not {"divergences", "layers", "gradients"} & set(headscope.open(tmp_path / "run").tables)
    assert not (tmp_path / "run" / "plots").exists()


def test_sampled_rows_are_noted_and_all_rows_give_the_full_numbers(
    models: Path, text: Path, tmp_path: Path, run_of: Callable[[str], Path]
) -> None:
    full = headscope.open(run_of("bert")).table("heads")
    every = heads(models / "bert", text, tmp_path / "every", *FAST, "--rows", "32")
    np.testing.assert_allclose(every[NUMBERS], full[NUMBERS], atol=1e-4)
    some = heads(models / "bert", text, tmp_path / "some", *FAST, "--rows", "4")
    assert not np.allclose(some["entropy"], full["entropy"], atol=1e-4)
    assert "only 4 sampled query rows of each segment" in " ".join(
        headscope.open(tmp_path / "some").notes("survey")
    )


def test_a_limit_reads_the_first_documents(models: Path, text: Path, tmp_path: Path) -> None:
    first = tmp_path / "first.txt"
    first.write_text("\n\n".join(text.read_text().split("\n\n")[:3]))
    limited = heads(models / "bert", text, tmp_path / "limited", *FAST, "--limit", "3")
    alone = heads(models / "bert", first, tmp_path / "alone", *FAST)
    pd.testing.assert_frame_equal(limited[NUMBERS], alone[NUMBERS])


def test_every_format_of_the_same_documents_gives_the_same_numbers(
    models: Path, text: Path, tmp_path: Path, run_of: Callable[[str], Path]
) -> None:
    documents = text.read_text().split("\n\n")
    flat = [document.replace("\n", " ") for document in documents]
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "review"], *([n, one] for n, one in enumerate(documents))])
    (tmp_path / "flat.txt").write_text("\n\n".join(flat))
    (tmp_path / "a.tsv").write_text("\n".join(["text", *flat]))
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"text": one}) for one in documents))
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(text.read_bytes()))
    full = headscope.open(run_of("bert")).table("heads")[NUMBERS]
    for name, options in {"a.csv": ("--column", "review"), "a.jsonl": (), "a.txt.gz": ()}.items():
        found = heads(models / "bert", tmp_path / name, tmp_path / f"run-{name}", *FAST, *options)
        np.testing.assert_allclose(found[NUMBERS], full, rtol=1e-12)
    tabs = heads(models / "bert", tmp_path / "a.tsv", tmp_path / "tsv", *FAST)
    plain = heads(models / "bert", tmp_path / "flat.txt", tmp_path / "flat", *FAST)
    np.testing.assert_allclose(tabs[NUMBERS], plain[NUMBERS], rtol=1e-12)


@pytest.mark.parametrize("written", ["word", " ".join(["The old ship passed by."] * 400)])
def test_one_word_and_one_endless_line_simply_work(written: str, models: Path, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(written)
    found = heads(models / "bert", path, tmp_path / "run", "--pieces", "32", "--no-plots")
    assert len(found) == 8 and np.isfinite(found["entropy"]).all()
    notes = " ".join(headscope.open(tmp_path / "run").notes("survey"))
    assert "fewer than 6 documents give no standard errors" in notes


def test_one_word_can_be_drawn(models: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("ship")
    result = headscope.survey(models / "bert", tmp_path / "text.txt", pieces=32, gradients=False)
    assert {"shares", "headmap", "examples"} <= set(available(result))
    for name in available(result):
        assert draw(name, result).axes


def test_a_decoder_with_grouped_keys_looks_back_alone(models: Path, text: Path, tmp_path: Path) -> None:
    found = heads(models / "llama", text, tmp_path / "run", "--pieces", "32", "--no-plots")
    assert list(found["stack"].unique()) == ["decoder"] and len(found) == 8
    offsets = headscope.open(tmp_path / "run").table("offsets")
    ahead = offsets.loc[offsets["distance"] > 0, "share"]
    assert (ahead.isna() | (ahead == 0)).all()
    assert (offsets.loc[offsets["distance"] == 0, "share"] > 0).all()
    assert "gradients" in headscope.open(tmp_path / "run").tables


def test_an_encoder_decoder_reads_the_target_column(models: Path, tmp_path: Path) -> None:
    rows = [("The old ship passed by.", "Every night he wrote."), ("A keeper could not sleep.", "The name.")]
    with (tmp_path / "pairs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("text", "de"), *rows])
    options = ("--pieces", "32", "--no-plots", "--no-gradients")
    with_target = heads(models / "t5", tmp_path / "pairs.csv", tmp_path / "with", *options, "--target", "de")
    without = heads(models / "t5", tmp_path / "pairs.csv", tmp_path / "without", *options)
    for found in (with_target, without):
        assert found["stack"].value_counts().to_dict() == {"encoder": 8, "decoder": 8, "cross": 8}
        assert np.isfinite(found["entropy"]).all()
    same = np.isclose(with_target["entropy"], without["entropy"], rtol=1e-6)
    assert same[with_target["stack"] == "encoder"].all()
    assert not same[with_target["stack"] != "encoder"].any()
