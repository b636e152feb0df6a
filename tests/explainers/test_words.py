"""Which pieces make the words that can be taken away."""

from __future__ import annotations

import numpy as np
import torch

from headscope.explainers import ask
from headscope.explainers.words import Words, numbered, words_of
from tests.explainers.models import answers, asked_of, made, sides_for

NAN = float("nan")


def test_numbers_have_no_gaps() -> None:
    words = numbered(torch.tensor([[-1, 4, 4, 9, -1], [0, -1, -1, -1, -1], [-1] * 5]))
    assert words.members.tolist() == [[-1, 0, 0, 1, -1], [0, -1, -1, -1, -1], [-1] * 5]
    assert words.counts.tolist() == [2, 1, 0] and words.most == 2


def test_importance_is_summed_and_sets_are_spread() -> None:
    words = Words(torch.tensor([[-1, 0, 0, 1], [0, -1, -1, -1]]), torch.tensor([2, 1]))
    summed = words.summed(torch.tensor([[9.0, 1.0, 2.0, NAN], [4.0, 9.0, 9.0, 9.0]]).double())
    assert np.array_equal(summed.numpy(), [[3.0, NAN], [4.0, NAN]], equal_nan=True)
    both = words.summed(torch.ones(3, 2, 4).double())
    assert both.shape == (3, 2, 2) and both[0, 0].tolist() == [2.0, 1.0]
    sets = torch.tensor([[[True, False], [False, True]], [[True, True], [False, False]]])
    assert words.pieces(sets).int().tolist() == [
        [[0, 1, 1, 0], [0, 0, 0, 1]],
        [[1, 0, 0, 0], [0, 0, 0, 0]],
    ]


def test_special_pieces_and_padding_are_no_words() -> None:
    """[CLS] w3 ... [SEP]: each piece between is a word."""
    words = words_of(asked_of("bert"))
    assert words.counts.tolist() == [6, 3, 4]
    assert words.members[1].tolist() == [-1, 0, 1, 2, -1, -1, -1, -1]


def test_a_decoder_does_without_what_it_has_read() -> None:
    model = made("llama")
    sides = sides_for(model)
    words = words_of(ask(model, sides, np.array([0, 0]), np.array([1, 5])))
    special = int(ask(model, sides).special[0, 0])
    assert words.counts.tolist() == [2 - special, 6 - special]


def test_the_word_that_is_tagged_stays() -> None:
    asked = asked_of("roberta-tagger")  # at the third piece, the second word
    words = words_of(asked)
    assert words.counts.tolist() == [5, 2, 3]
    assert words.members[0].tolist() == [-1, 0, -1, 1, 2, 3, 4, -1]


def test_a_target_is_words_piece_by_piece() -> None:
    model = made("bart")
    asked = answers(model, sides_for(model))  # at the third step: what starts it, and two pieces
    words = words_of(asked)
    source = asked.sizes[0]
    seen = asked.seen[0, source:] & ~asked.special[0, source:]
    before = int(words.members[0, :source].max())
    assert words.members[0, source:][seen].tolist() == list(range(before + 1, before + 1 + int(seen.sum())))
    assert int(words.counts[0]) == before + 1 + int(seen.sum())


def test_pieces_of_a_word_are_one() -> None:
    model = made("bert")
    sides = sides_for(model, ["w3 w4 w5"])
    segment = sides.segments[0]
    segment.word[2:4] = 1  # two pieces of the second word
    segment.word[3:] = [1, -1]
    assert words_of(ask(model, sides)).members.tolist() == [[-1, 0, 1, 1, -1]]
