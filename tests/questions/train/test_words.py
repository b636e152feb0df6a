"""What the tagger knows of words: whole ones, their forms, and pieces of all others."""

from __future__ import annotations

import numpy as np

from headscope.models.vocabulary import count_written, parts_of_words
from headscope.probes.vectors import Vectors
from headscope.questions.train.words import UNKNOWN_ROW, Words

COUNTS = {"Rates": 2, "rates": 1, "rose": 4, "IBM": 3, "zorped": 5, "once": 1, "000": 2}
VECTORS = Vectors(
    "some", np.zeros((6, 2), np.float32), dict.fromkeys(("rates", "rose", "ibm", "once", "fell"), 1)
)


def words(lower: bool = True, vectors: Vectors | None = VECTORS) -> Words:
    return Words.spelled(COUNTS, 2, lower, vectors, ["rose", "fell"])


def test_frequent_words_have_their_vector_and_so_do_the_first_of_the_vectors() -> None:
    known = words()
    assert known.names == ["rates", "rose", "ibm", "fell"], "once is rare, and zorped and 000 have none"
    assert known.counts["rates"] == 3


def test_rare_words_are_unknown_and_counted() -> None:
    """Of 8 running words, 5 are of words that are there at least twice, 3 of a word with a vector."""
    known = Words.whole(["rose Rose fell zorped", "fell once zorp rose"], 2, True)
    assert known.names == ["rose", "fell"] and known.known() == 5 / 8
    vectors = Vectors("some", np.zeros((2, 2), np.float32), {"rose": 1})
    assert vectors.coverage(known.counts) == 3 / 8


def test_forms_share_a_vector_and_pieces_have_that_of_unknown_words() -> None:
    known = words()
    tokenizer, rows = known.tokenizer(types=False), known.rows()
    assert len(rows) == len(tokenizer)
    pieces = tokenizer.tokenize("Rates rose , rates Fell IBM zorped once")
    assert pieces == ["Rates", "rose", "[UNK]", "rates", "Fell", "IBM", "zorped", "o", "##n", "##c", "##e"]
    of_piece = dict(zip(tokenizer.convert_ids_to_tokens(range(len(rows))), rows, strict=True))
    assert of_piece["Rates"] == of_piece["rates"] == 2 and of_piece["IBM"] == of_piece["ibm"] == 4
    assert of_piece["Fell"] == of_piece["fell"] == 5 and of_piece["##e"] == of_piece["zorped"] == UNKNOWN_ROW
    assert of_piece["[PAD]"] == 0 and sorted({*rows}) == list(range(2 + 4)), "a row for each vector"
    assert np.array_equal(rows[:6], np.arange(6)), "each vector's first piece has its number"


def test_letters_that_training_never_saw_are_pieces() -> None:
    """Those of ASCII, and those of the first words of the vectors; of others, a word is wholly unknown."""
    tokenizer = Words.spelled(COUNTS, 2, True, VECTORS, ["café"]).tokenizer(types=False)
    assert tokenizer.tokenize("Quéx")[-2:] == ["##é", "##x"] and tokenizer.tokenize("ñu") == ["[UNK]"]


def test_case_may_part_words() -> None:
    apart = words(lower=False, vectors=None)
    assert apart.names == ["Rates", "rose", "IBM", "zorped", "000", "fell"]
    tokens = apart.tokenizer(types=False).tokenize("Fell 199 rates")
    assert tokens[0] != "Fell" and "000" in tokens and tokens[-1] != "rates"


def test_digits_are_alike() -> None:
    assert count_written(["In 1987, 12%"]) == {
        "In": 1,
        "0000": 1,
        ",": 1,
        "00": 1,
        "%": 1,
    }


def test_endings_of_many_words_are_pieces() -> None:
    ending = parts_of_words([f"{first}aped" for first in "bcdfghjklm"])
    assert {"##ed", "##ped", "##aped"} <= {*ending} and "##baped" not in ending
