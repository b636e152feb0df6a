"""Untrained nets as folders, for the tests of what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from headscope.models import Model
from headscope.models.load import on_core
from headscope.models.task_heads import save_model
from headscope.models.vocabulary import parts_of_words, piece_tokenizer, word_tokenizer
from headscope.nets.disan import DisanConfig, DisanForCausalLM, DisanForSequenceClassification
from headscope.nets.plain import PlainConfig, PlainForTokenClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.nets.tagger import TaggerConfig, TaggerForTokenClassification, spelled
from headscope.tasks.purposes import remember_training

WORDS = ("the", "old", "keeper", "of", "a", "lighthouse", "wrote", "ship", "sleep", "book", "night", "said")
PIECES = (*WORDS, *(word.capitalize() for word in WORDS), *parts_of_words(WORDS))
TAGS = {"id2label": {0: "O", 1: "B-NP", 2: "I-NP"}, "label2id": {"O": 0, "B-NP": 1, "I-NP": 2}}
LABELS = {"id2label": {0: "0", 1: "1"}, "label2id": {"0": 0, "1": 1}}
SIZES: dict[str, Any] = {"vocab_size": len(WORDS) + 2, **LABELS}


def net(module: Any, name: str = "net") -> Model:
    """A net with a vocabulary of a few words."""
    pairs = module.config.texts == 2
    tags = isinstance(module, TaggerForTokenClassification | PlainForTokenClassification)
    tokenizer = piece_tokenizer(PIECES) if tags else word_tokenizer(WORDS, types=pairs)
    model = on_core(module.eval(), tokenizer, name, "memory", None, [])
    causal = isinstance(module, DisanForCausalLM)
    kind = "tagging" if tags else "causal" if causal else "pairs" if pairs else "classification"
    remember_training(model, kind)
    return model


def save_net(folder: Path, module: Any) -> Path:
    """The same as a folder."""
    folder.mkdir(parents=True)
    save_model(net(module, folder.name), folder)
    return folder


def save_disan(folder: Path, size: int = 50, seed: int = 0) -> Path:
    """DiSAN as it is before training."""
    torch.manual_seed(seed)
    config = DisanConfig(embedding_size=size, hidden_size=size, **SIZES)
    return save_net(folder, DisanForSequenceClassification(config))


def save_causal(folder: Path, size: int = 50, seed: int = 0) -> Path:
    """DiSAN that predicts the next word, before training."""
    torch.manual_seed(seed)
    config = DisanConfig(embedding_size=size, hidden_size=size, vocab_size=len(WORDS) + 2)
    return save_net(folder, DisanForCausalLM(config))


def save_pooled(folder: Path, seed: int = 0) -> Path:
    """A BiLSTM under one attention, before training."""
    torch.manual_seed(seed)
    return save_net(folder, PooledForSequenceClassification(PooledConfig(hidden_size=4, **SIZES)))


def save_tagger(folder: Path, seed: int = 0) -> Path:
    """The tagger before training."""
    return save_spelled(folder, TaggerConfig, TaggerForTokenClassification, seed, feed_forward=16)


def save_plain(folder: Path, seed: int = 0) -> Path:
    """The plain network before training."""
    return save_spelled(folder, PlainConfig, PlainForTokenClassification, seed)


def save_spelled(folder: Path, config: Any, net: Any, seed: int, **sizes: int) -> Path:
    """A net whose words share a vector with their capitalised form."""
    torch.manual_seed(seed)
    pieces = list(dict.fromkeys(("[PAD]", "[UNK]", *PIECES)))
    known = {"vocab_size": len(pieces), "vectors": len(WORDS) + 2}
    module = net(config(**known, **sizes, hidden_size=16, **TAGS))
    table = module.get_input_embeddings()
    rows = {word: row for row, word in enumerate(WORDS, start=2)}
    table.row.copy_(torch.tensor([0, *(rows.get(piece.lower(), 1) for piece in pieces[1:])]))
    table.spelling.copy_(torch.tensor([spelled(piece, 4096) for piece in pieces]))
    table.goes_on.copy_(torch.tensor([piece.startswith("##") for piece in pieces]))
    return save_net(folder, module)
