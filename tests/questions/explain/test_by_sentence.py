"""Importance summed over sentences: sums, what is of no sentence, lines and pairs, and the document drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import headscope
from headscope.models import Model
from headscope.questions.explain.by_sentence import ROW, sentences_table
from headscope.questions.explain.keeping import from_record, to_record
from headscope.questions.explain.pictures import documents
from headscope.questions.explain.screen import screen
from headscope.questions.explain.tables import Parted, explained_in, importance_table
from headscope.results.result import Result
from tests.questions.explain.test_tables import FIRST

DOCUMENT = "The old keeper wrote a book. A ship said sleep! The lighthouse was old."


def explained(model: Any, text: Any = DOCUMENT, **options: Any) -> Result:
    return headscope.explain(model, text, by_sentence=True, **options)


@pytest.fixture(scope="module")
def result(classifier: Model) -> Result:
    by = ("attention", "rollout", "norms", "gradient-input", "occlusion")
    return explained(classifier, [DOCUMENT, "A book."], by=by)


def test_sentences_sum_to_the_document(result: Result) -> None:
    tokens, sentences = (
        result.table(name).groupby(ROW[:3], sort=False)["importance"].sum()
        for name in ("importance", "sentences")
    )
    pd.testing.assert_series_equal(tokens, sentences, rtol=0, atol=1e-6)
    shares = result.table("sentences").groupby(ROW[:3])["share"].sum()
    assert np.allclose(shares, 1, atol=1e-12)


def test_sentences_and_what_is_of_none(result: Result) -> None:
    table = result.table("sentences")
    own = table[(table["text"] == table["text"][0]) & (table["explainer"] == "attention")]
    assert own["sentence"].tolist() == [-1, 0, 1, 2]
    assert own["says"].tolist()[1:] == [
        "The old keeper wrote a book.",
        "A ship said sleep!",
        "The lighthouse was old.",
    ]
    assert np.isnan(own["share"].iloc[0]) and own["tokens"].iloc[0] == 2
    one = table[(table["text"] != table["text"][0]) & (table["sentence"] >= 0)]
    assert one["share"].tolist() == [1.0] * 5, "a document of one sentence"
    assert any("sentences end with a period" in note for note in result.notes)
    (told,) = [each.text for each in result.findings if "sentence" in each.text]
    most = own.loc[own["share"].idxmax(), "says"]
    assert told.startswith(f"By attention, “{most}” mattered most of the sentences of ")
    assert next(iter(screen(result))).title.count("part of each sentence in %") == 1


def test_by_hand() -> None:
    """[CLS] | a good | film, by three ways."""
    text = replace(FIRST, sentences=Parted(np.array([-1, 0, 0, 1]), ["a good", "film"]))
    text = from_record(to_record(text))
    table = importance_table(list(explained_in(text.explanation, False, text.sentences)))
    made = sentences_table(table, [text]).set_index(["explainer", "sentence"])
    assert made.loc["attention", "importance"].tolist() == pytest.approx([0.7, 0.2, 0.1])
    assert made.loc["attention", "share"].tolist()[1:] == pytest.approx([2 / 3, 1 / 3])
    assert made.loc["occlusion", "importance"].tolist()[1:] == [2.0, 0.0] and np.isnan(
        made.iloc[3]["importance"]
    )
    assert made.loc["attention", "says"].tolist() == ["", "a good", "film"]


def test_lines_are_sentences_and_pairs_have_their_own(classifier: Model, tmp_path: Path) -> None:
    lines = explained(classifier, ["The old keeper. A book\nwas old"], by=("attention",)).table("sentences")
    assert lines["says"].tolist() == ["", "The old keeper. A book", "was old"]
    pair = explained(classifier, "The old ship. A book.", second="Sleep. Said.", by=("attention",))
    assert pair.table("sentences")["says"].tolist() == ["", "The old ship.", "A book.", "Sleep.", "Said."]


def test_a_long_sentence_is_told_in_short(classifier: Model) -> None:
    """Braces in a text are nothing to be filled."""
    text = "The {old} keeper " + "wrote a book and " * 9 + "said {sleep}. A ship."
    (told, *_) = explained(classifier, text, by=("first",)).findings
    assert "“The {old} keeper wrote" in told.text and "…”" in told.text and len(told.text) < 160


def test_a_page_shows_both_colourings(result: Result, tmp_path: Path) -> None:
    assert documents.needs(result)
    figure = documents.draw(result)
    shown = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert sum(text.endswith(" %") for text in shown) == 4 and "keeper" in "".join(shown)
    assert len(figure.axes) == 2


def test_without_it_nothing_is_summed(classifier: Model) -> None:
    plain = headscope.explain(classifier, DOCUMENT, by=("attention",))
    assert "sentences" not in plain.tables and "sentence" not in plain.table("importance")
    assert not documents.needs(plain)
