"""Untrained nets as folders, for the tests of what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from headscope.models import Model
from headscope.models.load import on_core
from headscope.models.task_heads import save_model
from headscope.models.vocabulary import word_tokenizer
from headscope.nets.disan import DisanConfig, DisanForCausalLM, DisanForSequenceClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.tasks.purposes import remember_training

WORDS = ("the", "old", "keeper", "of", "a", "lighthouse", "wrote", "ship", "sleep", "book", "night", "said")
LABELS = {"id2label": {0: "0", 1: "1"}, "label2id": {"0": 0, "1": 1}}
SIZES: dict[str, Any] = {"vocab_size": len(WORDS) + 2, **LABELS}


def net(module: Any, name: str = "net") -> Model:
    """A net with a vocabulary of a few words."""
    pairs = module.config.texts == 2
    model = on_core(module.eval(), word_tokenizer(WORDS, types=pairs), name, "memory", None, [])
    causal = isinstance(module, DisanForCausalLM)
    remember_training(model, "causal" if causal else "pairs" if pairs else "classification")
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
