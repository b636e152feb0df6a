"""structure as a whole: masks, checkpoints, what is refused, and tables that fit together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import transformers as tf

import headscope
from headscope.measures.onsets import onsets
from headscope.questions.checkpoints import check_checkpoints, find_checkpoints
from headscope.questions.structure.options import Options
from headscope.questions.structure.reception import correlation
from headscope.results.vocabulary import FALSE_TREES
from tests.cli.conftest import command
from tests.cli.folders import SIZES
from tests.cli.test_mistakes import refused
from tests.trees import conllu, corpus, document, treebank

TREES = corpus(*treebank(12))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "small.conllu"
    path.write_text(conllu(treebank(4)))
    return path


def test_a_causal_model_sees_some_parents(llama) -> None:
    result = headscope.structure(llama, TREES, twins=0)
    heads = result.table("structure")
    own = heads[heads["target"] == "parent"]
    before = result.table("structure_trees").set_index("tree")["parent_before"]
    np.testing.assert_allclose(own["coverage"], before["true"])
    np.testing.assert_allclose(own["kl_all"], own["kl"] * own["coverage"])
    np.testing.assert_allclose(own["even_all"], own["even"] * own["coverage"])
    assert any("cannot be seen" in note for note in result.notes)


def test_an_encoder_decoder_is_asked_by_its_encoder(t5) -> None:
    heads = headscope.structure(t5, TREES, twins=0).table("structure")
    assert set(heads["stack"]) == {"encoder"} and np.allclose(heads["coverage"], 1)


def test_layers_are_means_over_their_heads(bert) -> None:
    result = headscope.structure(bert, TREES, twins=0)
    heads, layers = result.table("structure"), result.table("structure_layers")
    means = heads.groupby(["layer", "target"])["kl"].mean()
    true = layers[layers["tree"] == "true"].set_index(["layer", "target"])["kl"]
    pd.testing.assert_series_equal(true.sort_index(), means.sort_index())
    stack = result.table("structure_curves").set_index(["target", "tree"])["kl"]
    assert stack["parent", "true"] == pytest.approx(means.xs("parent", level="target").mean())


@pytest.mark.parametrize(("lengths", "missing"), [(range(4, 16), "swapped"), ([3] * 12, "matched")])
def test_without_false_trees_of_a_kind_nothing_is_tested(bert, lengths: list[int], missing: str) -> None:
    """No other sentence is as long, or all are too short for matched trees: the others alone find no head."""
    chains = [" ".join(f"ship>{place}:dep" for place in range(length)) for length in lengths]
    documents = [document(f"d{number}", chain) for number, chain in enumerate(chains)]
    result = headscope.structure(bert, corpus(*documents), twins=0)
    tests, summary = result.table("structure_tests"), result.table("structure_summary")
    assert tests["low"].isna().groupby(tests["tree"]).all().to_dict() == {
        tree: tree == missing for tree in FALSE_TREES
    }
    assert summary["tested"].eq(0).all() and summary["found"].eq(0).all()
    assert all("could be tested" in one.text for one in result.findings if one.table == "structure_summary")


def test_the_first_checkpoint_from_which_heads_are_closer_for_good() -> None:
    closer = np.array([[True, False, True, False], [False, True, True, True], [True, True, True, False]])
    assert onsets(closer).tolist() == [2, 1, 0, -1]


def test_correlation_by_hand() -> None:
    """Words of rarity 0, 1, 2 receive 3, 1, 2: covariance -1, variances 2 and 2, so -1/2."""
    received = np.array([[6.0, 14.0, 5.0]])
    moments = np.array([3.0, 3.0, 0.0, 5.0, 0.0])
    assert correlation(received, moments, 0).tolist() == [-0.5]


def test_checkpoints_of_a_folder_come_by_their_numbers(tmp_path: Path) -> None:
    for name in ("epoch-10", "epoch-2", "epoch-0", "notes"):
        (tmp_path / name).mkdir()
        if name != "notes":
            (tmp_path / name / "config.json").write_text("{}")
    found = find_checkpoints(Options(treebank="x", checkpoints=(tmp_path,)))
    assert [one.name for one in found] == ["epoch-0", "epoch-2", "epoch-10"]
    twice = find_checkpoints(Options(treebank="x", checkpoints=(tmp_path, tmp_path)))
    assert {one.series for one in twice} == {tmp_path.name}


def test_series_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folders = [tmp_path / run / "checkpoints" / "seed-0" for run in ("plain", "apart")]
    for folder in folders:
        (folder / "epoch-0").mkdir(parents=True)
        (folder / "epoch-0" / "config.json").write_text("{}")
    found = find_checkpoints(Options(treebank="x", checkpoints=tuple(folders)))
    assert [one.series for one in found] == ["plain/checkpoints/seed-0", "apart/checkpoints/seed-0"]


def test_revisions_are_those_of_the_model() -> None:
    found = find_checkpoints(Options(model="some/name", treebank="x", revisions="step1, step2"))
    assert [(one.place, one.loading["revision"]) for one in found] == [
        ("some/name", "step1"),
        ("some/name", "step2"),
    ]


MISTAKES = {
    "equal weights": (("bert", "bert-later", "bert"), "bert and bert have the same weights"),
    "no folder": (("nowhere",), "there is no folder"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_no_series_is_refused(mistake: str, models: Path, files: Path) -> None:
    names, message = MISTAKES[mistake]
    given = [word for name in names for word in ("--checkpoints", models / name)]
    refused(command("structure", models / "bert", files, *given), message)


def test_another_architecture_is_told_with_file_and_line(models: Path, files: Path) -> None:
    other = models / "llama" / "config.json"
    done = command("structure", models / "bert", files, "--checkpoints", other.parent)
    refused(done, "a series has one architecture")
    lines = other.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, start=1) if "model_type" in text]
    assert f"{other}:{line}: a checkpoint with " in done.err


def saved_like(bert: Path, folder: Path, made: Any, **changed: int) -> Path:
    """A model with the tokenizer and the heads of another."""
    own = tf.AutoConfig.from_pretrained(bert).to_dict()
    sizes = {name: own[name] for name in (*SIZES, "vocab_size", "max_position_embeddings", "pad_token_id")}
    made(made.config_class(**sizes | changed)).save_pretrained(folder)
    tf.AutoTokenizer.from_pretrained(bert).save_pretrained(folder)
    return folder


OTHERS: dict[str, tuple[Any, dict[str, int], str]] = {
    "of another type": (
        tf.ElectraForMaskedLM,
        {},
        "8 heads of ElectraModel, but bert has 8 heads of BertModel",
    ),
    "of other sizes": (
        tf.BertForMaskedLM,
        {"intermediate_size": 24},
        "whose weight encoder.layer.0.intermediate.dense.weight has (24, 16), in bert (20, 16)",
    ),
}


@pytest.mark.parametrize("other", OTHERS)
def test_the_same_heads_in_another_architecture_are_refused(
    other: str, models: Path, files: Path, tmp_path: Path
) -> None:
    made, changed, told = OTHERS[other]
    folder = saved_like(models / "bert", tmp_path / "other", made, **changed)
    done = command("structure", models / "bert", files, "--checkpoints", folder)
    refused(done, told)
    assert f"{folder / 'config.json'}:" in done.err


def test_a_task_head_may_come_later(models: Path, files: Path, tmp_path: Path) -> None:
    folder = saved_like(models / "bert", tmp_path / "other", tf.BertForSequenceClassification)
    checkpoints = find_checkpoints(Options(treebank="x", checkpoints=(folder,)))
    assert len(check_checkpoints(headscope.load(models / "bert"), checkpoints)) == 1


@pytest.mark.parametrize("model", ["default", "folder"])
def test_revisions_of_what_is_no_hub_model_are_refused(model: str, models: Path, files: Path) -> None:
    given = models / "bert" if model == "folder" else model
    refused(command("structure", given, files, "--revisions", "a,b"), "--revisions are those of a hub model")


def test_checkpoints_and_revisions_are_not_given_together(models: Path, files: Path) -> None:
    done = command("structure", models / "bert", files, "--checkpoints", models, "--revisions", "a")
    refused(done, "give one of them")


def test_a_text_without_trees_is_refused(models: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("No tree is here.\n")
    refused(command("structure", models / "bert", tmp_path / "plain.txt"), "has no trees")


def test_a_treebank_without_heads_is_refused_with_file_and_line(models: Path, tmp_path: Path) -> None:
    text = conllu(treebank(2)).splitlines()
    columns = text[1].split("\t")
    broken = [text[0], "\t".join([*columns[:6], "_", *columns[7:]]), *text[2:]]
    (tmp_path / "a.conllu").write_text("\n".join(broken) + "\n\n")
    refused(command("structure", models / "bert", tmp_path / "a.conllu"), "a.conllu:2: a head is expected")


ATTEND = """# newdoc id = {0}
1\tSnow\t_\tX\t_\t_\t2\tnsubj\t_\tAttend=2:0.25,3:0.75
2\tfell\t_\tX\t_\t_\t0\troot\t_\t_
3\there\t_\tX\t_\t_\t2\tadvmod\t_\tSpaceAfter=No|Attend={1}

