"""Treebanks of other languages: every word is scored, left out by its relation, or skipped and told."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import transformers as tf

from headscope import syntax
from headscope.models import Model, load
from headscope.text import Document, read, sentences
from tests.sampling import sampled
from tests.shapes import widened
from tests.trees import corpus

TREEBANKS = {
    "german": "de_gsd-ud-dev.conllu",
    "chinese": "zh_gsdsimp-ud-dev.conllu",
    "turkish": "tr_imst-ud-dev.conllu",
    "hebrew": "he_iahltwiki-ud-dev.conllu",
}
SENTENCES = {"embedded": 80, "byte-level": 150, "unigram": 150}  # of each treebank, but for the slow test
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 20}
LONGEST = 200  # short enough that byte-level tokenizers leave some sentences out


@pytest.fixture(scope="module")
def models(tokenizers) -> dict[str, Model]:
    """The embedded model, and tiny ones whose tokenizers have hardly seen these languages."""
    byte_level, pieces = tokenizers["gpt2"], tokenizers["unigram"]
    config = tf.LlamaConfig(
        **SIZES, num_key_value_heads=2, vocab_size=len(byte_level), max_position_embeddings=LONGEST
    )
    llama = widened(tf.LlamaForCausalLM(config))
    bert = tf.BertModel(
        tf.BertConfig(**SIZES, vocab_size=len(pieces), max_position_embeddings=LONGEST, pad_token_id=0)
    )
    return {
        "embedded": load("default"),
        "byte-level": load(llama, byte_level),
        "unigram": load(widened(bert), pieces),
    }


def first_sentences(path: Path, count: int | None) -> list[Document]:
    """The first documents of a treebank that hold about so many sentences."""
    taken, size = [], 0
    for document in read(path):
        taken.append(document)
        size += int(document.dependencies.sentences[-1]) + 1
        if count is not None and size >= count:
            break
    return taken


def fate(part: Document, model: Model, longest: int) -> Counter[str]:
    """What becomes of the words of a sentence, from the tokenizer's own offsets."""
    words = [part.surface(word) for word in range(len(part.words))]
    encoded = model.tokenizer(" ".join(words), return_offsets_mapping=True)
    if len(encoded["input_ids"]) > longest:
        return Counter({f"in a sentence of more than {longest} pieces": len(words)})
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    known = [
        any(
            start < end and start < stop and end > stop - len(word)
            for start, end in encoded["offset_mapping"]
        )
        for word, stop in zip(words, ends, strict=True)
    ]
    found: Counter[str] = Counter()
    for word, (head, relation) in enumerate(
        zip(part.dependencies.heads, part.dependencies.relations, strict=True)
    ):
        if not known[word]:
            found["the tokenizer has no piece for the word"] += 1
        elif head >= 0 and not known[head]:
            found["no piece for the word's head"] += 1
        else:
            found["left out" if head < 0 or relation.startswith("punct") else "scored"] += 1
    return found


def check(documents: list[Document], model: Model) -> Counter[str]:
    """Ask, compare what it tells with the fate of each word, and give that back."""
    result = syntax(model, corpus(*documents), twins=0, least=1)
    longest = min(512, model.longest or 512)
    expected: Counter[str] = Counter()
    for document in documents:
        for _, part in sentences(document):
            expected += fate(part, model, longest)
    words = result.table("relations").set_index("relation").loc["all", "words"]
    skipped = [re.fullmatch(r"([\d,]+) words are skipped: (.*)", note) for note in result.notes]
    told = {one[2]: int(one[1].replace(",", "")) for one in skipped if one}
    assert words == expected["scored"]
    assert told == {reason: size for reason, size in expected.items() if reason not in ("scored", "left out")}
    assert words + expected["left out"] + sum(told.values()) == sum(len(one.words) for one in documents)
    return expected


SOME = [("german", "unigram"), ("chinese", "embedded"), ("turkish", "byte-level"), ("hebrew", "unigram")]
"""Every language and every tokenizer."""


@pytest.mark.parametrize(("language", "kind"), sampled(product(TREEBANKS, SENTENCES), SOME))
def test_every_word_of_the_first_sentences(language: str, kind: str, models, data: Path) -> None:
    documents = first_sentences(data / "11_ud_multilingual" / TREEBANKS[language], SENTENCES[kind])
    found = check(documents, models[kind])
    assert found["scored"] > 500 and found["left out"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", SENTENCES)
@pytest.mark.parametrize("path", [
    "de_gsd-ud-dev", "zh_gsdsimp-ud-dev", "zh_gsdsimp-ud-test", "tr_imst-ud-dev", "tr_imst-ud-test",
    "he_iahltwiki-ud-dev", "he_iahltwiki-ud-test",
])  # fmt: skip
def test_every_word_of_whole_treebanks(path: str, kind: str, models, data: Path) -> None:
    check(first_sentences(data / "11_ud_multilingual" / f"{path}.conllu", None), models[kind])


def test_byte_level_pieces_make_some_sentences_too_long(models, data: Path) -> None:
    """The accounts above would be empty if nothing were ever skipped."""
    documents = first_sentences(data / "11_ud_multilingual" / TREEBANKS["chinese"], 40)
    found = check(documents, models["byte-level"])
    assert found["in a sentence of more than 200 pieces"] > 0
