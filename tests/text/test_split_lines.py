"""Labelled sentences that name their part of the data, as SentEval keeps them."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from headscope.errors import InputError
from headscope.text import Document
from headscope.text.readers import read_split
from headscope.text.readers.split_lines import some_of_each

LINES = (
    "tr\tPAST\tIt was late .\ntr\tPRES\tIt is\n\nva\t1\tmore\tSo it is .\n"
    "te\tPRES\t\nte\tPAST\tNo .\ntr\tPAST\tOh .\n"
)


def test_parts_labels_and_words(tmp_path: Path) -> None:
    path = tmp_path / "tense.txt.xz"
    path.write_bytes(lzma.compress(LINES.encode()))
    corpus = read_split(path)
    assert [(one.id, one.split, one.label, one.surfaces()) for one in corpus] == [
        ("tense.txt.xz:1", "tr", "PAST", ("It", "was", "late", ".")),
        ("tense.txt.xz:2", "tr", "PRES", ("It", "is")),
        ("tense.txt.xz:4", "va", "1", ("So", "it", "is", ".")),
        ("tense.txt.xz:6", "te", "PAST", ("No", ".")),
        ("tense.txt.xz:7", "tr", "PAST", ("Oh", ".")),
    ]
    assert "1 document is left out, as the text has no word: tense.txt.xz:5" in corpus.notes[0]


def test_a_limit_is_of_each_part(tmp_path: Path) -> None:
    path = tmp_path / "tense.txt"
    path.write_text(LINES)
    assert [one.id[-1] for one in read_split(path, limit=1)] == ["1", "4", "6"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("tr\tIt was .", "2 fields; the fields tr, va or te, label and sentence"),
        ("train\tPAST\tIt was .", "'train' is no part of the data; "),
        ("tr\t \tIt was .", "the label is empty; "),
    ],
)
def test_a_broken_line_is_refused_or_left_out(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "tense.txt"
    path.write_text(f"{LINES}{line}\n")
    with pytest.raises(InputError) as caught:
        list(read_split(path))
    assert str(caught.value).startswith(f"{path}:8: {problem}")
    corpus = read_split(path, skip_broken=True)
    assert len(list(corpus)) == 5 and "broken and left out" in corpus.notes[0]


def test_a_limit_takes_all_labels_of_a_sorted_file() -> None:
    """Of 6 and 3 lines sorted by label, 3 of each part: every second one, and all"""
    lines = [("tr", label) for label in "AAABBB"] + [("te", label) for label in "ABB"]
    documents = [
        replace(Document.from_words(f"d{number}", ["word"]), split=split, label=label)
        for number, (split, label) in enumerate(lines)
    ]
    assert [document.id for document in some_of_each(documents, 3)] == ["d0", "d2", "d4", "d6", "d7", "d8"]
    assert list(some_of_each(documents, 100)) == documents
