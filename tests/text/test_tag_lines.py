"""Words with tags, one per line."""

from __future__ import annotations

import lzma
import zipfile
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.tasks.chunks import Chunks
from headscope.text import read, read_labelled

LINES = """-DOCSTART- -X- O

Rain NN B-NP
fell\tVBD  B-VP

-DOCSTART-
½ CD B-NP
½ CD I-NP
"""


def test_sentences(tmp_path) -> None:
    path = tmp_path / "a.iob"
    path.write_text(LINES, encoding="utf-8")
    found = list(read(path))
    assert [(one.id, one.text, one.tags) for one in found] == [
        ("a.iob:3", "Rain fell", ("B-NP", "B-VP")),
        ("a.iob:7", "½ ½", ("B-NP", "I-NP")),
    ]
    assert [len(one.words) for one in found] == [2, 2]


@pytest.mark.parametrize("name", ["a.iob2", "a.bio", "a.tags", "a.txt", "a", "a.conll"])
def test_any_suffix_where_tags_are_wanted(tmp_path, name: str) -> None:
    path = tmp_path / name
    path.write_text(LINES, encoding="utf-8")
    assert len(list(read_labelled(path, tagged=True))) == 2
    assert len(list(read_labelled(tmp_path, tagged=True))) == 2, "and so in a folder"


def test_compressed(tmp_path) -> None:
    path = tmp_path / "train.txt.xz"
    path.write_bytes(lzma.compress(LINES.encode()))
    assert [one.id for one in read_labelled(path, tagged=True)] == ["train.txt.xz:3", "train.txt.xz:7"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "Rain B-NP\n\nfell VBD B-VP\n",
            r"a.iob:3: 3 columns, but line 1 has 2; all lines must",
        ),
        ("Rain NN B-NP\nfell B-VP\n", r"a.iob:2: 2 columns, but line 1 has 3"),
        ("Rain\nfell\n", r"a.iob:1: a word and its tag are expected, .* not 'Rain' alone"),
        ("Rain B-NP\nfell\n", r"a.iob:2: a word and its tag are expected, .* not 'fell' alone"),
        ("", r"a.iob: empty: no document with a word in it"),
        ("-DOCSTART- O\n", r"a.iob: empty: no document with a word in it"),
    ],
)
def test_broken_lines(tmp_path, content: str, problem: str) -> None:
    path = tmp_path / "a.iob"
    path.write_text(content)
    with pytest.raises(InputError, match=problem):
        list(read(path))


def test_columns_have_no_names(tmp_path) -> None:
    path = tmp_path / "a.iob"
    path.write_text(LINES, encoding="utf-8")
    with pytest.raises(InputError, match="column 'ner' was asked for, but the columns of this format"):
        read_labelled(path, tagged=True, label="ner")


@pytest.mark.parametrize(
    ("name", "expected"), [("train.txt", (8_936, 211_727, 106_978)), ("test.txt", (2_012, 47_377, 23_852))]
)
def test_conll_2000(data: Path, tmp_path: Path, name: str, expected: tuple[int, int, int]) -> None:
    """Sentences, words and chunks as the makers of the shared task count them."""
    with zipfile.ZipFile(data / "03_conll2000_ptb" / "conll2000.zip") as archive:
        archive.extract(f"conll2000/{name}", tmp_path)
    documents = list(read_labelled(tmp_path / "conll2000" / name, tagged=True))
    tags = sorted({tag for one in documents for tag in one.tags})
    numbers = {tag: number for number, tag in enumerate(tags)}
    padded = np.full((len(documents), max(len(one.words) for one in documents)), -1)
    for row, one in enumerate(documents):
        padded[row, : len(one.words)] = [numbers[tag] for tag in one.tags]
    counted = Chunks(tags).count(padded, padded).sum(0)
    assert (len(documents), int((padded >= 0).sum()), counted.tolist()) == (*expected[:2], [expected[2]] * 3)
