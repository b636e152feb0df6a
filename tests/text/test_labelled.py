"""Labelled rows: tables, JSON lines and data sets."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from headscope.errors import InputError
from headscope.text import Document, read, read_labelled, window

TABLE = "sentence\tLabel\nA fine day.\t1\nToo wet!\t 0\n"
PAIRS = "id,premise,hypothesis,class\n1,It rains.,It is wet.,yes\n2,It rains.,It is dry.,no\n"


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "wt", encoding="utf-8") as stream:
        stream.write(content)
    return path


def labels(source, **options) -> list[tuple[str, str | None]]:
    return [(one.id, one.label) for one in read_labelled(source, tagged=False, **options)]


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz", "a.tsv.xz"])
def test_a_table(tmp_path, name: str) -> None:
    path = write(tmp_path, name, TABLE)
    assert labels(path) == [(f"{name}:2", "1"), (f"{name}:3", "0")]
    assert all(one.label is None for one in read(path)), "labels are read where they are asked for"


def test_a_second_text(tmp_path) -> None:
    path = write(tmp_path, "a.csv", PAIRS)
    usual = list(read_labelled(path, tagged=False, second=True))
    assert [(one.text, one.second, one.label) for one in usual] == [
        ("It rains.", "It is wet.", "yes"),
        ("It rains.", "It is dry.", "no"),
    ]
    named = list(read_labelled(path, tagged=False, column="premise", second="id", label="hypothesis"))
    assert [(one.second, one.label) for one in named] == [("1", "It is wet."), ("2", "It is dry.")]
    with pytest.raises(InputError, match=r"a.csv:1: no column called text or sentence or words; name"):
        read_labelled(path, tagged=False)


def test_json_lines(tmp_path) -> None:
    rows = [{"text": "A", "label": 3}, {"text": "B", "label": 1.0}, {"text": "C", "label": "x "}]
    path = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert labels(path) == [("a.jsonl:1", "3"), ("a.jsonl:2", "1"), ("a.jsonl:3", "x")]


def test_lists_of_words_with_tags(tmp_path) -> None:
    rows = [{"tokens": ["Rain", "fell"], "ner_tags": ["O", "B-X"]}, {"tokens": ["a b"], "ner_tags": [7]}]
    path = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    found = list(read_labelled(path, tagged=True))
    assert [(one.text, one.tags) for one in found] == [("Rain fell", ("O", "B-X")), ("a b", ("7",))]
    assert len(found[1].words) == 1


def test_tables_hold_lists_that_spaces_part(tmp_path) -> None:
    path = write(tmp_path, "a.csv", 'words,tags\n"Rain, fell",O B-X\n')
    (document,) = read_labelled(path, tagged=True)
    assert (document.surface(0), document.tags) == ("Rain,", ("O", "B-X"))


@pytest.mark.parametrize(
    ("name", "content", "options", "problem"),
    [
        ("a.tsv", "text\tgrade\nA\t1\n", {}, r"a.tsv:1: no column called label or labels or class or senti"),
        (
            "a.tsv",
            "text\tgrade\nA\t1\n",
            {"label": "grades"},
            r"a.tsv:1: unknown column 'grades'; did you",
        ),
        ("a.tsv", "text\tlabel\nA\t1\nB\t \n", {}, r"a.tsv:3: 'label' is empty; every row needs a label"),
        (
            "a.csv",
            "text,text2,label\nA,,1\n",
            {"second": True},
            r"a.csv:2: 'text2' is empty; every row needs",
        ),
        ("a.json", '{"text": "A", "label": null}', {}, r"a.json:1: 'label' is empty"),
        (
            "a.json",
            '{"text": "A", "label": 0.5}',
            {},
            r"a.json:1: 'label' holds a label, .* is float: 0.5",
        ),
        ("a.json", '{"text": "A", "label": [1]}', {}, r"a.json:1: 'label' holds .* here it is list"),
        ("a.json", '{"text": "A", "text2": 1, "label": 1}', {"second": "text2"}, r"'text2' holds a text in"),
        ("a.txt", "Just text.", {}, r"a.txt: this source has no columns, so it has no label; give a table"),
        ("a.txt", "Just text.", {"label": "x"}, r"a.txt: column 'x' was asked for, but this source has no"),
        ("a.iob", "Rain O\n", {}, r"a.iob: words with tags, one per line, have no label for the text"),
    ],
)
def test_what_is_refused(tmp_path, name: str, content: str, options: dict, problem: str) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(InputError, match=problem):
        list(read_labelled(path, tagged=False, **options))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"words": ["a", "b"], "tags": ["O"]}, r"a.json:1: 2 in 'words', but 1 in 'tags'; every word needs"),
        ({"words": ["a"], "tags": [""]}, r"a.json:1: 'tags' is empty"),
        ({"words": ["a"], "tags": 3}, r"a.json:1: 'tags' holds a list, one entry for each word, .* int: 3"),
        (
            {"words": ["a"]},
            r"a.json:1: no column called tags or labels or label or ner_tags; name the tag",
        ),
    ],
)
def test_tags_that_are_refused(tmp_path, row: dict, problem: str) -> None:
    path = write(tmp_path, "a.json", json.dumps(row))
    with pytest.raises(InputError, match=problem):
        list(read_labelled(path, tagged=True))


def test_a_table_without_a_header_is_words_with_tags(tmp_path) -> None:
    path = write(tmp_path, "a.tsv", "Rain\tB-NP\nfell\tO\n")
    with pytest.raises(
        InputError, match=r"a.tsv:1: no column .*; a word and its tag per line need another suff"
    ):
        read_labelled(path, tagged=True)


def test_strings_have_no_labels() -> None:
    with pytest.raises(InputError, match=r"memory: this source has no columns, so it has no label"):
        read_labelled(["A text."], tagged=False)


def test_classes_of_data_sets_are_spelled_out() -> None:
    datasets = pytest.importorskip("datasets")
    kind = datasets.ClassLabel(names=["bad", "good"])
    features = {"text": datasets.Value("string"), "label": kind}
    table = datasets.Dataset.from_dict({"text": ["A", "B"], "label": [1, 0]}, datasets.Features(features))
    assert labels(table) == [("#0", "good"), ("#1", "bad")]
    assert labels(table.to_iterable_dataset()) == [("#0", "good"), ("#1", "bad")]
    hidden = datasets.Dataset.from_dict({"text": ["A"], "label": [-1]}, datasets.Features(features))
    with pytest.raises(InputError, match=r"row 0: label -1 is none of the data set's 2 classes"):
        labels(hidden)


def test_tags_of_data_sets_are_spelled_out(tmp_path) -> None:
    datasets = pytest.importorskip("datasets")
    kind = datasets.Sequence(datasets.ClassLabel(names=["O", "B-X"]))
    features = datasets.Features({"tokens": datasets.Sequence(datasets.Value("string")), "ner_tags": kind})
    table = datasets.Dataset.from_dict({"tokens": [["a", "b"]], "ner_tags": [[0, 1]]}, features)
    table.save_to_disk(tmp_path / "saved")
    for source in (table, tmp_path / "saved"):
        (document,) = read_labelled(source, tagged=True)
        assert (document.text, document.tags) == ("a b", ("O", "B-X"))
    plain = datasets.Dataset.from_dict({"tokens": [["a", "b"]], "tags": [[0, 1]]})
    (document,) = read_labelled(plain, tagged=True)
    assert document.tags == ("0", "1")


def test_windows_keep_labels_and_cut_tags() -> None:
    document = Document(
        "a", "one two three", ((0, 3), (4, 7), (8, 13)), None, None, None, "x", "y", ("A", "B", "C")
    )
    part = window(document, 1, 3)
    assert (part.label, part.second, part.tags) == ("x", "y", ("B", "C"))


def test_tags_must_be_as_many_as_words() -> None:
    with pytest.raises(InputError, match="document 'a': 2 words, but tags of 1"):
        Document("a", "one two", ((0, 3), (4, 7)), tags=("A",))


def test_the_checksum_follows_labels() -> None:
    datasets = pytest.importorskip("datasets")
    sums = set()
    for label in ("x", "y"):
        table = datasets.Dataset.from_dict({"text": ["A"], "label": [label]})
        sums.add(read_labelled(table, tagged=False).checksum)
    assert len(sums) == 2


def test_sst2(data: Path) -> None:
    folder = data / "05_text_classification" / "sst2"
    found = list(read_labelled(folder / "test.tsv", tagged=False))
    assert {one.label for one in found} == {"0", "1"}
    lines = (folder / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert len(found) == len(lines) - 1
    assert found[0].text == lines[1].split("\t")[0]
