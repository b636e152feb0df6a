"""Plain text without blank lines or without any line end is read in parts, never whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.text import read
from headscope.text.lines import read_parts
from headscope.text.readers import plain


def test_a_long_line_is_cut_between_words(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one two three\nfour")
    assert list(read_parts(path, 8)) == [(1, 0, "one two "), (1, 1, "three"), (2, 0, "four")]


def test_a_long_word_is_cut_between_letters(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("ééééé", encoding="utf-8")  # two bytes each
    parts = list(read_parts(path, 5))
    assert "".join(text for _, _, text in parts) == "ééééé"
    assert [number for number, _, _ in parts] == [1] * len(parts)


def test_no_text_is_lost_or_doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LONGEST", 40)
    words = [f"word{number}" for number in range(50)]
    path = tmp_path / "a.txt"
    path.write_text(" ".join(words[:20]) + "\n" + "\n".join(words[20:]), encoding="utf-8")
    documents = list(read(path))
    assert [document.surface(at) for document in documents for at in range(len(document.words))] == words
    # A part begins with the word that the one before could not hold; lines are joined by line ends.
    assert max(len(document.text) for document in documents) <= 40 + len("word49") + 8
    ids = [document.id for document in documents]
    assert len(set(ids)) == len(ids)
    assert ids[:3] == ["a.txt:1", "a.txt:1+1", "a.txt:1+2"]


def test_short_blocks_stay_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n\n\nthree\n", encoding="utf-8")
    assert [(document.id, document.text) for document in read(path)] == [
        ("a.txt:1", "one\ntwo"), ("a.txt:5", "three"),
    ]  # fmt: skip
