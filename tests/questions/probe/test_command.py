"""probe through the command line: what it prints and writes, how it goes on, what it refuses."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headscope
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS
from headscope.probes.padded import Shelf
from headscope.probes.teaching import Round
from headscope.questions import VERBS
from headscope.questions.probe import rounds
from headscope.questions.probe.answer import LEARNING, Question
from headscope.questions.probe.options import Options
from headscope.tasks.course import Course
from tests.cli.conftest import command
from tests.trees import conllu, document

SMALL = ("--seeds", "2", "--twins", "1", "--epochs", "1", "--pieces", "40")
OPTIONS = {"seeds": 2, "twins": 1, "epochs": 1, "pieces": 40}
TABLES = ["probes", "probe_summary", "probe_heads", "probe_control"]
NAMES = [BRANCHING, DISTANCES, f"{ATTENTION}, random twins", f"{WORDS}, random twins", ATTENTION, WORDS]


def written(documents: int) -> str:
    """Documents of two sentences: a night or a ship does something, with a stop behind it."""
    draw = random.Random(0)

    def sentence() -> str:
        noun, verb = draw.choice(["ship", "night", "keeper"]), draw.choice(["sleep", "wrote"])
        words = [f"the>{3 if (old := draw.random() < 0.5) else 2}:det", *(["old>3:amod"] if old else [])]
        place = len(words) + 1
        return " ".join([*words, f"{noun}>{place + 1}:nsubj", f"{verb}>0:root", f".>{place + 1}:punct"])

    return conllu([document(f"d{number}", sentence(), sentence()) for number in range(documents)])


@pytest.fixture(scope="session")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty small documents."""
    path = tmp_path_factory.mktemp("probe") / "small.conllu"
    path.write_text(written(60))
    return path


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors") / "small.txt"
    path.write_text("the 1 0 0\nship 0 1 0.5\nold 0 0 1\nwrote 0.3 0.2 1\n")
    return path


@pytest.fixture(scope="session")
def finished(models: Path, treebank: Path, vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; not to be changed."""
    path = tmp_path_factory.mktemp("finished") / "run"
    options = (*SMALL, "--vectors", vectors)
    done = command("probe", models / "bert", treebank, *options, "--out", path, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    return path


def check_same(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    opened = headscope.open(run)
    assert opened.tables == list(tables) == TABLES
    for name, table in tables.items():
        pd.testing.assert_frame_equal(opened.table(name), table, check_exact=True)


def test_every_probe_has_a_row_per_seed_and_four_measures(finished: Path) -> None:
    opened = headscope.open(finished)
    probes, summary = opened.table("probes"), opened.table("probe_summary")
    assert list(probes["probe"].unique()) == NAMES
    assert probes["probe"].value_counts()[ATTENTION] == 2
    assert probes[["uas", "uuas", "uas_tree", "uuas_tree"]].stack().between(0, 1).all()
    ours = summary[summary["probe"] == WORDS].set_index("measure")
    assert ours.loc["uas", "mean"] == pytest.approx(probes.loc[probes["probe"] == WORDS, "uas"].mean())
    assert ours.loc["uas", "published"] == 0.77
    assert (ours["low"] <= ours["mean"]).all() and (ours["mean"] <= ours["high"]).all()
    structural = summary[summary["probe"] == "structural probe"]
    assert structural[["measure", "published"]].to_numpy().tolist() == [["uuas", 0.8]]
    assert structural["mean"].isna().all()


def test_heads_are_labelled_and_pictures_drawn(finished: Path) -> None:
    heads = headscope.open(finished).table("probe_heads")
    assert len(heads) == 2 * 8 and set(heads["head"]) == {f"L{k}H{n}" for k in range(2) for n in range(4)}
    data = headscope.open(finished).result("probe").arrays["heads"]
    assert data["drop"].dims == ("head", "probe") and list(data["layer"].values) == [0] * 4 + [1] * 4
    assert (finished / "plots" / "probes.png").exists() and (finished / "plots" / "probe_heads.png").exists()


def test_features_are_gone_when_a_run_has_finished(finished: Path) -> None:
    assert not (finished / "shards").exists()


def test_a_stopped_run_goes_on_behind_its_last_round(
    models: Path,
    treebank: Path,
    vectors: Path,
    finished: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("probe", models / "bert", treebank, *SMALL, "--vectors", vectors, "--out", tmp_path / "run")
    train, seeds = Round.run, []

    def stopping(self: Round, course: Course, *rest: object) -> object:
        seeds.append(course.seed)
        if len(seeds) == 2:
            raise KeyboardInterrupt
        return train(self, course, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rounds.Round, "run", stopping)
    assert command(*arguments, "--quiet").code == 130
    shards = tmp_path / "run" / "shards"
    parts = {path.parent.relative_to(shards).as_posix() for path in shards.rglob("*.safetensors")}
    features = {"probe/model-train", "probe/model-tune", "probe/model-test"}
    assert parts == {"probe/text", "probe/model", *features}
    assert command(*arguments, "--quiet").code == 0
    assert seeds == [0, 1, 1, 0]  # the second seed again, then the twin
    check_same(tmp_path / "run", headscope.open(finished).result("probe").tables)


def test_a_run_stopped_within_a_round_goes_on_there(
    models: Path, treebank: Path, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the third epoch of the second seed: the first two are not trained again."""
    options = ("--seeds", "2", "--twins", "0", "--epochs", "4", "--pieces", "40", "--no-plots", "--quiet")
    arguments = ("probe", models / "bert", treebank, *options, "--vectors", vectors, "--out")
    assert command(*arguments, tmp_path / "whole").code == 0
    epoch, asked = Shelf.epoch, []

    def stopping(self: Shelf, seed: int, number: int) -> object:
        asked.append((seed, number))
        if len(asked) == 7:
            raise KeyboardInterrupt
        return epoch(self, seed, number)

    monkeypatch.setattr(Shelf, "epoch", stopping)
    assert command(*arguments, tmp_path / "run").code == 130
    shards = tmp_path / "run" / "shards" / "probe"
    assert (shards / "model-round-1").is_dir() and not (shards / "model-round-0").exists()
    assert command(*arguments, tmp_path / "run").code == 0
    assert asked == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 2), (1, 3)]
    check_same(tmp_path / "run", headscope.open(tmp_path / "whole").result("probe").tables)
    assert not shards.exists()


