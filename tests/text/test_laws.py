"""Laws of cutting and batching, for any text, tokenizer and limit."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headscope.text import Document, Segment, batches, cut
from tests.tokenizers import BUILDERS, TEXTS

NAMES = st.sampled_from(sorted(BUILDERS))
LIMITS = st.integers(5, 40)
SNIPPETS = st.sampled_from([word for text in TEXTS.values() for word in text.split()])
GAPS = st.sampled_from([" ", "\n", "", "  ", "\n\n", ". ", "\t"])
TEXT = st.one_of(
    st.text(max_size=80),
    st.lists(st.tuples(SNIPPETS, GAPS), max_size=40).map(lambda parts: "".join(a + b for a, b in parts)),
)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(TEXT, NAMES, LIMITS, st.booleans())
def test_every_word_is_in_exactly_one_segment(
    tokenizers, text: str, name: str, limit: int, pair: bool
) -> None:
    tokenizer = tokenizers[name]
    document = Document.from_text("d", text)
    found = list(cut(document, tokenizer, limit, pair))
    seen: list[int] = []
    for number, segment in enumerate(found):
        inside = list(range(segment.first_word, segment.first_word + len(segment.words)))
        assert segment.words == tuple(document.surface(word) for word in inside)
        assert segment.index == number
        again = seen[-1:] == inside  # only a word that fills segments alone comes back
        seen += [] if again else inside
    assert seen == sorted(set(seen))
    for word in set(range(len(document.words))) - set(seen):
        assert not tokenizer(document.surface(word), add_special_tokens=False)["input_ids"]


@QUICK
@given(TEXT, NAMES, LIMITS, st.booleans())
def test_every_segment_is_well_formed(tokenizers, text: str, name: str, limit: int, pair: bool) -> None:
    tokenizer = tokenizers[name]
    for segment in cut(Document.from_text("d", text), tokenizer, limit, pair):
        size = len(segment)
        assert size <= limit
        assert segment.special.shape == segment.word.shape == segment.pieces.shape
        assert ((segment.word == -1) == segment.special).all()
        own = segment.word[~segment.special]
        assert own.size and own.min() >= 0 and own.max() < len(segment.words) and (np.diff(own) >= 0).all()
        assert segment.spans[0] == 0 and len(segment.spans) <= 1 + pair
        assert segment.special.sum() == tokenizer.num_special_tokens_to_add(pair=len(segment.spans) == 2)


@QUICK
@given(TEXT, LIMITS, st.booleans())
def test_no_character_is_lost_or_doubled(tokenizers, text: str, limit: int, pair: bool) -> None:
    tokenizer = tokenizers["gpt2"]
    document = Document.from_text("d", text)
    pieces = [piece for segment in cut(document, tokenizer, limit, pair) for piece in segment.pieces.tolist()]
    words = "".join(document.surface(word) for word in range(len(document.words)))
    decoded = tokenizer.decode(pieces, clean_up_tokenization_spaces=False)
    in_words = [character for character in decoded if character in set(words)]
    assert "".join(in_words) == "".join(character for character in words)


@QUICK
@given(TEXT, NAMES, LIMITS, st.booleans())
def test_cutting_twice_gives_the_same(tokenizers, text: str, name: str, limit: int, pair: bool) -> None:
    document = Document.from_text("d", text)
    once, twice = (list(cut(document, tokenizers[name], limit, pair)) for _ in range(2))
    assert [one.pieces.tolist() for one in once] == [other.pieces.tolist() for other in twice]


def segment_of(index: int, length: int) -> Segment:
    pieces = np.arange(1, length + 1)
    return Segment("d", index, pieces, None, pieces < 0, pieces - 1, ("w",) * length, (0,))


@QUICK
@given(st.lists(st.integers(1, 9), max_size=200), st.integers(1, 4))
def test_batches_give_back_every_segment_once(tokenizers, lengths: list[int], size: int) -> None:
    given_ones = [segment_of(index, length) for index, length in enumerate(lengths)]
    found = list(batches(given_ones, tokenizers["wordpiece"], size))
    assert sorted(s.index for batch in found for s in batch.segments) == list(range(len(lengths)))
    for batch in found:
        assert 1 <= len(batch.segments) <= size
        assert batch.lengths.tolist() == [len(segment) for segment in batch.segments]
        mask = batch.inputs["attention_mask"]
        assert mask.sum(1).tolist() == batch.lengths.tolist()
        flat = torch.cat([torch.from_numpy(segment.pieces) for segment in batch.segments])
        assert torch.equal(batch.inputs["input_ids"][mask.bool()], flat)
