"""Small labelled data with a planted rule, and tiny models that can learn it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import torch
import transformers as tf
from torch import nn
from transformers import PreTrainedTokenizerBase

from headscope.models import Sides, load
from headscope.models.model import Model
from headscope.models.task_heads import with_head
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.choice import task_for
from headscope.tasks.task import Task
from headscope.text import Corpus, Document

FILLING = ("the", "old", "lighthouse", "keeper", "every", "a", "ship", "he", "wrote", "small", "book")
CUES = {"calm": ("night", "sleep"), "loud": ("couldn't", "never"), "plain": ("name", "why")}


def bert(tokenizer: PreTrainedTokenizerBase, seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    config = tf.BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=20, max_position_embeddings=64, initializer_range=0.1,
    )  # fmt: skip
    return tf.BertModel(config).eval()


def texts(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Texts of three to twelve words, each with the label of the one cue word in it."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        words = draw.choices(FILLING, k=draw.randint(2, 11))
        label = draw.choice(list(CUES))
        words.insert(draw.randrange(len(words) + 1), draw.choice(CUES[label]))
        rows.append((" ".join(words), label))
    return rows


def table(path: Path, rows: list[tuple[str, str]]) -> Path:
    path.write_text("sentence\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in rows))
    return path


def tag_lines(path: Path, count: int, seed: int = 0) -> Path:
    """Sentences in which each cue word is a chunk of its kind."""
    rows = ["\n".join(f"{word} {_tag(word)}" for word in text.split()) for text, _ in texts(count, seed)]
    path.write_text("\n\n".join(rows) + "\n")
    return path


def _tag(word: str) -> str:
    return next((f"B-{label}" for label, words in CUES.items() if word in words), "O")


def labelled(rows: list[tuple[str, str]]) -> Corpus:
    documents = [
        replace(Document.from_text(f"t:{line}", text), label=label) for line, (text, label) in enumerate(rows)
    ]
    return Corpus("t", "memory", lambda: documents)


def tagged(rows: list[tuple[str, str]]) -> Corpus:
    """Every cue word has its label as tag."""

    def document(line: int, text: str) -> Document:
        words = text.split()
        made = Document.from_words(f"t:{line}", words)
        return replace(made, tags=tuple(map(_tag, words)))

    documents = [document(line, text) for line, (text, _) in enumerate(rows)]
    return Corpus("t", "memory", lambda: documents)


def classifier(tokenizer: PreTrainedTokenizerBase, seed: int = 0) -> tuple[Model, Task]:
    model = with_head(load(bert(tokenizer, seed), tokenizer), "texts", sorted(CUES), seed=seed).model
    return model, task_for(model, "classification")


def tagger(tokenizer: PreTrainedTokenizerBase) -> tuple[Model, Task]:
    names = ["O", *(f"B-{label}" for label in CUES)]
    model = with_head(load(bert(tokenizer), tokenizer), "pieces", names).model
    return model, task_for(model, "tagging")


def prepared(model: Model, task: Task, corpus: Corpus, batch_size: int = 7, pieces: int = 40) -> list[Sides]:
    return list(ExampleBatches(model, task, corpus, pieces, batch_size))
