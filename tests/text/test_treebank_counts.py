"""Real treebanks: as many documents, sentences, words and mentions as their makers count."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from headscope.text import Document, read, sentences
from headscope.text.layers import ROOT
from tests.sampling import sampled

TREES = {
    "01_ud_english_ewt/en_ewt-ud-train.conllu.xz": (540, 12_544, 204_577),
    "01_ud_english_ewt/en_ewt-ud-dev.conllu": (318, 2_001, 25_147),
    "01_ud_english_ewt/en_ewt-ud-test.conllu": (316, 2_077, 25_094),
    "11_ud_multilingual/de_gsd-ud-dev.conllu": (799, 799, 12_480),
    "11_ud_multilingual/zh_gsdsimp-ud-dev.conllu": (500, 500, 12_663),
    "11_ud_multilingual/zh_gsdsimp-ud-test.conllu": (500, 500, 12_012),
    "11_ud_multilingual/tr_imst-ud-dev.conllu": (67, 1_100, 10_542),
    "11_ud_multilingual/tr_imst-ud-test.conllu": (47, 1_100, 10_032),
    "11_ud_multilingual/he_iahltwiki-ud-dev.conllu": (7, 348, 9_395),
    "11_ud_multilingual/he_iahltwiki-ud-test.conllu": (7, 393, 10_734),
}
# documents, sentences, words, mentions, entities
COREFERENCE = {
    "ud/en_gum-ud-train.conllu.xz": (177, 10_224, 177_410, 49_649, 25_758),
    "ud/en_gum-ud-dev.conllu.xz": (30, 1_575, 28_119, 7_897, 3_940),
    "ud/en_gum-ud-test.conllu.xz": (30, 1_464, 28_397, 7_927, 4_319),
    "coref_conll/gum_train.conll.xz": (177, 177, 177_410, 49_649, 25_757),
    "coref_conll/gum_dev.conll": (30, 30, 28_119, 7_897, 3_940),
    "coref_conll/gum_test.conll": (30, 30, 28_397, 7_927, 4_319),
    "coref_conll/ontogum_train.conll.xz": (177, 177, 177_410, 23_320, 5_311),
    "coref_conll/ontogum_dev.conll": (30, 30, 28_119, 3_818, 857),
    "coref_conll/ontogum_test.conll": (30, 30, 28_397, 3_581, 858),
    "litbank/litbank_coref.conll.xz": (100, 8_562, 210_532, 29_103, 7_927),
}
SMALL = {
    "01_ud_english_ewt/en_ewt-ud-dev.conllu",
    "11_ud_multilingual/he_iahltwiki-ud-dev.conllu",
    "11_ud_multilingual/zh_gsdsimp-ud-test.conllu",
    "ud/en_gum-ud-test.conllu.xz",
    "coref_conll/gum_test.conll",
    "coref_conll/ontogum_dev.conll",
}
"""One of each kind."""


def sizes(documents: list[Document]) -> tuple[int, int, int]:
    marks = [document.dependencies or document.coreference for document in documents]
    spans = sum(int(layer.sentences[-1]) + 1 for layer in marks)
    return len(documents), spans, sum(len(document.words) for document in documents)


@pytest.mark.parametrize("name", sampled(TREES, SMALL))
def test_trees(data: Path, name: str) -> None:
    expected = TREES[name]
    documents = list(read(data / name))
    assert sizes(documents) == expected
    assert sum(int((document.dependencies.heads == ROOT).sum()) for document in documents) == expected[1]
    # marks of named entities, as in the Hebrew treebank, are no coreference
    assert all(document.coreference is None for document in documents)


@pytest.mark.parametrize("name", sampled(COREFERENCE, SMALL))
def test_coreference(data: Path, name: str) -> None:
    documents = list(read(data / "02_gum_coref" / name))
    mentions = sum(len(document.coreference.mentions) for document in documents)
    entities = sum(len({one.entity for one in document.coreference.mentions}) for document in documents)
    assert (*sizes(documents), mentions, entities) == COREFERENCE[name]


@pytest.mark.slow
def test_the_penn_treebank_sample(data: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(data / "03_conll2000_ptb" / "dependency_treebank.zip").extractall(tmp_path)
    for other in [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".dp"]:
        other.unlink()
    assert sizes(list(read(tmp_path))) == (199, 3_914, 94_084)


def test_both_forms_of_gum_hold_the_same_mentions(data: Path) -> None:
    folder = data / "02_gum_coref"
    trees, exports = read(folder / "ud/en_gum-ud-dev.conllu.xz"), read(folder / "coref_conll/gum_dev.conll")
    for one, other in zip(trees, exports, strict=True):
        assert one.id == other.id
        found = [[(m.start, m.end, m.entity) for m in d.coreference.mentions] for d in (one, other)]
        assert sorted(found[0]) == sorted(found[1])


def test_heads_of_mentions_mostly_lead_out_of_them(data: Path) -> None:
    """The head that GUM names is nearly always the top of the tree over the mention."""
    led = []
    for document in read(data / "02_gum_coref" / "ud/en_gum-ud-dev.conllu.xz"):
        for mention in document.coreference.mentions:
            above = document.dependencies.heads[mention.head]
            led.append(not mention.start <= above < mention.end)
    assert np.mean(led) > 0.99


def test_sentences_read_as_their_text_comment(data: Path) -> None:
    """Without a token of several words, words and spaces give the sentence exactly."""
    path = data / "01_ud_english_ewt" / "en_ewt-ud-dev.conllu"
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    parts = [part for document in read(path) for _, part in sentences(document)]
    compared = 0
    for block, part in zip(blocks, parts, strict=True):
        rows = [line for line in block.split("\n") if line[0] != "#"]
        if not any("-" in row.split("\t")[0] for row in rows):
            (text,) = (line for line in block.split("\n") if line.startswith("# text = "))
            assert part.text == text.removeprefix("# text = ")
            compared += 1
    assert compared > 1_500
