"""Pieces and the words they belong to."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.text import Document, cut, piece_label
from headscope.text.alignment import align, number_all


def test_special_pieces_get_numbers_of_their_own() -> None:
    words = np.array([-1, 0, 0, 1, -1, -1, 2])
    assert number_all(words).tolist() == [0, 1, 1, 2, 3, 4, 5]


def aligned(offsets: list[tuple[int, int]], words: list[tuple[int, int]]) -> list[int]:
    spans = np.array(words).reshape(-1, 2)
    return align(np.array(offsets).reshape(-1, 2), spans[:, 0], spans[:, 1]).tolist()


def test_a_piece_goes_with_its_first_character() -> None:
    # "ab cd": the second piece holds a space and the word behind it, the third a part of that word
    assert aligned([(0, 2), (2, 4), (4, 5)], [(0, 2), (3, 5)]) == [0, 1, 1]
    # one piece over both words goes with the first
    assert aligned([(0, 5)], [(0, 2), (3, 5)]) == [0]


def test_pieces_without_characters_follow_their_neighbours() -> None:
    # "ab  cd ": an empty piece, white space between, white space behind
    offsets = [(0, 0), (0, 2), (2, 3), (4, 6), (6, 7), (7, 7)]
    assert aligned(offsets, [(0, 2), (4, 6)]) == [0, 0, 1, 1, 1, 1]


def test_characters_outside_words_and_empty_words() -> None:
    # character 0 is in no word, word 1 is empty, word 3 has no piece
    assert aligned([(0, 1), (1, 2), (2, 4)], [(1, 2), (3, 3), (3, 4), (5, 6)]) == [0, 0, 2]
    assert aligned([(0, 1)], []) == [0]
    assert aligned([], [(0, 1)]) == []


def test_accents_and_case_keep_their_word(wordpiece) -> None:
    document = Document.from_text("d", "Früh öffnet Işıl")
    (segment,) = cut(document, wordpiece, 50, pair=False)
    labels = [piece_label(wordpiece, int(piece)) for piece in segment.pieces[segment.word == 1]]
    assert "".join(labels) == "offnet"
    assert segment.special.nonzero()[0].tolist() == [0, len(segment) - 1]


@pytest.mark.parametrize("name", ["gpt2", "roberta", "without_offsets"])
def test_bytes_of_each_word_are_its_own(name: str, tokenizers, texts) -> None:
    tokenizer = tokenizers[name]
    # byte-level pieces may join ends of neighbouring ideographs, which are words of their own
    for language in texts.keys() - {"chinese"}:
        for segment in cut(Document.from_text(language, texts[language]), tokenizer, 60, pair=True):
            for number, word in enumerate(segment.words):
                own = segment.pieces[segment.word == number]
                assert tokenizer.decode(own, clean_up_tokenization_spaces=False).strip() == word


def test_words_of_unigram_pieces(tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    (segment,) = cut(Document.from_text("d", "old  ships said."), tokenizer, 99, pair=False)
    assert segment.words == ("old", "ships", "said", ".")
    own = [segment.pieces[segment.word == number] for number in range(4)]
    assert [tokenizer.decode(ids).strip() for ids in own] == ["old", "ships", "said", "."]


def test_each_ideograph_holds_its_bytes(tokenizers) -> None:
    (segment,) = cut(Document.from_text("d", "天气"), tokenizers["without_offsets"], 99, pair=False)
    assert segment.word.tolist() == [0, 0, 0, 1, 1, 1, -1]
