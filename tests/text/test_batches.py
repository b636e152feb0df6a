"""Padding, order and memory of batches."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import OptionError
from headscope.text import Document, Segment, batches, cut
from tests.tokenizers import wordpiece as build_wordpiece


def made(index: int, *pieces: int, target: list[int] | None = None) -> Segment:
    ids = np.array(pieces)
    other = None if target is None else np.array(target)
    return Segment("d", index, ids, None, ids < 0, ids * 0, ("w",), (0,), other)


def test_padding_by_hand(wordpiece) -> None:
    (batch,) = batches([made(0, 7, 8, 9), made(1, 5)], wordpiece, 2)
    assert [segment.index for segment in batch.segments] == [1, 0]
    assert batch.lengths.tolist() == [1, 3]
    assert {name: tensor.tolist() for name, tensor in batch.inputs.items()} == {
        "input_ids": [[5, 0, 0], [7, 8, 9]],
        "attention_mask": [[1, 0, 0], [1, 1, 1]],
        "token_type_ids": [[0, 0, 0], [0, 0, 0]],
    }


def test_types_come_from_the_segments(wordpiece) -> None:
    (batch,) = batches(cut(Document.from_text("d", "a\nb c"), wordpiece, 9, pair=True), wordpiece, 4)
    assert batch.inputs["token_type_ids"].tolist() == [[0, 0, 0, 1, 1, 1]]


def test_labels_are_padded_with_the_ignored_one(tokenizers) -> None:
    found = batches([made(0, 5, target=[3, 4]), made(1, 6, target=[9]), made(2, 7)], tokenizers["unigram"], 3)
    (batch,) = found
    assert batch.inputs["labels"].tolist() == [[3, 4], [9, -100], [-100, -100]]
    assert set(batch.inputs) == {"input_ids", "attention_mask", "labels"}


def test_padding_is_on_the_right_whatever_the_tokenizer_prefers() -> None:
    tokenizer = build_wordpiece()
    tokenizer.padding_side = "left"
    (batch,) = batches([made(0, 7, 8), made(1, 5)], tokenizer, 2)
    assert batch.inputs["input_ids"].tolist() == [[5, 0], [7, 8]]


def test_without_a_padding_token_the_end_token_pads(tokenizers) -> None:
    tokenizer = tokenizers["gpt2"]
    assert tokenizer.pad_token_id is None
    (batch,) = batches([made(0, 7, 8), made(1, 5)], tokenizer, 2)
    assert batch.inputs["input_ids"][0].tolist() == [5, tokenizer.eos_token_id]


def test_order_changes_only_within_windows(wordpiece) -> None:
    lengths = [3, 1, 2] * 8  # with batches of 1, windows of 8
    found = list(batches((made(n, *range(1, 1 + size)) for n, size in enumerate(lengths)), wordpiece, 1))
    order = [batch.segments[0].index for batch in found]
    assert [sorted(order[first : first + 8]) for first in (0, 8, 16)] == [
        list(range(first, first + 8)) for first in (0, 8, 16)
    ]
    first_window = [(len(found[n].segments[0]), order[n]) for n in range(8)]
    assert first_window == sorted(first_window)


def test_reading_stays_one_window_ahead(wordpiece) -> None:
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield made(taken, 1)

    next(batches(endless(), wordpiece, 2))
    assert taken == 16


def test_empty_batches_are_refused(wordpiece) -> None:
    with pytest.raises(OptionError, match="a batch of 0 segments"):
        next(batches([], wordpiece, 0))
    assert list(batches([], wordpiece, 3)) == []
