"""Labelled documents as a model's inputs: what the tokenizer itself would build."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headscope.errors import InputError, OptionError
from headscope.text import Document, Segment, Skipped, Tagged, Texts, Translated

FIRST = "The old keeper couldn't sleep; every night a ship passed by."
SECOND = "He wrote its name in a small book!"
PAIR = replace(Document.from_text("a.tsv:2", f" {FIRST} "), second=f"{SECOND}\n", label="x")


def only(parts) -> Segment:
    (segment,) = parts
    assert isinstance(segment, Segment)
    return segment


def spelled(segment: Segment) -> None:
    """Every piece points at a word of the segment, in order within each span."""
    word = segment.word[segment.word >= 0]
    assert (segment.word < 0).sum() == segment.special.sum()
    assert word.max() < len(segment.words) and (np.diff(word) >= 0).all()


def test_a_text_as_the_tokenizer_builds_it(tokenizer) -> None:
    segment = only(Texts()(PAIR, tokenizer, 400))
    assert segment.pieces.tolist() == tokenizer(FIRST)["input_ids"]
    assert segment.part is PAIR and segment.document == "a.tsv:2" and segment.spans == (0,)
    assert segment.words == tuple(PAIR.surface(word) for word in range(len(PAIR.words)))
    spelled(segment)


def test_a_pair_as_the_tokenizer_builds_it(tokenizer) -> None:
    segment = only(Texts(pair=True)(PAIR, tokenizer, 400))
    wanted = tokenizer(FIRST, SECOND)
    assert segment.pieces.tolist() == wanted["input_ids"]
    if "token_type_ids" in tokenizer.model_input_names:
        assert segment.types.tolist() == wanted["token_type_ids"]
    assert segment.spans == (0, len(PAIR.words)) and segment.part is PAIR
    assert segment.words[len(PAIR.words) :] == ("He", "wrote", "its", "name", "in", "a", "small", "book", "!")
    spelled(segment)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.integers(6, 60), pair=st.booleans(), swapped=st.booleans())
def test_what_is_too_long_is_cut_off(tokenizer, pieces: int, pair: bool, swapped: bool) -> None:
    texts = (SECOND, FIRST) if swapped else (FIRST, SECOND)
    document = replace(Document.from_text("a", texts[0]), second=texts[1])
    parts = list(Texts(pair)(document, tokenizer, pieces))
    segment = parts[-1]
    assert isinstance(segment, Segment) and len(segment) <= pieces
    spelled(segment)
    whole = only(Texts(pair)(document, tokenizer, 400))
    if len(whole) <= pieces:
        assert len(parts) == 1 and segment.pieces.tolist() == whole.pieces.tolist()
        return
    assert len(segment) == pieces
    if getattr(tokenizer, "is_fast", False):
        given = texts if pair else texts[:1]
        wanted = tokenizer(*given, truncation=True, max_length=pieces)["input_ids"]
        assert segment.pieces.tolist() == wanted
    lost = len(whole.words) - len(segment.words)
    skipped = sum(part.words for part in parts[:-1])
    assert skipped == lost
    if skipped:
        assert parts[0] == Skipped(lost, f"cut off after {pieces} pieces")
    kept = [
        whole.words[start:stop] for start, stop in zip(whole.spans, (*whole.spans[1:], None), strict=True)
    ]
    mine = [
        segment.words[start:stop]
        for start, stop in zip(segment.spans, (*segment.spans[1:], None), strict=True)
    ]
    assert all(part == full[: len(part)] for part, full in zip(mine, kept, strict=True))


def test_pieces_of_a_pair_belong_to_their_own_text(wordpiece) -> None:
    *_, segment = Texts(pair=True)(PAIR, wordpiece, 20)
    second = segment.types == 1
    words = segment.word[second & ~segment.special]
    assert (words >= segment.spans[1]).all() and segment.words[words[0]] == "He"
    assert (segment.word[~second & ~segment.special] < segment.spans[1]).all()


def test_a_text_cut_off_on_the_left(tokenizers) -> None:
    import copy

    tokenizer = copy.deepcopy(tokenizers["wordpiece"])
    tokenizer.truncation_side = "left"
    skipped, segment = Texts()(PAIR, tokenizer, 12)
    assert segment.words[-1] == "." and skipped.words + len(segment.words) == len(PAIR.words)
    spelled(segment)


def test_no_room_and_no_second_text(wordpiece) -> None:
    with pytest.raises(
        OptionError, match="3 pieces leave no room for text: the tokenizer adds 3 special ones"
    ):
        list(Texts(pair=True)(PAIR, wordpiece, 3))
    with pytest.raises(InputError, match=r"'a.tsv:2' has no second text; name its column \(--second\)"):
        list(Texts(pair=True)(replace(PAIR, second=None), wordpiece, 30))


def test_tagged_sentences_are_spaced_or_left_out(tokenizer) -> None:
    words = ["can", "not", "3.30", "!"]
    document = replace(
        Document.from_words("a.iob:1", words, [False, True, False, False]), tags=("A", "B", "C", "D")
    )
    segment = only(Tagged()(document, tokenizer, 64))
    assert segment.pieces.tolist() == tokenizer("can not 3.30 !")["input_ids"]
    assert segment.part.tags == document.tags and segment.words == tuple(words)
    assert set(segment.word[segment.word >= 0]) == {0, 1, 2, 3}
    size = len(segment)
    assert list(Tagged()(document, tokenizer, size - 1)) == [
        Skipped(4, f"in a sentence of more than {size - 1} pieces")
    ]


def test_translations_are_whole_or_left_out(tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    document = Document.from_text("a", "He sleeps.", target=SECOND)
    segment = only(Translated()(document, tokenizer, 64))
    assert segment.target.tolist() == tokenizer(text_target=SECOND)["input_ids"]
    size = len(segment.target)
    assert size > len(segment) and segment.part is document
    assert len(only(Translated()(document, tokenizer, size)).target) == size
    (skipped,) = Translated()(document, tokenizer, size - 1)
    assert skipped == Skipped(3, f"source or target of more than {size - 1} pieces")
    with pytest.raises(InputError, match=r"'a' has no target; name its column \(--target\)"):
        list(Translated()(replace(document, target=None), tokenizer, 64))
