"""Kinds and labels of pieces."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.text import KindTable, piece_label

COMMON = ("other special", ". or ,", "punctuation", "word")


def kinds_of(tokenizer, tokens: list[str]) -> list[str]:
    table = KindTable(tokenizer)
    ids = np.array(tokenizer.convert_tokens_to_ids(tokens))
    return [table.names[kind] for kind in table.kinds(ids)]


@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("wordpiece", ("[CLS]", "[SEP]")),
        ("minilm", ("[CLS]", "[SEP]")),
        ("gpt2", ()),
        ("roberta", ("<s>", "</s>")),
        ("unigram", ("</s>",)),
        ("without_offsets", ("</s>",)),
    ],
)
def test_names_begin_with_the_special_tokens_that_are_added(name, added, tokenizers) -> None:
    table = KindTable(tokenizers[name])
    assert table.added == added
    assert table.names == (*added, *COMMON)


def test_kinds_of_wordpieces(tokenizers) -> None:
    expected = {
        "[CLS]": "[CLS]",
        "[SEP]": "[SEP]",
        "[MASK]": "other special",
        "[PAD]": "other special",
        "[UNK]": "word",
        ".": ". or ,",
        ",": ". or ,",
        "!": "punctuation",
        "$": "punctuation",
        "。": "punctuation",
        "##!": "punctuation",
        "the": "word",
        "##s": "word",
        "##5": "word",
    }
    assert kinds_of(tokenizers["minilm"], list(expected)) == list(expected.values())


def test_kinds_of_bytes(tokenizers) -> None:
    tokenizer = tokenizers["gpt2"]
    assert kinds_of(tokenizer, ["<|endoftext|>", ".", "!", "Ċ", "Ġ", "a"]) == [
        "other special",
        ". or ,",
        "punctuation",
        "word",
        "word",
        "word",
    ]
    # a byte of a longer character is part of some word, not the sign that stands for broken text
    assert kinds_of(tokenizer, ["ð"]) == ["word"]


def test_kinds_keep_the_shape_and_decode_once(tokenizers, monkeypatch) -> None:
    tokenizer = tokenizers["unigram"]
    table = KindTable(tokenizer)
    ids = np.array([tokenizer("the ship.")["input_ids"]] * 3)
    first = table.kinds(ids)
    assert first.shape == ids.shape and first.dtype == np.int64
    monkeypatch.setattr(type(tokenizer), "decode", lambda *_, **__: pytest.fail("decoded again"))
    np.testing.assert_array_equal(table.kinds(ids), first)


def test_ids_beyond_and_below_the_vocabulary(wordpiece) -> None:
    table = KindTable(wordpiece)
    assert table.names[table.kinds(np.array([len(wordpiece) + 50]))[0]] == "word"
    assert table.kinds(np.array([], dtype=np.int64)).shape == (0,)
    with pytest.raises(ValueError, match="-100 is the id of no piece"):
        table.kinds(np.array([-100]))


@pytest.mark.parametrize(
    ("name", "token", "label"),
    [
        ("minilm", "[CLS]", "[CLS]"),
        ("minilm", "##ing", "ing"),
        ("minilm", "house", "house"),
        ("gpt2", "Ċ", "↵"),
        ("gpt2", "Ġ", "␣"),
        ("gpt2", "a", "a"),
        ("roberta", "</s>", "</s>"),
        ("unigram", "▁", "␣"),
    ],
)
def test_labels(name: str, token: str, label: str, tokenizers) -> None:
    tokenizer = tokenizers[name]
    assert piece_label(tokenizer, tokenizer.convert_tokens_to_ids(token)) == label
