"""Documents and corpora."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.errors import InputError, OptionError
from headscope.text import Corpus, Document, read


def test_from_words_joins_with_spaces() -> None:
    document = Document.from_words("d", ["New", "York", "!"], spaces=[True, False, True])
    assert document.text == "New York!"
    assert document.words == ((0, 3), (4, 8), (8, 9))


@given(st.lists(st.tuples(st.text(), st.booleans())))
def test_from_words_keeps_every_word(pairs: list[tuple[str, bool]]) -> None:
    words, spaces = [word for word, _ in pairs], [space for _, space in pairs]
    document = Document.from_words("d", words, spaces)
    assert [document.surface(number) for number in range(len(words))] == words
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(document.words)]
    assert gaps == [int(space) for space in spaces[:-1]]


def test_words_and_spaces_must_match() -> None:
    with pytest.raises(InputError, match="2 words, but 1 values in spaces"):
        Document.from_words("d", ["a", "b"], [True])


@pytest.mark.parametrize("words", [((0, 2), (1, 3)), ((2, 1),), ((0, 4),), ((-1, 1),)])
def test_wrong_spans_are_refused(words: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(InputError, match="document 'd': its words"):
        Document("d", "abc", words)


def test_half_characters_are_refused() -> None:
    with pytest.raises(InputError, match="document 'd': character 1 is half of a surrogate pair"):
        Document.from_text("d", "a\ud83d")


def test_corpus_reads_afresh_and_skips_empty_documents() -> None:
    opened = []

    def stream():
        opened.append(True)
        yield from (Document.from_text(str(number), text) for number, text in enumerate(["a", " \n", "b"]))

    corpus = Corpus("name", "memory", stream)
    assert [document.id for document in corpus] == [document.id for document in corpus] == ["0", "2"]
    assert len(opened) == 2


def test_limited_stops_reading_and_keeps_the_checksum() -> None:
    def stream():
        yield Document.from_text("0", "a")
        yield Document.from_text("1", "b")
        raise AssertionError("read too far")

    corpus = Corpus("name", "memory", stream, digest=lambda: "1234")
    assert [document.id for document in corpus.limited(2)] == ["0", "1"]
    assert corpus.limited(1).checksum == "1234"
    with pytest.raises(OptionError, match="leaves nothing"):
        corpus.limited(0)


def test_checksum_of_a_file_is_that_of_its_bytes(tmp_path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\n\r\ntwo")
    assert read(path).checksum == hashlib.sha256(b"one\r\n\r\ntwo").hexdigest()


def test_checksum_follows_the_content() -> None:
    same, other = read(["a b", "c"]), read(["a b", "d"])
    assert same.checksum == read(("a b", "c")).checksum != other.checksum
