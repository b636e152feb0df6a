"""Phrases and tags of PropBank's files, and sentences of them."""

from __future__ import annotations

from pathlib import Path

from headscope.text import read, sentences
from headscope.text.readers.propbank import CONSTITUENTS

ROWS = """# sent_id = news-a-0001
a\t0\t0\tThe\tDT\t(TOP(S(NP*\t-\t-
a\t0\t1\tdog\tNN\t*)\t-\t-
a\t0\t2\tbarks\tVBZ\t(VP*)\t-\t-
a\t0\t3\t.\t.\t*))\t-\t-

# sent_id = news-a-0002
a\t1\t0\tGo\tVB\t(TOP(S(VP*))\t-\t-
a\t1\t1\t!\t.\t*)\t-\t-
"""


def test_sentences_of_a_document_have_their_phrases_and_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.gold_conll"
    path.write_text(ROWS)
    corpus = read(path)
    (document,) = corpus
    assert document.tags == ("DT", "NN", "VBZ", ".", "VB", ".") and corpus.notes == []
    parts = [part for _, part in sentences(document)]
    assert [part.tags for part in parts] == [("DT", "NN", "VBZ", "."), ("VB", ".")]
    labelled = [[edge[1:4] for edge in part.edges.edges if edge.kind == CONSTITUENTS] for part in parts]
    assert labelled == [[("S", 0, 4), ("NP", 0, 2), ("VP", 2, 3)], [("S+VP", 0, 1)]]


def test_many_words_with_tags_and_sentences_are_parted(tmp_path: Path) -> None:
    path = tmp_path / "a.gold_conll"
    path.write_text(ROWS * 60)
    corpus = read(path)
    assert [len(document.words) for document in corpus] == [360] and corpus.notes == []
