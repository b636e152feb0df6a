"""Texts with keywords: archives, columns, where keywords stand, tags, and candidates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Dependencies, Document, read, read_keywords, window
from headscope.text.checksums import digest_documents
from headscope.text.keyphrases import candidates, keyword_tags, marked, occurrences, words_of
from headscope.text.packing import pack, unpack
from headscope.text.words import split_words
from tests.questions.keywords.made import write_archive

TWO = {
    "10": ("Salt marsh birds.", ["salt  marsh", "", "salt\tmarsh"]),
    "2": ("An old ship.", ["ship", "sail"]),
}


def with_keys(text: str, *keys: str) -> Document:
    return replace(Document.from_text("a", text), keywords=keys)


def test_an_archive_by_the_numbers_of_its_texts(tmp_path: Path) -> None:
    corpus = read_keywords(write_archive(tmp_path / "set.zip", TWO))
    documents = list(corpus)
    assert [one.id for one in documents] == ["set.zip:2", "set.zip:10"]
    assert [one.keywords for one in documents] == [("ship", "sail"), ("salt marsh",)]
    assert [one.text for one in read(tmp_path / "set.zip")] == [one.text for one in documents]
    assert corpus.notes == ["set.zip: texts from docsutf8, keyphrases from keys"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"Set/keys/7.key": b"art"},
            "/Set/keys/7.key:1: keyphrases without a text: there is no docsutf8/7.txt",
        ),
        (
            {"Set/docsutf8/7.txt": b"Art."},
            "/Set/docsutf8/7.txt:1: a text without keyphrases: there is no keys/7",
        ),
        ({"Set/keys/2.key": b" \r\n\t\n"}, "/Set/keys/2.key:1: no keyphrase in it"),
        ({"Set/keys/2.key": b"ship\ncha\xeene"}, "/Set/keys/2.key:2: byte 0xee at position 3 is not UTF-8"),
        ({"Set/docsutf8/2.txt": b" \n"}, "/Set/docsutf8/2.txt:1: keyphrases of a text without a word"),
    ],
)
def test_what_is_broken_is_named_or_left_out(more: dict[str, bytes], said: str, tmp_path: Path) -> None:
    path = write_archive(tmp_path / "set.zip", TWO, more)
    with pytest.raises(InputError, match=re.escape(f"{path}{said}")):
        list(read_keywords(path))
    left = read_keywords(path, skip_broken=True)
    assert [one.id for one in left][-1] == "set.zip:10" and len(left.notes) == 2


def test_two_sets_in_one_archive_are_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "set.zip", TWO, {"Other/docsutf8/2.txt": b"Another text."})
    with pytest.raises(InputError, match=r"Other/docsutf8/2\.txt have one name"):
        list(read_keywords(path))


def test_other_archives_are_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "set.zip", {})
    with pytest.raises(InputError, match="no file in docsutf8 or keys; an archive of texts"):
        read_keywords(path)
    content = write_archive(path, TWO).read_bytes()
    path.write_bytes(content.replace(b"Salt marsh", b"Salt mArsh"))  # its checksum is another now
    with pytest.raises(InputError, match="not a zip archive, or a broken one"):
        list(read_keywords(path))
    with pytest.raises(
        InputError, match="column 'body' was asked for, but the files of this archive have no"
    ):
        list(read_keywords(write_archive(path, TWO), column="body"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'text,keywords\n"A ship, at sea.",ship; sea ;;SHIP at\n'),
        ("a.jsonl", '{"text": "A ship, at sea.", "keyphrases": ["ship", " sea", "SHIP at"]}\n'),
    ],
)
def test_columns_of_keywords(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    (document,) = read_keywords(tmp_path / name)
    assert document.keywords == ("ship", "sea", "SHIP at")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("text,keywords\nA ship.,ship\nA road., ;\n", ":3: 'keywords' is empty; every row needs a keyword"),
        (
            "text,label\nA ship.,x\n",
            ":1: no column called keywords or keyphrases or keys; name the keyword column",
        ),
    ],
)
def test_tables_without_keywords(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=re.escape(f"{path}{said}")):
        list(read_keywords(path))


def test_plain_text_has_no_keywords(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A ship.\n")
    with pytest.raises(InputError, match="this source has no columns, so it has no keywords"):
        read_keywords(tmp_path / "a.txt")


@pytest.mark.parametrize("phrase", ["Neural networks", " two  words ", "B2B 3D", "Größe", "", "x", "a_b c"])
def test_words_of_plain_phrases_are_those_of_all(phrase: str) -> None:
    """The short way for plain letters gives what the long one does."""
    assert words_of(phrase) == tuple(phrase[start:end].lower() for start, end in split_words(phrase))


def test_keywords_are_whole_words() -> None:
    text = with_keys(
        "An article on art, and Art history-lessons.", "art", "history-lessons", "lesson", "on  ART"
    )
    words = text.surfaces()
    assert [" ".join(words[start:stop]) for start, stop in occurrences(text)] == [
        "on art", "art", "Art", "history-lessons",
    ]  # fmt: skip
    assert marked(text).sum() == 4
    assert not marked(Document.from_text("a", "No keywords at all.")).any()


def test_cuts_between_words_do_not_matter() -> None:
    """As a parser parts them, or as they were written."""
    parted = replace(Document.from_words("a", ["web", "-", "service", "calls"]), keywords=("Web-Service",))
    assert occurrences(parted) == [(0, 3)]


def test_of_keywords_that_overlap_the_longer_is_tagged() -> None:
    text = with_keys("salt marsh birds sing", "marsh", "salt marsh", "marsh birds sing")
    assert keyword_tags(text) == ("O", "B-KEY", "I-KEY", "I-KEY")


def test_candidates_of_words() -> None:
    text = Document.from_text("a", "The old ship of 1920, a Ship.")
    assert candidates(text, "ngrams") == {"old": [(1, 2)], "old ship": [(1, 3)], "ship": [(2, 3), (7, 8)]}


def test_candidates_of_nouns() -> None:
    words = ["Old", "night", "trains", "pass", "a", "pale", "web", "-", "page", "pale"]
    tags = ("ADJ", "NOUN", "NOUN", "VERB", "DET", "ADJ", "NOUN", "PUNCT", "NOUN", "ADJ")
    blank = ("",) * len(words)
    tree = Dependencies(np.full(len(words), -1), blank, np.zeros(len(words), np.int64), blank, tags)
    text = replace(Document.from_words("a", words), dependencies=tree)
    assert candidates(text, "nouns") == {"old night trains": [(0, 3)], "pale web - page": [(5, 9)]}
    # as it is written, so that a keyphrase with a hyphen is found; and without a stop word at its beginning
    close = Document.from_text("c", "Such web-pages.")
    cuts = ((0, 4), (5, 8), (8, 9), (9, 14), (14, 15))
    tree = Dependencies(
        np.full(5, -1), ("",) * 5, np.zeros(5, np.int64), ("",) * 5, ("ADJ", "NOUN", "PUNCT", "NOUN", "PUNCT")
    )
    assert candidates(replace(close, words=cuts, dependencies=tree), "nouns") == {"web-pages": [(1, 4)]}
    with pytest.raises(InputError, match="has no parts of speech"):
        candidates(Document.from_text("b", "A ship."), "nouns")


def test_keywords_are_kept() -> None:
    text = with_keys("salt marsh birds", "salt marsh")
    assert list(unpack(pack([text]))) == [text]
    assert window(text, 1, 3).keywords == ("salt marsh",)


@pytest.mark.parametrize(
    "change", [lambda one: replace(one, keywords=("salt",)), lambda one: replace(one, keywords=None)]
)
def test_other_keywords_are_other_documents(change: Callable[[Document], Document]) -> None:
    text = with_keys("salt marsh birds", "salt marsh")
    assert digest_documents([text]) != digest_documents([change(text)])
