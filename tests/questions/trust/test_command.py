"""What trust refuses in one sentence, and what it leaves beside a classifier."""

from __future__ import annotations

from math import log
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
import torch
import transformers as tf
from scipy.optimize import linear_sum_assignment

import headscope
from headscope.errors import ModelError, OptionError
from headscope.measures.information import jensen_shannon
from headscope.questions.pictures import available
from headscope.questions.trust.others import marked_words, texts_beside
from headscope.results.vocabulary import NOT_TESTED
from headscope.text import read_labelled
from tests.cli.conftest import command
from tests.cli.folders import save
from tests.cli.labelled import save_model, write_tags
from tests.questions.noise import untrained
from tests.questions.trust.asked import BY, write_edited
from tests.stops import Stop, results


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier, another of the same kind, one of another architecture, and texts."""
    folder = tmp_path_factory.mktemp("trust")
    save_model(folder / "classifier")
    save_model(folder / "other", seed=1)
    save_model(folder / "tagger", tags=True)
    write_edited(folder / "test.tsv", 12)
    (folder / "bare.tsv").write_text("sentence\nA ship.\nThe old book.\n")
    return folder


def refused(place: Path, *words: object) -> str:
    outcome = command("trust", *words, "--no-plots", cwd=place)
    assert outcome.code == 2 and outcome.err.count("\n") <= 2, outcome.err
    return " ".join(outcome.err.split())


def test_a_model_without_a_head(place: Path) -> None:
    assert "no classifier, tagger or language model on top" in refused(
        place, untrained(place, tf.BertModel), "test.tsv"
    )


def test_data_without_labels(place: Path) -> None:
    assert "label" in refused(place, "classifier", "bare.tsv")


def test_another_architecture(place: Path) -> None:
    said = refused(place, "classifier", "test.tsv", "--against", "tagger")
    assert "--against tagger: it is a BertForTokenClassification, and classifier a Bert" in said
    small = untrained(place, tf.BertForSequenceClassification)
    said = refused(place, "classifier", "test.tsv", "--against", small)
    assert "give a model that differs in its seed alone" in said


def test_a_model_is_not_held_against_itself(place: Path) -> None:
    """Neither as it is, nor as a copy, nor where one of the others is a copy of another."""
    for source, copy in (("classifier", "copy"), ("other", "another")):
        copytree(place / source, place / copy, dirs_exist_ok=True)
    said = "its weights are the same as those of"
    for own in ("classifier", "copy"):
        words = refused(place, "classifier", "test.tsv", "--against", own)
        assert f"--against {own}: {said} classifier; give a model that differs in its seed alone" in words
    words = refused(place, "classifier", "test.tsv", "--against", "other", "--against", "another")
    assert f"--against another: {said} other;" in words
    model = headscope.load(place / "classifier")
    with pytest.raises(ModelError, match=said):
        headscope.trust(model, place / "test.tsv", against=(model,), quick=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--of", "nothing"), "unknown explainer 'nothing'"),
        (("--of", "random"), "chance is what the explanation on trial is held against"),
        (("--scope", "first"), "--scope takes last, all or the number of a layer"),
        (("--scope", "7"), "has no layer 7"),
        (("--edited", "nowhere"), "nowhere"),
        (("--against", "other", "--against", "other"), "other: its weights are the same as those of other;"),
        (("--of", "leave-one-out", "--marked", "marked"), "asked of an explanation"),
        (("--of", "leave-one-out", "--reworded", "reworded"), "asked of an explanation"),
        (("--reworded", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_asked(place: Path, words: tuple[str, ...], said: str) -> None:
    assert said in refused(place, "classifier", "test.tsv", *words)


@pytest.mark.parametrize("name", ["edited", "reworded", "marked"])
def test_a_tagger_has_no_edited_texts(place: Path, name: str) -> None:
    write_tags(place / "tags.iob", 4)
    said = refused(place, "tagger", "tags.iob", f"--{name}", name)
    assert f"--{name} names a column beside the text of a classifier, and this task is tagging" in said


@pytest.mark.parametrize("text", ["", "sentence\tlabel\n", "sentence\tlabel\n\t1\n"])
def test_empty_data(place: Path, text: str) -> None:
    (place / "empty.tsv").write_text(text)
    assert "empty.tsv: empty: no document with a word in it" in refused(place, "classifier", "empty.tsv")


@pytest.mark.parametrize("name", ["edited", "reworded", "marked"])
def test_an_empty_column(place: Path, name: str) -> None:
    """All of it, or where the texts are that count."""
    header, *lines = (place / "test.tsv").read_text().splitlines()
    bare = ["\t".join([*line.split("\t")[:2], "", "", ""]) for line in lines[:8]]
    (place / "nothing.tsv").write_text("\n".join([header, *bare]) + "\n")
    said = refused(place, "classifier", "nothing.tsv", f"--{name}", name)
    assert f"column '{name}': nothing.tsv: empty: no document with a word in it" in said
    (place / "late.tsv").write_text("\n".join([header, *bare, lines[8]]) + "\n")
    said = refused(place, "classifier", "late.tsv", f"--{name}", name, "--limit", 8)
    assert f"no text has anything in the column '{name}'" in said


def test_broken_lines_are_left_out_of_every_column(place: Path) -> None:
    header, *lines = (place / "test.tsv").read_text().splitlines()
    (place / "broken.tsv").write_text("\n".join([header, *lines[:4], "only one field", *lines[4:]]) + "\n")
    columns = "--edited", "edited", "--marked", "marked"
    assert "1 fields, but the header has 5" in refused(place, "classifier", "broken.tsv", *columns)
    options: dict[str, Any] = {"edited": "edited", "marked": "marked", "quick": True}
    broken = headscope.trust(place / "classifier", place / "broken.tsv", skip_broken=True, **options)
    whole = headscope.trust(place / "classifier", place / "test.tsv", **options)
    for name in ("edits", "people"):
        told = [result.table(name).iloc[0, 0] for result in (broken, whole)]
        assert told[0] == told[1] > 0, name


def test_columns_are_read_from_the_split_of_the_texts(tmp_path: Path) -> None:
    """Row by row: the same names stand for other texts in another split."""
    datasets = pytest.importorskip("datasets")
    rows = {"text": ["a fine film", "a good one"], "label": ["1", "1"], "other": ["a dull film", "a bad one"]}
    table = datasets.Dataset.from_dict(rows)
    datasets.DatasetDict(train=table, test=table.select([1])).save_to_disk(tmp_path / "saved")
    place, split = tmp_path / "saved", "test"
    corpus = read_labelled(place, tagged=False, split=split)
    edited = texts_beside(place, "other", corpus, split)
    assert [(each.text, each.label) for each in edited] == [("a bad one", "1")]
    assert list(marked_words(place, "other", corpus, split).values()) == [["a", "bad", "one"]]


def test_a_language_model_is_not_trained_on(place: Path) -> None:
    with pytest.raises(OptionError, match="--train: classifiers and taggers are trained here"):
        headscope.trust(untrained(place), ["A ship passed the old keeper."], train=["A ship."])


def test_a_quick_answer_leaves_out_what_is_dear(place: Path) -> None:
    result = headscope.trust(place / "classifier", place / "test.tsv", quick=True)
    claims = result.table("claims").set_index("claim")
    assert (claims.loc[["identifies", "ranks", "decides", "is needed"], "answers"] > 0).all()
    assert claims.loc["is unique", ["verdict", "why"]].tolist() == [NOT_TESTED, "left out by --quick"]
    assert result.table("card")["not_tested"][0] == "is unique, is stable, agrees with people"
    assert "trust_heads" not in result.tables and "uniqueness" not in result.tables
    assert available(result) == ["trust_card", "faithfulness"]


def test_what_is_asked_of_attention_is_not_asked_of_others(place: Path) -> None:
    result = headscope.trust(place / "classifier", place / "test.tsv", of="gradient-input", quick=True)
    claims = result.table("claims").set_index("claim")
    told = "it is asked of the weights with which an answer is given, and gradient-input is not these"
    assert claims.loc["is needed", ["verdict", "why"]].tolist() == [NOT_TESTED, told]
    assert claims.loc["identifies", "answers"] > 0 and "swaps" not in result.tables


def test_a_translation_is_held_against_other_seeds(place: Path) -> None:
    """Its answers rest on the words of a source and on a target: more of them than pieces fit in either."""
    text = "ship book name night old the said never ship book"
    (place / "pairs.tsv").write_text("text\ttarget\n" + f"{text}\t{text}\n" * 6)
    model, other = (headscope.load(save(place, "t5")) for _ in range(2))
    with torch.no_grad():
        for parameter in other.module.parameters():
            parameter.mul_(0.9)
    options: dict[str, Any] = {"target": "target", "answers": 20, "quick": True, "pieces": 16}
    result = headscope.trust(model, place / "pairs.tsv", against=(other,), **options)
    assert (result.table("seeds")["answers"] > 0).all()


@pytest.mark.parametrize("scope", ["last", "all"])
def test_the_bound_of_uniqueness_does_not_depend_on_other_models(place: Path, scope: str) -> None:
    """How far other seeds lie apart stands beside it, on the texts that adversaries were sought to."""
    options: dict[str, Any] = {"by": ("rollout",), "words": 2, "adversaries": 7, "scope": scope}
    results = [
        headscope.trust(place / "classifier", place / "test.tsv", against=against, **options)
        for against in ((), (place / "other",))
    ]
    alone, beside = (each.table("claims").set_index("claim").loc["is unique"] for each in results)
    told = ["verdict", "value", "value_low", "value_high", "baseline", "answers"]
    assert alone[told].tolist() == beside[told].tolist()
    assert beside["baseline"] == pytest.approx(log(2) / 2) and beside["answers"] == 7
    assert "between_seeds" not in results[0].table("uniqueness")
    far = results[1].table("uniqueness")["between_seeds"][0]
    assert far == pytest.approx(_apart(place, scope))
    assert (alone["beside"], beside["beside"]) == (
        "half of ln 2", f"half of ln 2; between seeds it is {far:.3f}"
    )  # fmt: skip


def _apart(place: Path, scope: str) -> float:
    """Over all pieces, from the class token: median over 7 texts of the mean over matched heads."""
    found = []
    for name in ("classifier", "other"):
        model = tf.AutoModel.from_pretrained(place / name, attn_implementation="eager")
        tokenizer = tf.AutoTokenizer.from_pretrained(place / name)
        texts = [line.split("\t")[0] for line in (place / "test.tsv").read_text().splitlines()[1:8]]
        encoded = tokenizer(texts, padding=True, return_tensors="pt")
        with torch.no_grad():
            maps = model.eval()(**encoded, output_attentions=True).attentions
        found.append(torch.stack(maps)[:, :, :, 0].double())  # (layer, text, head, key)
    layers = []
    for one, other in list(zip(*found, strict=True))[-1 if scope == "last" else 0 :]:
        between = jensen_shannon(one[:, :, None], other[:, None])  # (text, head, head)
        pairs = linear_sum_assignment(between.mean(0))
        layers.append(between[:, *pairs])
    return float(np.median(torch.cat(layers, 1).mean(1)))


def test_all_that_stands_beside_goes_on_where_it_stopped(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other models, edited texts, people and training, stopped late."""
    monkeypatch.chdir(place)
    options: dict[str, Any] = {
        "against": ("other",), "edited": "edited", "marked": "marked", "reworded": "reworded",
        "train": "test.tsv", "epochs": 1,
        "by": BY, "words": 3, "adversaries": 2, "plots": False,
    }  # fmt: skip
    counting = Stop()
    result = headscope.trust("classifier", "test.tsv", out="whole", progress=counting, **options)
    assert {"seeds", "edits", "rewordings", "people", "even_attention"} <= result.tables.keys()
    with pytest.raises(KeyboardInterrupt):
        headscope.trust("classifier", "test.tsv", out="stopped", progress=Stop(counting.calls - 2), **options)
    headscope.trust("classifier", "test.tsv", out="stopped", **options)
    assert results(place / "stopped", 2) == results(place / "whole", 2)


def test_texts_of_one_word_have_nothing_to_rank(place: Path) -> None:
    (place / "short.tsv").write_text("text\tlabel\nGood\t1\nBad\t0\n", "utf-8")
    assert "no text has two words that can be taken away" in refused(
        place, "classifier", "short.tsv", "--quick"
    )


def test_leave_one_out_is_there_anyway(place: Path) -> None:
    result = headscope.trust(place / "classifier", place / "test.tsv", by=("leave-one-out",), quick=True)
    assert result.table("faithfulness")["explanation"].tolist() == [
        "attention", "leave-one-out", "random", "ascending",
    ]  # fmt: skip
