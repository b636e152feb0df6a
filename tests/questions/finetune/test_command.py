"""finetune through the command line: what it prints and writes, how it goes on, what it refuses."""

from __future__ import annotations

import json
import shutil
import signal
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import transformers as tf

import headscope
from headscope import finetune
from tests.cli.conftest import FAST, command
from tests.tasks.learning import CUES, table, tag_lines, texts
from tests.tasks.stopping import Stop

SMALL = ("--epochs", "2", "--rate", "0.003", "--batch-size", "16", "--evaluations", "2", "--pieces", "40")
OPTIONS = {"epochs": 2, "rate": 0.003, "batch_size": 16, "evaluations": 2, "pieces": 40}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of labelled files; not to be changed."""
    folder = tmp_path_factory.mktemp("rows")
    for seed, (name, count) in enumerate({"train": 90, "dev": 30, "test": 40}.items()):
        table(folder / f"{name}.tsv", texts(count, seed))
        tag_lines(folder / f"{name}.iob", count, seed)
    return folder


@pytest.fixture(scope="module")
def finished(models: Path, rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; not to be changed."""
    path = tmp_path_factory.mktemp("finished") / "run"
    data = (rows / "train.tsv", "--dev", rows / "dev.tsv", "--test", rows / "test.tsv")
    done = command("finetune", models / "bert", *data, *SMALL, "--out", path, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    return path


def without_time(run: Path) -> dict[str, pd.DataFrame]:
    found = headscope.open(run).result("finetune").tables
    return {name: one.drop(columns="seconds", errors="ignore") for name, one in found.items()}


def check_same(run: Path, other: Path) -> None:
    """All but the clock."""
    for name, expected in without_time(other).items():
        pd.testing.assert_frame_equal(without_time(run)[name], expected, check_exact=True)
    weights = "model/model.safetensors"
    assert (run / weights).read_bytes() == (other / weights).read_bytes()


def test_the_tables_say_how_it_went(finished: Path) -> None:
    tables = headscope.open(finished).result("finetune").tables
    training, scores = tables["training"], tables["finetuned"]
    assert training["step"].tolist() == [3, 6, 9, 12] and training["chosen"].sum() == 1
    best = training.loc[training["chosen"]].iloc[0]
    assert scores["data"].tolist() == ["dev", "test"] and scores["examples"].tolist() == [30, 40]
    assert scores.loc[0, "score"] == best["dev_score"] and scores.loc[0, "loss"] == best["dev_loss"]
    assert (scores["low"] <= scores["score"]).all() and (scores["score"] <= scores["high"]).all()
    assert set(scores["metric"]) == {"accuracy"}
    train, test = (pd.Series([label for _, label in texts(*one)]) for one in ((90, 0), (40, 2)))
    assert scores.loc[1, "majority"] == pytest.approx((test == train.mode()[0]).mean())
    assert not (finished / "shards").exists() and (finished / "plots" / "training.png").exists()


def test_plain_transformers_gives_the_score(finished: Path, rows: Path) -> None:
    module = tf.AutoModelForSequenceClassification.from_pretrained(finished / "model", local_files_only=True)
    tokenizer = tf.AutoTokenizer.from_pretrained(finished / "model", local_files_only=True)
    test = texts(40, 2)
    inputs = tokenizer([text for text, _ in test], padding=True, return_tensors="pt")
    with torch.no_grad():
        answers = module.eval()(**inputs).logits.argmax(-1).tolist()
    assert module.config.id2label == dict(enumerate(sorted(CUES)))
    right = np.mean(
        [module.config.id2label[answer] == label for answer, (_, label) in zip(answers, test, strict=True)]
    )
    assert right == headscope.open(finished).table("finetuned").loc[1, "score"]


def test_the_library_gives_the_same_result_and_the_model(models: Path, rows: Path, finished: Path) -> None:
    given = headscope.load(models / "bert")
    before = {name: one.clone() for name, one in given.module.state_dict().items()}
    state = torch.get_rng_state()
    result, model = finetune(
        given, rows / "train.tsv", dev=rows / "dev.tsv", test=rows / "test.tsv", **OPTIONS
    )
    assert all(torch.equal(before[name], one) for name, one in given.module.state_dict().items())
    assert torch.equal(torch.get_rng_state(), state)
    for name, expected in without_time(finished).items():
        found = result.table(name).drop(columns="seconds", errors="ignore")
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    saved = headscope.load(finished / "model").module.state_dict()
    assert all(torch.equal(one, saved[name]) for name, one in model.module.state_dict().items())
    assert all(one.requires_grad for one in model.module.parameters()) and not model.module.training


def test_a_finished_run_is_read_with_its_model(models: Path, rows: Path, finished: Path) -> None:
    data = {"dev": rows / "dev.tsv", "test": rows / "test.tsv"}
    told: list[int] = []
    result, model = finetune(
        str(models / "bert"), str(rows / "train.tsv"), **data, **OPTIONS, out=finished,
        progress=lambda examples, words: told.append(words),
    )  # fmt: skip
    assert told == [] and len(result.table("training")) == 4
    assert type(model.module).__name__ == "BertForSequenceClassification" and model.notes == []


@pytest.mark.parametrize("stops", [[14, 3]])
def test_a_stopped_run_ends_in_the_same_bits(
    models: Path, rows: Path, finished: Path, tmp_path: Path, stops: list[int]
) -> None:
    data = {"dev": str(rows / "dev.tsv"), "test": str(rows / "test.tsv")}
    arguments = (str(models / "bert"), str(rows / "train.tsv"))
    for after in stops:
        with pytest.raises(KeyboardInterrupt):
            finetune(
                *arguments,
                **data,
                **OPTIONS,
                out=tmp_path / "run",
                progress=Stop(after, KeyboardInterrupt),
                plots=False,
            )
    finetune(*arguments, **data, **OPTIONS, out=tmp_path / "run", plots=False)
    check_same(tmp_path / "run", finished)


def test_before_the_first_evaluation_nothing_is_left_behind(models: Path, rows: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        finetune(
            str(models / "bert"),
            rows / "train.tsv",
            **OPTIONS,
            out=tmp_path / "run",
            progress=Stop(2, KeyboardInterrupt),
        )
    assert not (tmp_path / "run").exists()


def test_a_killed_run_ends_in_the_same_bits(models: Path, rows: Path, finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    data = {"dev": str(rows / "dev.tsv"), "test": str(rows / "test.tsv")}

    def slowly() -> None:
        slow = lambda examples, words: time.sleep(0.1)  # noqa: E731 - so that there is time to be killed
        finetune(str(models / "bert"), str(rows / "train.tsv"), **data, **OPTIONS, out=path, progress=slow)

    process = get_context("fork").Process(target=slowly)
    process.start()
    end = time.monotonic() + 300
    while not (path / "shards" / "finetune" / "000000.safetensors").exists():
        assert process.is_alive() and time.monotonic() < end, "no state was written"
        time.sleep(0.01)
    process.kill()
    process.join(300)
    assert process.exitcode == -signal.SIGKILL and headscope.open(path).unfinished == ["finetune"]
    files = (rows / "train.tsv", "--dev", rows / "dev.tsv", "--test", rows / "test.tsv")
    done = command("finetune", models / "bert", *files, *SMALL, "--out", path, "--quiet", "--no-plots")
    assert done.code == 0, done.err
    check_same(path, finished)


def test_what_is_printed(models: Path, rows: Path, finished: Path) -> None:
    files = (rows / "train.tsv", "--dev", rows / "dev.tsv", "--test", rows / "test.tsv")
    done = command("finetune", models / "bert", *files, *SMALL, "--out", finished)
    assert done.code == 0, done.err
    printed = " ".join(done.out.split())
    for part in (
        "Training (* the weights that were kept)",
        "Scores, accuracy",
        "accuracy on test.tsv (test) is",
        "90 examples to train on, 30 examples to choose the weights, 40 examples to score",
        "the test part was looked at once",
        f"next headscope ablate {finished / 'model'} {rows / 'test.tsv'}",
    ):
        assert part in printed


def test_a_verb_beside_it_does_not_call_the_model_its_own(
    models: Path, text: Path, finished: Path, tmp_path: Path
) -> None:
    path = shutil.copytree(finished, tmp_path / "both")
    done = command("survey", models / "bert", text, *FAST, "--out", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-2:] == [f"tables  {path}/tables", f"next    headscope report {path}"]
    assert f"model   {path}" not in done.out


def test_words_with_tags_are_learned_without_dev_data(models: Path, rows: Path, tmp_path: Path) -> None:
    done = command(
        "finetune", models / "bert", rows / "train.iob", *SMALL, "--no-plots", "--json", cwd=tmp_path
    )
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["run"].startswith("runs/finetune-bert") and told["model"] == told["run"] + "/model"
    (scores,) = told["finetuned"]
    assert scores["data"] == "dev" and scores["metric"] == "F1" and scores["majority"] is None
    assert scores["examples"] == 9
    config = json.loads((tmp_path / told["model"] / "config.json").read_text())
    assert config["architectures"] == ["BertForTokenClassification"]
    assert [config["id2label"][str(number)] for number in range(4)] == ["B-calm", "B-loud", "B-plain", "O"]
    assert any("held out" in note for note in told["notes"])


def test_equal_texts_are_never_in_both_parts(models: Path, tmp_path: Path) -> None:
    path = table(tmp_path / "twice.tsv", texts(40) * 3)
    options = {**OPTIONS, "epochs": 1}
    result, _ = finetune(str(models / "bert"), path, held_out=0.25, **options)
    assert result.table("finetuned")["examples"].tolist() == [30]
    assert "90 examples to train on" in result.notes[0]
    result, _ = finetune(str(models / "bert"), path, dev=path, limit=8, **options)
    assert any("8 texts of the dev data are in the training data too" in note for note in result.notes)


def test_pairs_and_numbers_as_labels(models: Path, tmp_path: Path) -> None:
    numbers = {"calm": 10, "loud": 9, "plain": 9}
    rows = [{"premise": text, "hypothesis": "a ship", "gold": numbers[label]} for text, label in texts(20)]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    options = {**OPTIONS, "epochs": 1, "label": "gold", "second": "hypothesis", "column": "premise"}
    result, model = finetune(str(models / "bert"), path, **options)
    assert model.module.config.id2label == {0: "9", 1: "10"}
    assert result.asked["identity"]["options"]["task"] == "pairs"


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_decoders_and_encoder_decoders_are_trained(models: Path, rows: Path, name: str) -> None:
    result, model = finetune(str(models / name), rows / "train.tsv", **{**OPTIONS, "epochs": 1})
    assert np.isfinite(result.table("training")["dev_loss"]).all()
    assert "ForSequenceClassification" in type(model.module).__name__


def test_mistakes_are_explained(models: Path, rows: Path, text: Path, tmp_path: Path) -> None:
    strange = table(tmp_path / "strange.tsv", [*texts(5), ("a night", "puzzling")])
    alone = table(tmp_path / "alone.tsv", [("a night", "calm"), ("a ship", "calm")])
    few = table(tmp_path / "few.tsv", [("a night", "calm"), ("a night", "loud")])
    train = rows / "train.tsv"
    for arguments, message in {
        (train, "--dev", strange): "'strange.tsv:7': the label 'puzzling' is not in the training data",
        (alone,): "calm is the only label; two are needed",
        (few,): "1 different texts are too few to hold 10% out",
        (text,): "this source has no columns",
        (rows / "no.tsv",): "no such file",
        (train, "--held-out", "1.5"): "--held-out must be between 0 and 1, not 1.5",
        (train, "--rate", "-1"): "--rate must be above 0, not -1",
        (train, "--label", "mood"): "unknown column 'mood'",
        (train, "--task", "tagging"): "every word needs one tag",
        (train, "--pieces", "500"): "above the model's limit",
    }.items():
        done = command("finetune", models / "bert", *arguments, "--out", tmp_path / "run", "--quiet")
        assert done.code == 2 and message in done.err, done.err
        assert not (tmp_path / "run").exists()
    done = command("finetune", models / "mamba", train, "--out", tmp_path / "run", "--quiet")
    assert done.code == 2 and "no classification head for models of the type 'mamba'" in done.err, done.err
