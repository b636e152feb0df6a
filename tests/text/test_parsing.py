"""Trees of running text, from spaCy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Corpus, Document, parse, read, sentences
from headscope.text.layers import ROOT

spacy = pytest.importorskip("spacy")
TEXT = "  The old dog barks.\n\nIt doesn't sleep \t\n"


@pytest.fixture(scope="module")
def document() -> Document:
    (document,) = parse(read([TEXT]))
    return document


def test_words_and_text_are_kept_apart(document: Document) -> None:
    assert (document.id, document.text) == ("#0", TEXT)
    words = [document.surface(word) for word in range(len(document.words))]
    assert words == ["The", "old", "dog", "barks", ".", "It", "does", "n't", "sleep"]


def test_trees_of_simple_sentences(document: Document) -> None:
    layer = document.dependencies
    assert layer.heads.tolist() == [2, 2, 3, ROOT, 3, 8, 8, 8, ROOT]
    assert layer.relations[:4] == ("det", "amod", "nsubj", "ROOT")
    assert layer.sentences.tolist() == [0] * 5 + [1] * 4
    assert (layer.tags[2], layer.upos[2]) == ("NN", "NOUN")
    assert [part.text for _, part in sentences(document)] == ["The old dog barks.", "It doesn't sleep"]


def test_parsed_corpora_can_be_read_again() -> None:
    plain = read(["One dog. ", "Two cats."])
    parsed = parse(plain)
    assert [d.id for d in parsed] == [d.id for d in parsed] == ["#0", "#1"]
    assert (parsed.name, parsed.source) == (plain.name, plain.source)
    assert parsed.checksum == parse(plain).checksum != plain.checksum


def test_every_character_is_in_a_word_or_is_space(data: Path) -> None:
    corpus = read(data / "07_wikitext2" / "test.txt").limited(40)
    for before, after in zip(corpus, parse(corpus), strict=True):
        solid = "".join(after.surface(word) for word in range(len(after.words)))
        assert solid == "".join(before.text.split())
        heads = after.dependencies.heads
        assert (np.flatnonzero(heads == ROOT).size) == after.dependencies.sentences[-1] + 1


def test_white_space_is_never_a_head() -> None:
    from spacy.tokens import Doc

    from headscope.text.parsing import _with_tree

    # a depends on the space, which depends on b; d and e depend on a space that is the root of its sentence
    words, heads = ["a", "\n", "b", "\n", "d", "e"], [1, 2, 2, 3, 3, 4]
    found = Doc(
        spacy.blank("en").vocab,
        words=words,
        spaces=[False] * 6,
        heads=heads,
        deps=["dep"] * 6,
        sent_starts=None,
    )
    tree = _with_tree(Document("d", "a\nb\nde", ()), found).dependencies
    assert tree.heads.tolist() == [1, ROOT, ROOT, 2]
    assert tree.sentences.tolist() == [0, 0, 1, 1]


def test_long_documents_are_refused() -> None:
    corpus = Corpus("c", "memory", lambda: [Document.from_text("long", "a " * 600_000)])
    with pytest.raises(
        InputError, match="document 'long' has 1200000 characters, but the parser takes 1000000"
    ):
        list(parse(corpus))


def test_what_cannot_parse_is_refused(tmp_path: Path, monkeypatch) -> None:
    corpus = read(["a"])
    with pytest.raises(
        InputError, match=r"pipeline 'no_such' cannot be loaded: pip install 'headscope\[parse\]' en-"
    ):
        parse(corpus, "no_such")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no parser; name another, such as 'en_core_web_sm'"):
        parse(corpus, str(tmp_path / "blank"))
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=r"needs the package spacy: pip install 'headscope\[parse\]'"):
        parse(corpus)
