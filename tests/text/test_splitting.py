"""Sentences of running text: what ends them, how a tokenizer tells its model of them."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
import transformers

from headscope.models.vocabulary import word_tokenizer
from headscope.text import Document
from headscope.text.encoding import encoder_for
from headscope.text.sentences import Splitting, sentence_numbers, splitting_of, told_sentences


def parted(text: str, splitting: Splitting = "marks") -> list[str]:
    document = Document.from_text("a", text)
    pairs = zip(sentence_numbers(document, splitting).tolist(), document.surfaces(), strict=True)
    return [" ".join(word for _, word in own) for _, own in groupby(pairs, key=lambda pair: pair[0])]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It ran. It fell! Why? so it goes", ["It ran .", "It fell !", "Why ?", "so it goes"]),
        (
            "Dr. A. Lum of the U.S.A. came etc. and left.",
            ["Dr . A . Lum of the U.S.A . came etc . and left ."],
        ),
        ('He said "no." Then (yes!) went', ['He said " no . "', "Then ( yes ! )", "went"]),
        ("Well... 3.14 is it?! Yes", ["Well . . .", "3.14 is it ? !", "Yes"]),
        ("so was I. He ran .", ["so was I .", "He ran ."]),
        ("他来了。「好！」他说", ["他 来 了 。", "「 好 ！ 」", "他 说"]),
        ("no mark at all", ["no mark at all"]),
        ("", []),
    ],
)
def test_marks_end_sentences(text: str, sentences: list[str]) -> None:
    assert parted(text) == sentences


def test_lines_are_sentences_where_a_text_has_several() -> None:
    assert parted("One. Two\n\nthree\n", "lines") == ["One . Two", "three"]
    one, several = Document.from_text("a", "One. Two\n"), Document.from_text("b", "a\nb")
    assert splitting_of([one]) == "marks" and splitting_of([one, several]) == "lines"
    assert splitting_of([one, one, several]) == "marks", "a break in one text says nothing of the others"


def test_a_tokenizer_tells_its_model_and_keeps_that(tmp_path: Path) -> None:
    word_tokenizer(["it", "ran"], sentences="marks").save_pretrained(tmp_path)
    again = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert told_sentences(again) == "marks" and "token_type_ids" in again.model_input_names
    encoder = encoder_for(Document.from_text("a", "It ran. It fell. So it ran."), again)
    assert encoder.encode(0, 10).types.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    assert encoder.encode(3, 10, limit=5).types.tolist() == [0, 0, 0, 1, 1], "counted from what is read"
    assert told_sentences(word_tokenizer(["it"])) is None
