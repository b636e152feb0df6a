"""Untrained nets as folders, for the tests of what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from headscope.models.load import on_core
from headscope.models.task_heads import save_model
from headscope.models.vocabulary import word_tokenizer
from headscope.nets.disan import DisanConfig, DisanForSequenceClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.tasks.purposes import remember_training

WORDS = ("the", "old", "keeper", "of", "a", "lighthouse", "wrote", "ship", "sleep", "book", "night", "said")
LABELS = {"id2label": {0: "0", 1: "1"}, "label2id": {"0": 0, "1": 1}}
SIZES: dict[str, Any] = {"vocab_size": len(WORDS) + 2, **LABELS}


def save_net(folder: Path, module: Any, texts: int = 1) -> Path:
    """A net with a vocabulary of a few words."""
    model = on_core(module.eval(), word_tokenizer(WORDS, types=texts == 2), folder.name, "memory", None, [])
    remember_training(model, "pairs" if texts == 2 else "classification")
    folder.mkdir(parents=True)
    save_model(model, folder)
    return folder


def save_disan(folder: Path, size: int = 50, seed: int = 0) -> Path:
    """DiSAN as it is before training."""
    torch.manual_seed(seed)
    config = DisanConfig(embedding_size=size, hidden_size=size, **SIZES)
    return save_net(folder, DisanForSequenceClassification(config))


def save_pooled(folder: Path, seed: int = 0) -> Path:
    """A BiLSTM under one attention, before training."""
    torch.manual_seed(seed)
    return save_net(folder, PooledForSequenceClassification(PooledConfig(hidden_size=4, **SIZES)))
