"""Packed documents come back as they were, with everything that a reader can give them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headscope.text import Coreference, Dependencies, Document, Mention
from headscope.text.layers import OUTSIDE, ROOT
from headscope.text.packing import pack, unpack
from tests.mentions import mixed
from tests.trees import document

PLAIN = st.text('aß中💧 \n\0"\\,', max_size=4)
NAMES = st.text('aß💧\0"\ud800', max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any words with any layers; an id may hold half of a surrogate pair, as the name of a file may."""
    words = draw(st.lists(PLAIN, max_size=5))
    size = len(words)

    def per_word(what: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return draw(st.tuples(*[what] * size))

    def sentences() -> np.ndarray:
        return np.sort(np.array(per_word(st.integers(0, 3)), np.int64))

    def maybe(what: st.SearchStrategy[Any]) -> Any:
        return draw(st.none() | what)

    def tree() -> Dependencies:
        heads = np.array(per_word(st.integers(OUTSIDE, size - 1)), np.int64)
        feats = per_word(NAMES) if draw(st.booleans()) else ()
        return Dependencies(heads, per_word(NAMES), sentences(), per_word(NAMES), per_word(NAMES), feats)

    def layer() -> Coreference:
        ends = [(start, end) for start in range(size) for end in range(size, start, -1)]
        named = [
            Mention(*place, draw(NAMES), maybe(st.just(place[0])))
            for place in ends[: draw(st.integers(0, 4))]
        ]
        return Coreference(tuple(named), sentences(), per_word(NAMES))

    plain = Document.from_words(draw(NAMES), words)
    trees, layers, tags = (draw(st.booleans()) for _ in range(3))
    return Document(
        plain.id, plain.text, plain.words, maybe(PLAIN), tree() if trees else None,
        layer() if layers else None, maybe(PLAIN), maybe(PLAIN), per_word(PLAIN) if tags else None,
        split=maybe(PLAIN),
    )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is slow, too
@given(st.lists(documents(), max_size=4))
def test_documents_come_back(several: list[Document]) -> None:
    check_same(list(unpack(pack(several))), several)


def test_trees_and_mentions() -> None:
    several = [document("d", "the>2:det ship>3:nsubj sails>0:root .>3:punct"), *mixed()]
    assert several[0].dependencies is not None and ROOT in several[0].dependencies.heads
    assert any(one.coreference is not None and one.coreference.mentions for one in several)
    check_same(list(unpack(pack(several))), several)


def test_numbers_of_numpy_come_back_as_numbers() -> None:
    spans = tuple((np.int64(start), np.int64(end)) for start, end in ((0, 2), (3, 5)))
    (back,) = unpack(pack([Document("d", "so it", spans)]))
    assert back == Document("d", "so it", ((0, 2), (3, 5))) and type(back.words[0][0]) is int


def check_same(found: Any, expected: Any) -> None:
    """Equal in every field, down to the types of containers and of numbers in arrays."""
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype and np.array_equal(found, expected)
    elif is_dataclass(expected):
        for field in fields(expected):
            check_same(getattr(found, field.name), getattr(expected, field.name))
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            check_same(*pair)
    else:
        assert found == expected
