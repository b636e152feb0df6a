"""Tiny models of our own with tokenizers, in memory and saved in folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as tf
from torch import nn
from transformers import PreTrainedTokenizerBase

from tests.threads import one_thread  # noqa: F401

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}


def tiny_bert(tokenizer: PreTrainedTokenizerBase, seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    config = tf.BertConfig(
        **SIZES, vocab_size=len(tokenizer), max_position_embeddings=64, initializer_range=0.3
    )
    return tf.BertForMaskedLM(config).eval()


@pytest.fixture(scope="session")
def saved(wordpiece: PreTrainedTokenizerBase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model and its tokenizer; not to be changed."""
    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    tiny_bert(wordpiece).save_pretrained(folder)
    wordpiece.save_pretrained(folder)
    return folder


@pytest.fixture
def copy_of(saved: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Make a copy of the saved model that may be changed."""
    import shutil

    def copy(name: str) -> Path:
        return Path(shutil.copytree(saved, tmp_path / name))

    return copy
