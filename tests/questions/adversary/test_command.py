"""What adversary refuses, what it starts from, and runs that break off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import headscope
from headscope.errors import InputError, ModelError, OptionError
from headscope.models.fingerprint import fingerprint
from headscope.questions.adversary.beginning import Beginning
from headscope.questions.adversary.kinds import ADVERSARY, MIXED, PLAIN, SAME, WORDS
from headscope.questions.adversary.options import Options
from headscope.questions.adversary.recipients import recipient, recipients_of
from headscope.questions.adversary.runs import adversaries, frozen
from tests.cli.conftest import command
from tests.cli.labelled import save_model, write_texts
from tests.nets.made import save_pooled, save_tagger

SMALL: dict[str, Any] = {"seeds": 1, "epochs": 1, "batch_size": 8, "instances": 0}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "data": write_texts(tmp_path / "test.tsv", 8, 1),
        "train": write_texts(tmp_path / "train.tsv", 16),
    }


def options(**given: Any) -> Options:
    return Options(model="net", data="test.tsv", train="train.tsv", **given)


def test_a_run_that_breaks_off_is_named_and_stops_no_other(tmp_path: Path, files: dict[str, Path]) -> None:
    net = save_pooled(tmp_path / "net")
    result = headscope.adversary(
        net, **files, **SMALL, penalties=(0, 0.1, 1e300), controls=False, frozen=True, given=(1e300,)
    )
    runs = result.table("runs").set_index("penalty")
    assert runs.loc[1e300, "diverged"] and np.isnan(runs.loc[1e300, "score"])
    assert not runs.loc[0.1, "diverged"] and runs.loc[0.1, "score"] >= 0
    assert any(
        "adversary of penalty 1e+300, seed 0 is left out: the loss is no longer" in n for n in result.notes
    )
    frozen = result.table("frozen_runs")
    assert frozen.loc[frozen["maps"] == ADVERSARY, "diverged"].all()
    assert frozen.loc[frozen["maps"] != ADVERSARY, "score"].notna().all()


def test_a_copy_of_an_encoder_looks_elsewhere_where_it_is_paid_for(
    tmp_path: Path, files: dict[str, Path]
) -> None:
    bert = save_model(tmp_path / "bert")
    course = {"weights": "attention", "scope": "last", "rate": 0.1, "batch_size": 4, "divergence": "jsd"}
    result = headscope.adversary(bert, **files, quick=True, penalties=(0, 10), distance="tvd", **course)
    runs = result.table("runs").set_index("penalty")
    assert runs.loc[10.0, "jsd"] > runs.loc[0.0, "jsd"] + 0.1
    assert runs.loc[10.0, "jsd_matched"] <= runs.loc[10.0, "jsd"]
    assert set(result.tables) == {"verdict", "curve", "runs"}
    assert any(note.startswith("--quick: 2 penalties, one model of each") for note in result.notes)
    assert any("from a copy" in note for note in result.notes)


def test_a_copy_is_given_no_maps(tmp_path: Path, files: dict[str, Path]) -> None:
    bert = save_model(tmp_path / "bert")
    result = headscope.adversary(bert, **files, **SMALL, penalties=(0,), controls=False)
    assert "frozen" not in result.tables
    assert any("given back its own" in note for note in result.notes)


def test_nets_that_are_given_maps_start_otherwise_than_their_sources() -> None:
    asked = options(around=(0.1,), around_seeds=8)
    runs = list(frozen(asked, (SAME, PLAIN)))
    sources = {run.source.seed for run in runs if run.source is not None}
    assert sources == {0, 1, 2} and {run.seed for run in runs} == {8, 9, 10}
    assert max(run.seed for run in adversaries(asked)) == 7
    told = next(run.told for run in runs if run.net == PLAIN and run.attention == ADVERSARY)
    assert told == f"frozen net of {PLAIN} (maps: adversary of penalty 0, seed 0), seed 8"


def test_data_without_labels_is_refused_in_one_sentence(tmp_path: Path, files: dict[str, Path]) -> None:
    net, bare = save_pooled(tmp_path / "net"), tmp_path / "bare.tsv"
    bare.write_text("sentence\nthe old ship\n")
    with pytest.raises(InputError, match="label"):
        headscope.adversary(net, bare, train=files["train"])
    done = command("adversary", net, files["data"], "--train", bare)
    assert done.code == 2 and done.err.count("\n") == 1 and "label" in done.err


def test_a_model_that_cannot_be_edited_is_refused(tmp_path: Path, files: dict[str, Path]) -> None:
    import transformers as tf

    from tests import tokenizers

    tokenizer = tokenizers.wordpiece()
    torch.manual_seed(0)
    config = tf.MPNetConfig(
        vocab_size=len(tokenizer), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, num_labels=2, id2label={0: "0", 1: "1"}, label2id={"0": 0, "1": 1},
    )  # fmt: skip
    model = headscope.load(tf.MPNetForSequenceClassification(config).eval(), tokenizer=tokenizer)
    with pytest.raises(ModelError, match="outside the shared function"):
        headscope.adversary(model, **files)


def test_what_does_not_fit_is_refused(tmp_path: Path, files: dict[str, Path]) -> None:
    bert = save_model(tmp_path / "bert")
    with pytest.raises(OptionError, match="--penalties must be at least 0, not"):
        options(penalties=(0, -1))
    with pytest.raises(OptionError, match=r"--given 0\.5 is none of the penalties"):
        options(given=(0.5,))
    with pytest.raises(OptionError, match="no layer 7"):
        headscope.adversary(bert, **files, scope="7")
    with pytest.raises(OptionError, match="--weights attention is for copies"):
        headscope.adversary(save_pooled(tmp_path / "net"), **files, weights="attention")
    with pytest.raises(OptionError, match="is no net of ours"):
        headscope.adversary(bert, **files, vectors="glove")


def test_quick_passes_over_penalties_that_it_does_not_train() -> None:
    """A long run announces what --quick would take, with all else as it was asked."""
    asked = options(penalties=(0, 0.001, 0.003, 0.01, 0.1), around=(0.02,), given=(0.003, 0.02))
    assert list(replace(asked, quick=True).grid) == [0.0, 0.003, 0.1]


def test_a_command_writes_penalties_with_commas() -> None:
    assert (
        options(penalties=["0,0.1", "1"]).penalties
        == options(penalties="0,0.1,1").penalties
        == (0.0, 0.1, 1.0)
    )
    with pytest.raises(OptionError, match="--penalties takes a number, not 'much'"):
        options(penalties="0,much")


def test_the_reference_is_always_among_the_penalties() -> None:
    assert options(penalties=(0.1,)).grid == {0.0: 3, 0.1: 3}
    assert options(penalties=(0.1,), around=(0.05,), around_seeds=8).grid == {0.0: 3, 0.05: 8, 0.1: 3}
    quick = options(quick=True)
    assert quick.grid == {0.0: 1, 0.003: 1, 0.1: 1} and (quick.passes, quick.texts) == (2, 1000)


def test_nets_start_anew_and_other_models_from_a_copy(tmp_path: Path) -> None:
    tagger, bert = (
        headscope.load(save_tagger(tmp_path / "tagger")),
        headscope.load(save_model(tmp_path / "bert")),
    )
    starts = [Beginning(tagger, options(), None).make(seed).module for seed in (0, 0, 1)]
    words = [start.tagger.embedding.weight for start in starts]
    assert fingerprint(starts[0]) == fingerprint(starts[1]) != fingerprint(starts[2])
    assert torch.equal(words[0], tagger.module.tagger.embedding.weight)
    learned = tagger.module.tagger.embedding.characters.weight
    assert not torch.equal(starts[0].tagger.embedding.characters.weight, learned)
    copied = Beginning(bert, options(), None).make(0)
    assert fingerprint(copied.module) == fingerprint(bert.module) and copied.module is not bert.module


def test_only_attention_may_change(tmp_path: Path) -> None:
    bert = headscope.load(save_model(tmp_path / "bert"))
    with Beginning(bert, options(weights="attention"), None).learning(bert):
        free = [name for name, weight in bert.module.named_parameters() if weight.requires_grad]
    assert free and all(".attention.self." in name for name in free)
    assert all(weight.requires_grad for weight in bert.module.parameters())


def test_nets_that_maps_are_given_to(tmp_path: Path) -> None:
    tagger, pooled = (
        headscope.load(save_tagger(tmp_path / "tagger")),
        headscope.load(save_pooled(tmp_path / "net")),
    )
    assert recipients_of(tagger) == (SAME, MIXED, PLAIN) and recipients_of(pooled) == (SAME, WORDS)
    beginning = Beginning(tagger, options(), None)
    own, without = (recipient(beginning, kind, 0).module for kind in (PLAIN, MIXED))
    assert own.config.own and not without.config.own
    assert torch.equal(own.plain.embedding.row, tagger.module.tagger.embedding.row)
    words = recipient(Beginning(pooled, options(), None), WORDS, 0)
    assert words.module.config.encoder == "average" and words.module.config.hidden_size == 128
    assert words.sites.sites == pooled.sites.sites