"""


def test_own_distributions_are_a_target(bert, tmp_path: Path) -> None:
    """A one-word distribution that is the parent has the parent's divergence."""
    path = tmp_path / "own.conllu"
    path.write_text("".join(ATTEND.format(f"d{number}", "2:1") for number in range(8)))
    result = headscope.structure(bert, path, twins=0)
    heads = result.table("structure").set_index(["target", "head"])
    assert {"parent", "own"} <= set(heads.index.get_level_values("target"))
    assert heads.loc["own", "coverage"].eq(1).all() and heads.loc["own", "uniform"].isna().all()
    even = (np.log(3) * 2 + 0.25 * np.log(0.25) + 0.75 * np.log(0.75)) / 2
    np.testing.assert_allclose(heads.loc["own", "even"], even, rtol=1e-6)
    # All sentences say the same, so those of another sentence are as close.
    np.testing.assert_allclose(heads.loc["own", "kl"], heads.loc["own", "swapped"], rtol=1e-6)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("2:0.5,1:0.4", "a.conllu:4: the distribution of word 3 sums to 0.9, but must sum to 1"),
        ("9:1", "a.conllu:4: the distribution names word 9, but its sentence has 3 words"),
        ("2=1", "a.conllu:4: words and shares are expected, such as Attend=2:0.5,4:0.5, not '2=1'"),
        ("2:-1,1:2", "a.conllu:4: a share from 0 to 1 is expected"),
    ],
)
def test_own_distributions_that_are_none(written: str, message: str, models: Path, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(ATTEND.format("d", written))
    refused(command("structure", models / "bert", tmp_path / "a.conllu"), message)
