"""A text of any size and a model of one layer, both made here: what is heard of them costs little."""

from __future__ import annotations

import random
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".")
LETTERS, WORDS_OF_A_DOCUMENT = 60, 120
"""Long words: memory goes by characters, time by words."""


def vocabulary(size: int = 500) -> list[str]:
    """Words of many letters, drawn with a fixed seed."""
    draw = random.Random(0)
    return ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=LETTERS)) for _ in range(size)]


def write_text(path: Path, megabytes: float) -> Path:
    """Documents of the same length, parted by blank lines, until there are so many megabytes."""
    draw, words, written = random.Random(1), vocabulary(), 0
    with path.open("w") as file:
        while written < megabytes * 10**6:
            written += file.write(" ".join(draw.choices(words, k=WORDS_OF_A_DOCUMENT)) + ".\n\n")
    return path


def save_model(folder: Path) -> Path:
    """A BERT of one layer with random weights, which has a piece for every word of the text."""
    known = {word: place for place, word in enumerate([*SPECIAL, *vocabulary()])}
    pieces = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, known[name]) for name in ("[CLS]", "[SEP]")],
    )  # fmt: skip
    names = {f"{name[1:-1].lower()}_token": name for name in SPECIAL[:5]}
    transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, **names).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(known), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=128,
    )  # fmt: skip
    transformers.utils.logging.disable_progress_bar()
    transformers.BertModel(config).save_pretrained(folder)
    return folder
