"""Chunks by hand, the odd cases of the shared tasks' rules, and a plain reading of these rules."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.tasks.chunks import Chunks, are_chunk_tags, unseen_tags

TAGS = ["O", *(f"{prefix}-{kind}" for kind, prefix in product(("NP", "VP"), "BIES"))]


def count(gold: str, predicted: str) -> list[int]:
    """Correct, predicted and true chunks of one sentence."""
    rows = [np.array([[TAGS.index(tag) for tag in text.split()]]) for text in (gold, predicted)]
    return Chunks(TAGS).count(*rows)[0].astype(int).tolist()


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("B-NP I-NP O B-VP", "B-NP I-NP O B-VP", [2, 2, 2]),
        ("B-NP I-NP O B-VP", "B-NP O O B-VP", [1, 2, 2]),  # too short is wrong
        ("B-NP I-NP O", "B-VP I-VP O", [0, 1, 1]),  # the type is wrong
        ("O I-NP I-NP", "O B-NP I-NP", [1, 1, 1]),  # I- after O begins a chunk
        ("I-NP I-NP", "B-NP I-NP", [1, 1, 1]),  # and so it does at the start
        ("I-NP I-VP I-VP", "B-NP B-VP I-VP", [2, 2, 2]),  # a change of type begins a chunk
        ("B-NP I-VP O", "B-NP I-NP O", [0, 1, 2]),
        ("B-NP B-NP", "I-NP I-NP", [0, 1, 2]),  # B- parts chunks of one type, I- does not
        ("B-NP I-NP I-NP", "B-NP I-NP B-NP", [0, 2, 1]),
        ("S-NP S-NP", "B-NP B-NP", [2, 2, 2]),
        ("B-NP E-NP B-NP E-NP", "B-NP I-NP B-NP I-NP", [2, 2, 2]),
        ("B-NP E-NP I-NP", "B-NP I-NP B-NP", [2, 2, 2]),  # I- after E- begins a chunk
        ("E-NP O E-VP", "S-NP O B-VP", [2, 2, 2]),
        ("O O", "O O", [0, 0, 0]),
        ("O O", "I-NP O", [0, 1, 0]),
    ],
)
def test_by_hand(gold: str, predicted: str, expected: list[int]) -> None:
    assert count(gold, predicted) == expected


def test_a_chunk_does_not_go_on_in_the_next_sentence() -> None:
    rows = np.array([[TAGS.index("B-NP"), TAGS.index("I-NP")], [TAGS.index("I-NP"), -1]])
    assert Chunks(TAGS).count(rows, rows).tolist() == [[1, 1, 1], [1, 1, 1]]


def plainly(tags: list[str]) -> set[tuple[int, int, str]]:
    """Chunks as (first, last, type), found tag by tag with the scorer's two questions."""
    found, start = set(), 0
    before, kind_before = "O", ""
    for place, tag in enumerate([*tags, "O"]):
        prefix, _, kind = tag.partition("-")
        changed = kind != kind_before
        ends = before != "O" and (before in "ES" or prefix in ("B", "S", "O") or changed)
        begins = prefix != "O" and (prefix in "BS" or before in ("E", "S", "O") or changed)
        if ends:
            found.add((start, place - 1, kind_before))
        if begins:
            start = place
        before, kind_before = prefix, kind
    return found


sentences = st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from(TAGS)), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=4))
def test_padded_sentences_count_as_each_alone(batch: list[list[tuple[str, str]]]) -> None:
    width = max(map(len, batch))
    both = np.full((2, len(batch), width), -1)
    expected = []
    for row, sentence in enumerate(batch):
        gold, predicted = (list(side) for side in zip(*sentence, strict=True))
        true, found = plainly(gold), plainly(predicted)
        expected.append([len(true & found), len(found), len(true)])
        both[:, row, : len(sentence)] = [[TAGS.index(tag) for tag in side] for side in (gold, predicted)]
    assert Chunks(TAGS).count(*both).tolist() == expected


def test_types_may_hold_dashes() -> None:
    tags = ["O", "B-geo-loc", "B-geo"]
    assert Chunks(tags).count(np.array([[1]]), np.array([[2]])).tolist() == [[0, 1, 1]]


def test_which_tags_mark_chunks() -> None:
    assert are_chunk_tags(TAGS)
    for other in ("NOUN", "B", "B-", "U-NP", "o"):
        assert not are_chunk_tags([*TAGS, other])


def test_tags_that_training_did_not_have() -> None:
    assert unseen_tags(["B-NP", "I-NP", "O", "B-LST", "I-VP"]) == ["I-LST", "B-VP"]
    assert unseen_tags(["I-NP", "O", "I-VP"]) == [], "a prefix that is never used is not expected"
    assert unseen_tags(["O"]) == unseen_tags(["NOUN", "B-NP"]) == []
