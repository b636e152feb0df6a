"""The whole question about coreference, asked of tiny models: tables, notes, mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from headscope import coref
from headscope.errors import InputError, OptionError
from headscope.models import Model
from headscope.questions.coref.analysis import TYPES
from headscope.questions.coref.options import Candidates, HeadFinder
from headscope.text import Corpus, Document, head_words
from headscope.text.head_words import with_heads
from tests.mentions import marked
from tests.mentions import mixed as documents


def corpus_of(documents: Sequence[Document]) -> Corpus:
    return Corpus("made", "made", lambda: documents)


def test_the_whole_question(bert: Model) -> None:
    texts = [*documents(9), with_heads(marked("shared", "Anna , a baker", [(0, 1, "a"), (0, 4, "a")]))]
    result = coref(bert, corpus_of(texts), window=30, twins=2, batch_size=4)
    types = result.table("coref_types")
    assert list(types["type"]) == list(TYPES) and types["twin"].between(0, 1).all()
    assert result.arrays["heads"].sizes["twin"] == 2
    assert list(result.arrays["heads"]["head"].values) == list(result.table("coref_heads")["head"].unique())
    told = "\n".join(result.notes)
    # Rome is named once in each of three documents.
    assert "3 of 104 mentions name what the document names only once; they are left out" in told
    assert "2 mentions share their head word with all their antecedents" in told
    kept = coref(bert, corpus_of(texts), window=30, twins=0, singletons=True, candidates="mentions")
    assert "they stay as candidates" in "\n".join(kept.notes)
    assert kept.table("coref_types")["twin"].isna().all()
    assert kept.arrays["heads"].attrs["mentions"] > result.arrays["heads"].attrs["mentions"]
    assert kept.arrays["heads"].attrs["scored"] == result.arrays["heads"].attrs["scored"]


def test_texts_without_sentence_breaks_are_told(bert: Model, tmp_path: Path) -> None:
    """Twelve words in one block, windows of five: of four mentions, those of three words are cut apart."""
    rows = ["(1)", "_", "(1)", "_", "(1", "_", "1)", "_", "_", "(1", "_", "1)"]
    lines = "".join(f"{number}\tdog\t{field}\n" for number, field in enumerate(rows))
    path = tmp_path / "a.conll"
    path.write_text(f"# begin document d\n{lines}# end document\n")
    notes = coref(bert, path, window=5, twins=0).notes
    assert (
        "2 windows end within a sentence, which is longer than they are and is cut between words; 2 mentions "
        "are cut apart there and left out"
    ) in notes
    assert (
        "a.conll: no sentence breaks within 1 of the documents, each of which is taken as one sentence: d"
        in notes
    )
    whole = coref(bert, path, window=12, twins=0).notes
    assert not any("end within a sentence" in note for note in whole)


def test_singletons_make_the_nearest_mention_worse(bert: Model) -> None:
    # "Anna saw Rome . She": with Rome, which is named once, the nearest mention is wrong.
    texts = [marked("d", "Anna saw Rome . She", [(0, 1, "a"), (2, 3, "r"), (4, 5, "a")])]
    nearest = [
        coref(bert, corpus_of(texts), twins=0, singletons=one).table("coref_types")["nearest"][0]
        for one in (False, True)
    ]
    assert nearest == [1.0, 0.0]


def test_mistakes_are_explained(bert: Model) -> None:
    with pytest.raises(OptionError, match=r"unknown --candidates 'word'; did you mean 'words'\?"):
        coref(bert, corpus_of(documents(1)), candidates="word")
    with pytest.raises(OptionError, match=r"unknown --head-finder 'trees'; did you mean 'tree'\?"):
        coref(bert, corpus_of(documents(1)), head_finder="trees")
    with pytest.raises(OptionError, match=r"--window must be at least 1, not 0"):
        coref(bert, corpus_of(documents(1)), window=0)
    with pytest.raises(OptionError, match=r"--twins must be at least 0, not -1"):
        coref(bert, corpus_of(documents(1)), twins=-1)
    with pytest.raises(InputError, match=r"no mention has an antecedent in its window"):
        coref(bert, corpus_of([marked("d", "Anna saw Bert", [(0, 1, "a"), (2, 3, "b")])]), twins=0)
    with pytest.raises(InputError, match=r"document '#0' has no mentions"):
        coref(bert, ["Just text."], twins=0)


def test_an_encoder_decoder_is_asked_through_its_encoder(bart: Model) -> None:
    result = coref(bart, corpus_of(documents(4)), twins=0)
    assert set(result.table("coref_heads")["stack"]) == {"encoder"}
    assert any("only the heads of the encoder" in note for note in result.notes)


def test_every_candidate_is_told_in_words(bert: Model) -> None:
    told = set()
    for candidates in get_args(Candidates):
        notes = coref(bert, corpus_of(documents(2)), twins=0, candidates=candidates).notes
        told |= {note.partition("candidates are ")[2] for note in notes if "candidates are " in note}
    assert len(told) == 3


def test_the_option_knows_every_head_finder() -> None:
    assert get_args(HeadFinder) == get_args(head_words.HeadFinder)
