"""CoNLL-2012 and the exports of GUM, read by hand."""

from __future__ import annotations

import gzip

import pytest

from headscope.errors import InputError
from headscope.text import Mention, read, sentences
from tests.text.treebanks import CONLL, GUM, LITBANK, written


def test_parts_are_documents(tmp_path) -> None:
    first, second = read(written(tmp_path, "a.conll", CONLL))
    assert (first.id, first.text) == ("bc/x_01:0", "Ann saw her dog\nIt")
    assert (second.id, second.text, second.coreference.mentions) == ("bc/x_01:1", "Rain", ())
    assert first.coreference.mentions == (
        Mention(0, 4, "3"),
        Mention(0, 1, "0"),
        Mention(2, 4, "1"),
        Mention(2, 3, "0"),
        Mention(4, 5, "1"),
    )
    assert first.coreference.tags == ("NNP", "VBD", "PRP$", "NN", "PRP")
    assert first.dependencies is None
    assert [(number, part.text) for number, part in sentences(first)] == [(0, "Ann saw her dog"), (1, "It")]


def test_empty_last_columns(tmp_path) -> None:
    path = tmp_path / "b.v4_gold_conll.gz"
    path.write_bytes(gzip.compress(LITBANK.encode()))
    (document,) = read(path)
    assert (document.id, document.text, document.coreference.tags) == ("novel:0", "Ann slept", ("", ""))
    assert document.coreference.mentions == (Mention(0, 1, "0"),)


def test_three_columns_of_gum(tmp_path) -> None:
    first, second = read(written(tmp_path, "c.conll", GUM))
    assert (first.id, first.text) == ("GUM_one", "Research on Amsterdam  here")
    assert len(first.words) == 5 and first.surface(3) == ""
    assert first.coreference.mentions == (Mention(0, 3, "2"), Mention(2, 3, "7"), Mention(4, 5, "7"))
    assert second.id == "c.conll:9"
    assert second.coreference.mentions == (Mention(0, 2, "12"), Mention(0, 1, "13"))
    assert len(list(sentences(first))) == 1


@pytest.mark.parametrize(
    "suffix", [".conll", ".gold_conll", ".auto_conll", ".v4_gold_conll", ".v4_auto_conll"]
)
def test_suffixes(tmp_path, suffix: str) -> None:
    assert len(list(read(written(tmp_path, f"a{suffix}", CONLL)))) == 2


def gum(*rows: str) -> str:
    return "\n".join(["# begin document d", *rows, "# end document"])


BROKEN = [
    ("", "a.conll: empty: no document"),
    (CONLL[:200], "a.conll:4: 9 columns, but the sentence began with 13; is the line cut"),
    (CONLL.replace("#end document\n", "", 1), "a.conll:1: document 'bc/x_01:0' begins here and has no"),
    ("0\tw\t_\n", "a.conll:1: no document is open here; a line '#begin document' must come first"),
    (gum("0\tw\t_") + "\n# end document", "a.conll:4: no document is open here"),
    (gum("0\tw"), "a.conll:2: 2 columns; 6 or more are expected, or 3 in an export of GUM"),
    (gum("0\tw\t_", "1\tw\t_\t_\t_\t_"), "a.conll:3: 6 columns, but the sentence began with 3"),
    (gum("0\tw\t_", "2\tw\t_"), "a.conll:3: word number 2 does not follow 0"),
    (gum("0\tw\t_", "x\tw\t_"), "a.conll:3: a word number is expected, a whole number, not 'x'"),
    (gum("0\tw\t_", "1\tw\t(4"), "a.conll:3: the mention of entity '4' that opens here is never closed"),
    (gum("0\tw\t_", "1\tw\t4)"), "a.conll:3: a mention of entity '4' is closed here, but none is open"),
    (gum("0\tw\t4"), "a.conll:2: mentions such as .* are expected, not '4'"),
    (gum("0\tw\t(4|5)"), "a.conll:2: a mention of entity '5' is closed here"),
    (gum("0\tw\t_\t_"), "a.conll:2: 4 columns"),
    (gum("0\tw\t" + "(4)" * 5000 + "x"), "a.conll:2: mentions such as"),
    (gum("0\tw\t_") + "\n" + gum("0\tw\t_"), "a.conll:4: id 'd' was already used in line 1"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN)
def test_broken_files(tmp_path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read(written(tmp_path, "a.conll", content)))


def test_wrong_encoding(tmp_path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(gum("0\tfür\t_").encode("latin-1"))
    with pytest.raises(InputError, match=r"a.conll:2: byte 0xfc at position 3 is not UTF-8"):
        list(read(path))
