"""Words of running text in several scripts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.text import split_words


def surfaces(text: str) -> list[str]:
    return [text[start:end] for start, end in split_words(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t\u00a0", []),
        ("The end.", ["The", "end", "."]),
        ("don't well-known 3.14 U.S.A. 1,000", ["don't", "well-known", "3.14", "U.S.A", ".", "1,000"]),
        ("'tis the dogs' bone", ["'", "tis", "the", "dogs", "'", "bone"]),
        ("a,b x--y wait...", ["a", ",", "b", "x", "-", "-", "y", "wait", ".", ".", "."]),
        ("$5 C++ snake_case _", ["$", "5", "C", "+", "+", "snake_case", "_"]),
        ("Grüße, Işıl'ın!", ["Grüße", ",", "Işıl'ın", "!"]),
        ("e\u0301te\u0301 हिन्दी", ["e\u0301te\u0301", "हिन्दी"]),
        ("我们3月去。", ["我", "们", "3", "月", "去", "。"]),
        ("ひらカタ𠀋", ["ひ", "ら", "カ", "タ", "𠀋"]),
        ("한국어 문장", ["한국어", "문장"]),
        ('קראה סֵפֶר. צה"ל', ["קראה", "סֵפֶר", ".", 'צה"ל']),
        ('הוא אמר "שלום"', ["הוא", "אמר", '"', "שלום", '"']),
        ("كَتَبَ، می‌خواهم؟", ["كَتَبَ", "،", "می‌خواهم", "؟"]),
        ("👍🏽👍 👩‍👩‍👧‍👦!", ["👍🏽", "👍", "👩‍👩‍👧‍👦", "!"]),
        ("🇩🇪🇯🇵 ❤️ 1️⃣", ["🇩🇪", "🇯🇵", "❤️", "1️⃣"]),
        ("zero\u200bwidth \u200e \x01", ["zero", "width"]),
    ],
)
def test_splits_like_a_reader(text: str, words: list[str]) -> None:
    assert surfaces(text) == words


@given(st.text())
def test_words_are_in_order_and_hold_every_visible_character(text: str) -> None:
    spans = split_words(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(start < end for start, end in spans)
    assert not any(character.isspace() for word in surfaces(text) for character in word)
    inside = {place for start, end in spans for place in range(start, end)}
    assert all(
        place in inside
        for place, character in enumerate(text)
        if character.isprintable() and character != " "
    )


@pytest.mark.parametrize("unit", ["a", "a.", "e\u0301", "👩\u200d", "'", "a b "])
def test_long_text_takes_linear_time(unit: str) -> None:
    """Eight times the text takes eight times as long, not sixty-four; measured without the neighbours."""

    def seconds(repeats: int) -> float:
        started = time.process_time()
        split_words(unit * repeats)
        return time.process_time() - started

    short = min(seconds(25_000) for _ in range(3))
    assert min(seconds(200_000) for _ in range(2)) < 24 * short
