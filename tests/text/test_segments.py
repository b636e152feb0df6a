"""Cutting documents, worked out by hand; single letters are one piece each."""

from __future__ import annotations

import numpy as np
import pytest
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

from headscope.errors import OptionError
from headscope.text import Document, Segment, cut


def segments(text: str, tokenizer, max_pieces: int, pair: bool = False) -> list[Segment]:
    return list(cut(Document.from_text("d", text), tokenizer, max_pieces, pair))


def shown(found: list[Segment]) -> list[tuple[str, tuple[int, ...]]]:
    return [(" ".join(segment.words), segment.spans) for segment in found]


@pytest.mark.parametrize(
    ("text", "max_pieces", "pair", "expected"),
    [
        # two special tokens: room for 5; the first two lines fit exactly
        ("a b c\nd e\nf g h i", 7, False, [("a b c d e", (0,)), ("f g h i", (0,))]),
        ("a b c\nd e\nf g h i", 6, False, [("a b c", (0,)), ("d e", (0,)), ("f g h i", (0,))]),
        # a line that is too long is cut between words; what is left of it is filled up with whole lines
        ("a b c d\ne f\ng", 5, False, [("a b c", (0,)), ("d e f", (0,)), ("g", (0,))]),
        # three special tokens: the line nearest the middle parts the spans
        ("a b c\nd e\nf g h i", 8, True, [("a b c d e", (0, 3)), ("f g h i", (0, 2))]),
        ("a\nb c d\ne\nf", 9, True, [("a b c d e f", (0, 4))]),
        # one line: after the sentence nearest the middle, even if that is far from it
        ("a . b c d e f g", 20, True, [("a . b c d e f g", (0, 2))]),
        ("a . b c ? d e . f", 20, True, [("a . b c ? d e . f", (0, 5))]),
        # an end of sentence as the last word parts nothing
        ("a b c d .", 20, True, [("a b c d .", (0, 2))]),
        ("a", 20, True, [("a", (0,))]),
    ],
)
def test_cut_by_hand(wordpiece, text, max_pieces, pair, expected) -> None:
    assert shown(segments(text, wordpiece, max_pieces, pair)) == expected


def test_what_a_segment_holds(wordpiece) -> None:
    (segment,) = segments("a b\nc", wordpiece, 10, pair=True)
    assert wordpiece.convert_ids_to_tokens(segment.pieces.tolist()) == [
        "[CLS]",
        "a",
        "b",
        "[SEP]",
        "c",
        "[SEP]",
    ]
    assert segment.types.tolist() == [0, 0, 0, 0, 1, 1]
    assert segment.special.tolist() == [True, False, False, True, False, True]
    assert segment.word.tolist() == [-1, 0, 1, -1, 2, -1]
    assert (segment.document, segment.index, segment.target, len(segment)) == ("d", 0, None, 6)


def test_index_and_first_word_count_within_the_document(wordpiece) -> None:
    found = segments("a b c d e", wordpiece, 4)
    assert [(segment.index, segment.first_word) for segment in found] == [(0, 0), (1, 2), (2, 4)]


def test_special_tokens_in_the_text_are_not_special(wordpiece) -> None:
    (segment,) = segments("a [SEP] b", wordpiece, 10)
    assert segment.special.tolist() == [True, False, False, False, True]
    assert segment.pieces[2] == wordpiece.sep_token_id
    assert segment.word.tolist() == [-1, 0, 1, 4, -1]


def test_newline_pieces_count(tokenizers) -> None:
    # byte-level pieces: a, line end, b make 3; a third line would need 5
    found = segments("a\nb\nc", tokenizers["gpt2"], 4)
    assert [(len(segment), segment.words) for segment in found] == [(3, ("a", "b")), (1, ("c",))]
    (whole,) = segments("a\nb\nc", tokenizers["gpt2"], 5)
    assert whole.word.tolist() == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(("name", "specials"), [("gpt2", 0), ("roberta", 2), ("without_offsets", 1)])
def test_a_word_that_is_too_long_is_cut_between_its_pieces(name: str, specials: int, tokenizers) -> None:
    tokenizer = tokenizers[name]
    word = "q" * 10
    plain = tokenizer(word, add_special_tokens=False)["input_ids"]
    assert len(plain) == 10
    found = segments(f"a {word} b", tokenizer, 4 + specials, pair=False)
    parts = found[1:-1]
    assert [segment.words for segment in found] == [("a",), (word,), (word,), (word,), ("b",)]
    assert [len(part) - specials for part in parts] == [4, 4, 2]
    assert np.concatenate([part.pieces[~part.special] for part in parts]).tolist() == plain
    assert all(part.first_word == 1 and part.word.max() == 0 for part in parts)
    assert [segment.index for segment in found] == [0, 1, 2, 3, 4]


def test_pieces_are_what_the_tokenizer_builds(tokenizer, texts) -> None:
    for text in texts.values():
        (segment,) = segments(text, tokenizer, 1000)
        whole = tokenizer(text)
        assert segment.pieces.tolist() == whole["input_ids"]
        assert segment.types is None or segment.types.tolist() == whole["token_type_ids"]


def test_spans_are_what_the_tokenizer_builds_of_a_pair(tokenizer) -> None:
    (segment,) = segments("the old ship\nwrote a book", tokenizer, 1000, pair=True)
    whole = tokenizer("the old ship", "wrote a book")
    assert segment.pieces.tolist() == whole["input_ids"]
    assert segment.types is None or segment.types.tolist() == whole["token_type_ids"]


def test_word_by_word_agrees_with_offsets(wordpiece, tmp_path, texts) -> None:
    vocabulary = sorted(wordpiece.get_vocab(), key=wordpiece.get_vocab().get)
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    slow = BertTokenizerLegacy(str(tmp_path / "vocab.txt"), model_input_names=wordpiece.model_input_names)
    for text in (texts["english"], texts["german"], texts["chinese"]):
        fast_ones, slow_ones = segments(text, wordpiece, 20, True), segments(text, slow, 20, True)
        assert shown(fast_ones) == shown(slow_ones)
        for one, other in zip(fast_ones, slow_ones, strict=True):
            for field in ("pieces", "types", "special", "word"):
                np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


def test_words_without_pieces_get_none(wordpiece) -> None:
    document = Document.from_words("d", ["a", "\x01", "", "b"])
    (segment,) = cut(document, wordpiece, 20, pair=False)
    assert segment.words == ("a", "\x01", "", "b")
    assert segment.word.tolist() == [-1, 0, 3, -1]
    assert list(cut(Document.from_words("d", ["\x01"]), wordpiece, 20, pair=True)) == []
    assert list(cut(Document.from_words("d", []), wordpiece, 20, pair=True)) == []


def test_target_is_encoded_and_cut_off(tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    document = Document.from_text("d", "the old ship passed by the lighthouse", target="a b c d e f g h")
    found = list(cut(document, tokenizer, 8, pair=False))
    assert len(found) > 1
    for segment in found:
        assert len(segment.target) == 8 and segment.target[-1] == tokenizer.eos_token_id


def test_a_limit_below_the_special_tokens_is_refused(wordpiece) -> None:
    with pytest.raises(
        OptionError, match="3 pieces leave no room for text: the tokenizer adds 3 special ones"
    ):
        segments("a", wordpiece, 3, pair=True)


def test_the_warning_of_too_long_text_is_not_raised(wordpiece, caplog) -> None:
    assert len(segments("a " * 2000, wordpiece, 128)) == 16
    assert not caplog.records
