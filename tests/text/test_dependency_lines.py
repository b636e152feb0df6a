"""Trees with one short line per word, read by hand."""

from __future__ import annotations

import bz2

import pytest

from headscope.errors import InputError
from headscope.text import read, sentences
from tests.text.treebanks import DEP, DP, written


def test_two_columns(tmp_path) -> None:
    first, second = read(written(tmp_path, "a.dep", DEP))
    assert (first.id, first.text) == ("a.dep:1", "The dog barks")
    assert first.dependencies.heads.tolist() == [1, 2, -1]
    assert first.dependencies.relations == ("det", "nsubj", "root")
    assert (second.id, second.surface(0), second.dependencies.relations[1]) == (
        "a.dep:5",
        "1\u00a01/2",
        "prep-like",
    )
    assert first.dependencies.tags == first.dependencies.upos == ("", "", "")


def test_three_columns_are_one_document(tmp_path) -> None:
    (tmp_path / "a.dp.bz2").write_bytes(bz2.compress(DP.encode()))
    (document,) = read(tmp_path / "a.dp.bz2")
    assert (document.id, document.text) == ("a.dp.bz2", "Rain falls .\nYes")
    assert document.dependencies.heads.tolist() == [1, -1, 1, -1]
    assert document.dependencies.relations == ("dep",) * 4
    assert document.dependencies.tags == ("NN", "VBZ", ".", "UH")
    assert [number for number, _ in sentences(document)] == [0, 1]


def test_the_last_sentence_needs_no_blank_line(tmp_path) -> None:
    assert len(list(read(written(tmp_path, "a.dep", "a 0-root\n\nb 0-root")))) == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.dep", "", "a.dep: empty: no document"),
        ("a.dp", "\n\n", "a.dp: empty: no document"),
        (
            "a.dep",
            "a 0-root\nb",
            "a.dep:2: 1 columns; word and head-relation are expected, or word, tag and head",
        ),
        ("a.dep", "a b c 0-root", "a.dep:1: 4 columns"),
        ("a.dep", "a 0", "a.dep:1: a head and a relation such as 3-nsubj are expected, not '0'"),
        ("a.dep", "a 0-", "a.dep:1: a head and a relation"),
        ("a.dep", "a root-0", "a.dep:1: a head is expected, a whole number, not 'root'"),
        ("a.dep", "a 0-root\nb 3-x", "a.dep:2: head 3 of word 2 is outside its sentence of 2 words"),
        (
            "a.dep",
            "a 0-root\n\nb 0-root\nc 0-root",
            "a.dep:4: word 2 is a second root; word 1 is one already",
        ),
        ("a.dep", "a 2-x\nb 1-x", "a.dep:1: no word of this sentence is the root"),
        ("a.dp", "a\tX\t0\n\nb\tX\t0\nc\tX\t4\nd\tX\t5\ne\tX\t3", "a.dp:5: head 5 of word 3 is outside"),
        ("a.dp", "a\tX\t0\n\nb\tX\t0\nc\tX\t3\nd\tX\t2", "a.dp:4: word 2 depends on itself"),
    ],
)
def test_broken_files(tmp_path, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read(written(tmp_path, name, content)))


def test_wrong_encoding(tmp_path) -> None:
    (tmp_path / "a.dep").write_bytes("für 0-root".encode("latin-1"))
    with pytest.raises(InputError, match=r"a.dep:1: byte 0xfc at position 1 is not UTF-8"):
        list(read(tmp_path / "a.dep"))
