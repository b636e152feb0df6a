"""Made text: what repeats, what never stands in it, and that names and seeds alone decide."""

from __future__ import annotations

import numpy as np
from transformers import PreTrainedTokenizerBase

from headscope.text.repeats import Repeats, copies_of, made_documents, opening_piece, plain_pieces


def made(tokenizer: PreTrainedTokenizerBase, number: int = 0, size: int = 5, seed: int = 0):
    (segment,) = Repeats(size, seed)(made_documents(number + 1)[number], tokenizer, 64)
    return segment


def test_two_equal_copies_stand_behind_an_opening(tokenizer: PreTrainedTokenizerBase) -> None:
    segment, opening = made(tokenizer), len(opening_piece(tokenizer))
    first, second = segment.pieces[opening : opening + 5], segment.pieces[opening + 5 :]
    assert np.array_equal(first, second)
    assert len(set(first)) == 5, "none twice"
    assert segment.special.tolist() == [True] * opening + [False] * 10
    assert copies_of(segment).tolist() == [-1] * opening + [0] * 5 + [1] * 5


def test_no_special_piece_is_drawn(tokenizer: PreTrainedTokenizerBase) -> None:
    assert not {*plain_pieces(tokenizer)} & {*tokenizer.all_special_ids}
    drawn = {int(id) for number in range(20) for id in made(tokenizer, number).pieces[1:]}
    assert drawn <= {*plain_pieces(tokenizer)}


def test_a_small_vocabulary_repeats_within_a_copy(wordpiece: PreTrainedTokenizerBase) -> None:
    size = len(plain_pieces(wordpiece)) + 1
    assert len(made(wordpiece, size=size)) == 2 * size + 1


def test_names_and_seeds_decide(wordpiece: PreTrainedTokenizerBase) -> None:
    assert np.array_equal(made(wordpiece).pieces, made(wordpiece).pieces)
    assert not np.array_equal(made(wordpiece).pieces, made(wordpiece, 1).pieces)
    assert not np.array_equal(made(wordpiece).pieces, made(wordpiece, seed=1).pieces)
