"""Every format that can be read."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path

import pandas as pd
import pytest

from headscope.text import read


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")
    return path


def found(corpus) -> list[tuple[str, str]]:
    return [(document.id, document.text) for document in corpus]


def test_plain_text_is_parted_by_blank_lines(tmp_path) -> None:
    path = written(tmp_path, "a.txt", "\n\nFirst line\nsecond line\n \t\n\nNext one")
    corpus = read(str(path))
    assert found(corpus) == [("a.txt:3", "First line\nsecond line"), ("a.txt:7", "Next one")]
    assert (corpus.name, corpus.source) == ("a.txt", str(path))


def test_byte_order_mark_and_windows_lines_are_tolerated(tmp_path) -> None:
    path = written(tmp_path, "a.story", "\ufeffOne\r\ntwo\r\n\r\nthree\r\n")
    assert found(read(path)) == [("a.story:1", "One\ntwo"), ("a.story:4", "three")]


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".XZ", lzma.compress), (".bz2", bz2.compress)]
)
def test_compressed_files_are_read_as_what_they_hold(tmp_path, suffix, pack) -> None:
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(pack("text\nGrüße\n".encode()))
    assert found(read(path)) == [(f"a.csv{suffix}:2", "Grüße")]


def test_csv_with_quotes_and_lines_inside(tmp_path) -> None:
    path = written(
        tmp_path, "a.csv", 'id,Sentence,de\r\n7,"one, ""two""\r\nthree",eins\r\n\r\n8, ,\r\n9,four,vier\r\n'
    )
    corpus = read(path, target="de")
    assert [(d.id, d.text, d.target) for d in corpus] == [
        ("a.csv:2", 'one, "two"\nthree', "eins"),
        ("a.csv:6", "four", "vier"),
    ]
    assert [document.text for document in read(path, column="id")] == ["7", "8", "9"]


def test_tsv_survives_stray_quotes(tmp_path) -> None:
    path = written(tmp_path, "a.tsv", 'label\ttext\n1\t"open quote\n0\t"a ""whole"" one"\n')
    assert found(read(path)) == [("a.tsv:2", '"open quote'), ("a.tsv:3", 'a "whole" one')]


def test_documents_of_any_length_fit_into_a_table(tmp_path) -> None:
    path = written(tmp_path, "a.csv", "text\n" + "word " * 40_000 + "\n")
    (document,) = read(path)
    assert len(document.words) == 40_000


def test_json_lines(tmp_path) -> None:
    rows = [
        {"text": "One.", "target": "Eins."},
        {"words": ["don't", "split me"], "id": 12},
        {"text": "Two.", "target": 1},
    ]
    path = written(tmp_path, "a.jsonl", "\n\n".join(json.dumps(row) for row in rows))
    first, second, third = read(path)
    assert (first.id, first.text, first.target) == ("a.jsonl:1", "One.", "Eins.")
    assert (second.id, [second.surface(0), second.surface(1)]) == ("12", ["don't", "split me"])
    assert third.target is None
    path.write_text('{"text": "One.", "target": " "}\n')
    assert next(iter(read(path))).target is None


def test_json_lines_by_named_keys(tmp_path) -> None:
    path = written(tmp_path, "a.ndjson", '{"premise": "A.", "hypothesis": "B.", "text": "no"}\n')
    (document,) = read(path, column="premise", target="hypothesis")
    assert (document.text, document.target) == ("A.", "B.")


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path) -> None:
    written(tmp_path, "b.txt", "last\n")
    written(tmp_path, "a/z.csv", "text\nfirst\n")
    written(tmp_path, "a/empty.txt", "")
    written(tmp_path, ".hidden", "\0")
    corpus = read(tmp_path)
    assert found(corpus) == [("a/z.csv:2", "first"), ("b.txt:1", "last")]
    before = corpus.checksum
    written(tmp_path, "b.txt", "other\n")
    assert read(tmp_path).checksum != before


@pytest.mark.parametrize(
    "texts", [["One.", " ", "Two."], ("One.", "", "Two."), pd.Series(["One.", "", "Two."])]
)
def test_texts_in_memory(texts) -> None:
    corpus = read(texts)
    assert found(corpus) == [("#0", "One."), ("#2", "Two.")]
    assert (corpus.name, corpus.source) == ("memory", "memory")


def test_a_series_lends_its_name() -> None:
    assert read(pd.Series(["a"], name="reviews", index=[7])).name == "reviews"
