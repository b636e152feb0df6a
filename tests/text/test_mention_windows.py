"""Windows of whole sentences: what goes together, what is cut, what is skipped and why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.errors import InputError
from headscope.text import Document, Segment, Skipped, Windows
from tests.mentions import marked, town
from tests.tokenizers import wordpiece

TOKENIZER = wordpiece()


def windows(document: Document, words: int, pieces: int = 512, **options: bool) -> list[Segment | Skipped]:
    return list(Windows(words, **options)(document, TOKENIZER, pieces))


def texts(found: list[Segment | Skipped]) -> list[str]:
    return [" ".join(one.words) for one in found if isinstance(one, Segment)]


def skipped(found: list[Segment | Skipped]) -> list[Skipped]:
    return [one for one in found if isinstance(one, Skipped)]


def test_whole_sentences_fill_a_window() -> None:
    # The sentences have 7, 5 and 10 words.
    assert texts(windows(town(), 22)) == [" ".join(windows(town(), 22)[0].words)]
    assert [len(text.split()) for text in texts(windows(town(), 21))] == [12, 10]
    assert [len(text.split()) for text in texts(windows(town(), 11))] == [7, 5, 10]


def test_a_window_keeps_its_mentions() -> None:
    _, second = windows(town(), 12)
    assert isinstance(second, Segment) and second.part is not None and second.part.coreference is not None
    assert [(one.start, one.end) for one in second.part.coreference.mentions] == [
        (0, 2),
        (3, 4),
        (5, 7),
        (8, 9),
    ]
    assert (second.document, second.index, second.first_word) == ("town", 1, 12)


def test_a_long_sentence_is_cut_and_mentions_across_the_cut_are_dropped() -> None:
    found = windows(marked("d", "the dog saw the old dog", [(0, 2, "a"), (3, 6, "a")]), 4)
    assert texts(found) == ["the dog saw the", "old dog"]
    kept = [one.part.coreference.mentions for one in found]
    assert [len(mentions) for mentions in kept] == [1, 0]


def test_what_a_cut_loses_is_counted() -> None:
    """Of six words as one sentence; (1, 6) begins in the first window and is lost there, once."""
    spans = [(0, 2, "a"), (1, 6, "b"), (3, 5, "a"), (4, 6, "a"), (5, 6, "b")]
    document = marked("d", "the dog saw the old dog", spans)
    assert [segment.cut for segment in windows(document, 2)] == [(1, 1), (1, 1), (0, 0)]
    assert [segment.cut for segment in windows(document, 4)] == [(1, 2), (0, 0)]
    assert [segment.cut for segment in windows(document, 6)] == [(0, 0)]
    kept = [len(segment.part.coreference.mentions) for segment in windows(document, 4)]
    assert sum(kept) == len(spans) - 2
    first = [part for part in windows(document, 4, first=True) if isinstance(part, Segment)]
    assert [segment.cut for segment in first] == [(1, 2)]
    assert [segment.cut for segment in windows(town(), 11)] == [(0, 0)] * 3, (
        "between sentences nothing is cut"
    )


def test_what_is_cut_at_a_word_that_is_skipped_is_counted_with_the_next_window() -> None:
    document = marked("d", "a " + "lighthouse" * 6 + " dog", [(0, 2, "a"), (1, 3, "b")])
    cut = [part.cut for part in windows(document, 22, pieces=8) if isinstance(part, Segment)]
    assert cut == [(1, 1), (1, 1)]


def test_the_first_window_alone() -> None:
    found = windows(town(), 12, first=True)
    assert [len(text.split()) for text in texts(found)] == [12]
    assert skipped(found) == [Skipped(10, "after the first window of the document")]
    assert skipped(windows(town(), 22, first=True)) == []


def test_windows_shrink_to_the_pieces_a_model_takes() -> None:
    whole = windows(town(), 22)
    assert len(whole) == 1
    found = windows(town(), 22, pieces=len(whole[0]) - 1)
    assert [len(text.split()) for text in texts(found)] == [12, 10], "by whole sentences where they fit"
    narrow = windows(town(), 22, pieces=8)
    assert all(len(one) <= 8 for one in narrow)
    assert " ".join(texts(narrow)) == " ".join(texts(whole))


def test_a_word_of_too_many_pieces_is_skipped() -> None:
    found = windows(marked("d", "a " + "lighthouse" * 6 + " dog", [(0, 1, "a")]), 22, pieces=8)
    assert texts(found) == ["a", "dog"]
    assert skipped(found) == [Skipped(1, "a word of more than 8 pieces")]


def test_spaced_words_have_pieces_of_their_own() -> None:
    words = Document.from_words("d", ["He", "can", "not"], [True, False, False])
    document = marked("d", "He can not", [(0, 1, "a")])
    joined = Document("d", words.text, words.words, coreference=document.coreference)
    assert joined.text == "He cannot"
    (spaced,) = windows(joined, 5)
    assert spaced.part.text == "He can not" and set(spaced.word.tolist()) == {-1, 0, 1, 2}
    (written,) = (one for one in windows(joined, 5, spaced=False) if isinstance(one, Segment))
    assert written.part.text == "He cannot"


def test_text_without_sentence_marks_is_refused() -> None:
    with pytest.raises(InputError, match=r"document 'd' has no sentence marks"):
        windows(Document.from_text("d", "A dog."), 5)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["the", "dog", "saw", "lighthouses", "keeper", "Anna"]), max_size=9),
        max_size=8,
    ),
    st.integers(1, 20),
    st.integers(16, 40),  # every word fits, however many pieces the tokenizer makes of it
)
def test_no_word_is_lost_and_no_limit_broken(sentences: list[list[str]], words: int, pieces: int) -> None:
    text = " ".join(" ".join([*sentence, "."]) for sentence in sentences) or "."
    found = windows(marked("d", text, []), words, pieces)
    assert skipped(found) == []
    assert " ".join(texts(found)) == text
    assert all(len(one) <= pieces and len(one.words) <= words for one in found)
