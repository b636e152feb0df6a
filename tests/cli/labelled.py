"""Small labelled files and models with task heads, as a user of ablate and prune would have them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import torch
import transformers as tf

import headscope
from tests import tokenizers
from tests.cli.folders import SIZES

_GOOD, _BAD = ("sleep", "ship", "book"), ("night", "lighthouse", "name")
TAGS = ["O", "B-NP", "I-NP"]


def rows(number: int, seed: int = 0) -> list[tuple[str, int]]:
    """Texts of a few words, good if they name a ship, a book or sleep."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        label = draw.randrange(2)
        noun = draw.choice(_GOOD if label else _BAD)
        rest = draw.choices(("the", "old", "keeper", "wrote", "never", "said"), k=draw.randrange(1, 6))
        found.append((" ".join([*rest, noun]), label))
    return found


def write_texts(path: Path, number: int, seed: int = 0) -> Path:
    lines = [f"{text}\t{label}" for text, label in rows(number, seed)]
    path.write_text("\n".join(["sentence\tlabel", *lines]) + "\n")
    return path


def write_translations(path: Path, number: int, seed: int = 0) -> Path:
    """The same words backwards."""
    lines = [f"{text}\t{' '.join(text.split()[::-1])}" for text, _ in rows(number, seed)]
    path.write_text("\n".join(["text\ttarget", *lines]) + "\n")
    return path


def write_tags(path: Path, number: int, seed: int = 0) -> Path:
    """Every run of words before the last is a phrase."""
    sentences = []
    for text, _ in rows(number, seed):
        words = text.split()
        tags = ["B-NP", *["I-NP"] * (len(words) - 2), "O"]
        sentences.append("\n".join(f"{word} {tag}" for word, tag in zip(words, tags, strict=True)))
    path.write_text("\n\n".join(sentences) + "\n")
    return path


def same_tables(one: Path, other: Path, names: Iterable[str]) -> None:
    """Tables of two runs are equal to the last bit."""
    for name in names:
        first, second = (headscope.open(path).table(name) for path in (one, other))
        pd.testing.assert_frame_equal(first, second, check_exact=True)


def save_model(path: Path, tags: bool = False, seed: int = 0) -> Path:
    """A tiny BERT with random weights that are large enough for its heads to matter."""
    tf.utils.logging.disable_progress_bar()
    torch.manual_seed(seed)
    tokenizer = tokenizers.wordpiece()
    labels = TAGS if tags else ["0", "1"]
    config = tf.BertConfig(
        **SIZES, vocab_size=len(tokenizer), max_position_embeddings=64, pad_token_id=0,
        id2label=dict(enumerate(labels)), label2id={label: place for place, label in enumerate(labels)},
    )  # fmt: skip
    kind = tf.BertForTokenClassification if tags else tf.BertForSequenceClassification
    model = kind(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(std=0.4)
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path