def test_many_shards_give_every_sentence(models: Path, treebank: Path, vectors: Path, finished: Path) -> None:
    options = {**OPTIONS, "vectors": vectors, "shard_characters": 100}
    result = headscope.probe(str(models / "bert"), treebank, **options)
    one, many = (table[table["probe"] == BRANCHING] for table in
                 (headscope.open(finished).table("probes"), result.table("probes")))  # fmt: skip
    pd.testing.assert_frame_equal(one, many)
    assert result.notes == headscope.open(finished).notes("probe")


def test_a_test_file_is_scored_whole(models: Path, treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "test.conllu").write_text(
        conllu([document("x", "ships>2:nsubj pass>0:root .>2:punct", "yes>0:root")])
    )
    options = ("--seeds", "1", "--twins", "0", "--epochs", "1", "--no-control", "--no-plots", "--json")
    out = command(
        "probe", models / "bert", treebank, *options, "--test", tmp_path / "test.conllu", cwd=tmp_path
    )
    assert out.code == 0, out.err
    told = json.loads(out.out)
    branching = next(row for row in told["probes"] if row["probe"] == BRANCHING)
    assert branching["uas"] == 0.5 and branching["uuas"] == 1.0  # ships -> pass, but pass -> the stop
    assert "probe_control" not in told and told["run"].startswith("runs/probe-bert")
    assert any(
        "1 words of the test part are skipped: alone in their sentence" in note for note in told["notes"]
    )


def test_a_decoder_without_special_tokens_is_probed(models: Path, treebank: Path, tmp_path: Path) -> None:
    options = ("--seeds", "1", "--twins", "0", "--epochs", "1", "--no-control", "--no-plots")
    done = command("probe", models / "llama", treebank, *options, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    assert "ROOT has a learned bias alone" in " ".join(done.out.split())
    table = headscope.open(tmp_path / "run").table("probes").set_index("probe")
    assert np.isfinite(table.loc[ATTENTION, "uas"])


def test_the_encoder_of_an_encoder_decoder_is_probed(models: Path, treebank: Path, tmp_path: Path) -> None:
    options = ("--seeds", "1", "--twins", "0", "--epochs", "1", "--no-control", "--no-plots", "--quiet")
    assert command("probe", models / "t5", treebank, *options, "--out", tmp_path / "run").code == 0
    assert set(headscope.open(tmp_path / "run").table("probe_heads")["stack"]) == {"encoder"}


def test_what_is_printed(models: Path, treebank: Path, vectors: Path, finished: Path) -> None:
    options = (*SMALL, "--vectors", vectors, "--out", finished)
    done = command("probe", models / "bert", treebank, *options)
    assert done.code == 0
    for part in (
        "Heads found, in percent",
        "• The probe “attention only” finds the heads of",
        VERBS["probe"].tables["probe_heads"].title,
        "Against learning by heart",
        "80 uuas",
    ):
        assert part in done.out


def test_mistakes_are_explained(models: Path, treebank: Path, text: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.conllu"
    few.write_text(written(2))
    lone = tmp_path / "lone.conllu"
    lone.write_text(conllu([document(f"d{number}", "yes>0:root") for number in range(9)]))
    for arguments, message in {
        (text,): "has no trees; give a treebank",
        (few,): "too few documents to hold some out; at least 3, or a test file (--test) are needed",
        (lone,): "no sentence of two words or more in what is to train on",
        (treebank, "--vectors", tmp_path / "no.txt"): "no.txt: no such file",
        (treebank, "--test", text): "has no trees",
        (treebank, "--layers", "7"): "no layer 7",
    }.items():
        done = command("probe", models / "bert", *arguments, *SMALL, "--out", tmp_path / "run", "--quiet")
        assert done.code == 2 and message in done.err, done.err
        assert not (tmp_path / "run").exists()


def test_a_quick_answer_has_one_seed_one_twin_and_no_control(models: Path, treebank: Path) -> None:
    result = headscope.probe(models / "bert", treebank, epochs=1, quick=True, pieces=40)
    assert set(result.table("probes")["seed"]) == {0}
    assert "probe_control" not in result.tables


def test_the_work_is_told_in_passes_and_epochs(models: Path, treebank: Path) -> None:
    """The model and 5 twins over all; 3 seeds and 5 twins for 5 epochs, the control task beside."""
    question = Question.of(Options(model=str(models / "bert"), treebank=treebank, pieces=40))
    words = question.splits.words
    passes, epochs = question.steps
    assert passes == (f"6 passes over {sum(words.values()):,} words", 6 * sum(words.values()), 1.0)
    told = f"8 times 5 epochs of all probes over {words['train']:,} words"
    assert epochs == (told, 40 * words["train"], 2 * LEARNING)
