"""Real treebank words, each aligned with its own pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from headscope.text import Document, cut, piece_label

SENTENCES = 150


def sentences(path: Path) -> Iterator[list[str]]:
    """The forms of each sentence, word lines only."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n")[:SENTENCES]:
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        yield [row[1] for row in rows if row[0].isdigit()]


@pytest.mark.parametrize("language", ["de", "he", "tr", "zh"])
def test_every_word_gets_its_own_characters(language: str, data: Path, tokenizers) -> None:
    path = next((data / "11_ud_multilingual").glob(f"{language}_*-dev.conllu"))
    exact, lowered = tokenizers["roberta"], tokenizers["minilm"]
    normalize = lowered.backend_tokenizer.normalizer.normalize_str
    for number, forms in enumerate(sentences(path)):
        document = Document.from_words(str(number), forms)
        for segment in cut(document, exact, 200, pair=True):
            own = [segment.pieces[segment.word == word] for word in range(len(segment.words))]
            assert [exact.decode(ids).strip() for ids in own] == list(segment.words)
        for segment in cut(document, lowered, 64, pair=True):
            for word, surface in enumerate(segment.words):
                labels = [piece_label(lowered, int(id)) for id in segment.pieces[segment.word == word]]
                assert labels
                assert "[UNK]" in labels or "".join(labels) == normalize(surface).replace(" ", "")


def test_a_whole_file_is_cut_without_loss(data: Path, tokenizers) -> None:
    text = (data / "07_wikitext2" / "test.txt").read_text(encoding="utf-8")[:300_000]
    document = Document.from_text("wiki", text)
    found = list(cut(document, tokenizers["minilm"], 128, pair=True))
    assert [word for segment in found for word in segment.words] == [
        document.surface(word) for word in range(len(document.words))
    ]
    assert max(len(segment) for segment in found) <= 128
    assert all(len(segment.spans) == 2 for segment in found if len(segment.words) > 1)
