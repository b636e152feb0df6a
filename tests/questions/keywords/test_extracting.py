"""Extraction by hand: candidates of two texts, stems, places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.questions.keywords import extracting
from headscope.questions.keywords.extracting import ALL_KEYS, KEYS_IN_TEXT, Extraction, comparable, stemmer
from headscope.questions.keywords.words import Words
from headscope.text import Document

TEXT = "Salt marshes, and the ship; a ship."
KEYS = ("Salt marsh", "SHIPS", "weather")


def words_of(text: str, *keys: str) -> Words:
    """A text with what its words receive: their places, counted from 1."""
    document = replace(Document.from_text("a", text), keywords=keys)
    rows = [place for place, word in enumerate(document.surfaces()) if word.isalpha()]
    size = len(rows)
    received = np.repeat(np.arange(1.0, size + 1)[:, None, None], 3, 1).astype(np.float16)
    surface = [document.surface(row).lower() for row in rows]
    return Words(
        *([document], np.array([2]), np.zeros(1, int), np.zeros(size, int), np.array(rows), surface),
        *(np.zeros(size, bool), np.ones((size, 3), np.float32), received),
    )


def test_scores_of_phrases_by_hand() -> None:
    """salt 1, marshes 2, ship 5 and 7 and stop words between: "salt marshes" is 3, "ship" the mean."""
    words = words_of(TEXT, *KEYS)
    (ranking,) = Extraction(words, [2], "ngrams", None).rankings
    scores = dict(
        zip(ranking.phrases, (ranking.shares @ words.reading("sum", ranking.rows)).ravel(), strict=True)
    )
    assert scores == {"salt": 1, "salt marshes": 3, "marshes": 2, "ship": 6}


def test_a_phrase_of_words_that_comes_twice_is_summed() -> None:
    words = words_of("salt marsh, salt marsh", "salt")
    (ranking,) = Extraction(words, [2], "ngrams", None).rankings
    scores = dict(
        zip(ranking.phrases, (ranking.shares @ words.reading("sum", ranking.rows)).ravel(), strict=True)
    )
    assert scores["salt marsh"] == 1 + 2 + 3 + 4 and scores["marsh"] == 3


def test_stems_decide_what_is_right() -> None:
    """Ranked ship, salt marshes, marshes, salt. Without stems, nothing is right."""
    words = words_of(TEXT, *KEYS)
    stem = stemmer()
    assert stem is not None
    plain, stemmed = (Extraction(words, [2], "ngrams", one) for one in (None, stem))
    score = lambda rows: words.reading("sum", rows)  # noqa: E731
    assert plain.f1(score).max() == 0
    by_taken, by_k = stemmed.f1(score)[0, :, 0, 0]  # two right of four taken, or of five; three wanted
    assert by_taken == pytest.approx(4 / 7) and by_k == pytest.approx(4 / 8)


def test_keys_that_are_not_in_the_text_can_be_left_out() -> None:
    words = words_of("The ship.", "ship", "weather")
    own = Extraction(words, [2], "ngrams", None)
    score = lambda rows: words.reading("sum", rows)  # noqa: E731
    assert own.f1(score, ALL_KEYS)[0, 0, 0, 0] == pytest.approx(2 / 3)
    assert own.f1(score, KEYS_IN_TEXT)[0, 0, 0, 0] == 1
    without = Extraction(words_of("The ship.", "weather"), [2], "ngrams", None)
    assert len(without.f1(score, KEYS_IN_TEXT)) == 0 and without.f1(score).max() == 0


def test_a_text_without_candidates() -> None:
    words = words_of("and the", "ship")
    assert Extraction(words, [2], "ngrams", None).f1(lambda rows: words.reading("sum", rows)).max() == 0


def test_stems_are_of_whole_words() -> None:
    stem = stemmer()
    assert comparable("Neural Networks", stem) == comparable("neural  network", stem)
    assert comparable("art", stem) != comparable("article", stem)


def test_without_the_package_nothing_is_stemmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "snowballstemmer", None)
    assert extracting.stemmer() is None
