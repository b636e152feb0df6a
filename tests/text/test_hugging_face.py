"""Hugging Face data sets, without a network."""

from __future__ import annotations

import sys

import pytest

from headscope.errors import InputError, OptionError
from headscope.text import read

datasets = pytest.importorskip("datasets")
ROWS = {"label": [0, 1], "sentence": ["One.", "Two."], "tokens": [["a", "b c"], ["d"]]}


@pytest.fixture
def table():
    return datasets.Dataset.from_dict(ROWS)


def test_a_data_set_object(table) -> None:
    corpus = read(table)
    assert [(d.id, d.text) for d in corpus] == [("#0", "One."), ("#1", "Two.")]
    assert [len(d.words) for d in read(table, column="tokens")] == [2, 1]
    assert corpus.checksum == read(table).checksum


def test_a_streaming_data_set(table) -> None:
    assert [d.text for d in read(table.to_iterable_dataset())] == ["One.", "Two."]


def test_a_saved_data_set(table, tmp_path) -> None:
    folder = tmp_path / "saved"
    table.save_to_disk(folder)
    corpus = read(folder)
    assert [d.id for d in corpus] == ["saved:0", "saved:1"]
    assert corpus.source == str(folder)
    assert corpus.checksum == read(str(folder)).checksum


def test_splits_must_be_chosen(table, tmp_path) -> None:
    folder = tmp_path / "saved"
    datasets.DatasetDict(train=table, test=table.select([1])).save_to_disk(folder)
    assert [d.text for d in read(folder, split="test")] == ["Two."]
    with pytest.raises(InputError, match="several splits; choose one of: train, test"):
        read(folder)
    with pytest.raises(InputError, match="unknown split 'tset'; did you mean 'test'"):
        read(folder, split="tset")
    assert [d.text for d in read(datasets.DatasetDict(only=table))] == ["One.", "Two."]
    with pytest.raises(InputError, match="the data set has no splits"):
        read(table, split="train")


def test_columns_that_are_missing_or_no_text(table) -> None:
    with pytest.raises(InputError, match=r"unknown column 'txt'. Available: label, sentence, tokens"):
        read(table, column="txt")
    with pytest.raises(InputError, match=r"row 0: 'label' holds .* but here it is int: 0"):
        read(table, column="label")


def test_the_hub_is_asked_by_name_and_config(table, monkeypatch) -> None:
    asked = []

    def load(name, config, split):
        asked.append((name, config, split))
        return table

    monkeypatch.setattr(datasets, "load_dataset", load)
    corpus = read("hf:owner/set:small", split="train")
    assert asked == [("owner/set", "small", "train")]
    assert (corpus.source, next(iter(corpus)).id) == ("hf:owner/set:small", "owner/set:0")
    with pytest.raises(OptionError, match="write hf:NAME"):
        read("hf:")


def test_data_sets_with_code_are_refused(tmp_path, monkeypatch) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "set.py").write_text("raise SystemExit('this must never run')")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"hf:set/set.py: the data set cannot be loaded: .*scripts"):
        read("hf:set/set.py")


def test_without_the_package_the_error_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match=r"pip install 'headscope\[datasets\]'"):
        read("hf:owner/set")
