"""Folders of tiny models with tokenizers, as a user would name them on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
import transformers as tf
from torch import nn
from transformers import PreTrainedTokenizerBase

from tests import tokenizers

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}
LONGEST = 64


def bert(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    return tf.BertForMaskedLM(
        tf.BertConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=LONGEST, pad_token_id=0)
    )


def llama(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    end = tokenizer.eos_token_id
    return tf.LlamaForCausalLM(
        tf.LlamaConfig(
            **SIZES, num_key_value_heads=2, head_dim=8, vocab_size=len(tokenizer),
            max_position_embeddings=LONGEST, bos_token_id=end, eos_token_id=end, pad_token_id=end,
        )
    )  # fmt: skip


def t5(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    return tf.T5ForConditionalGeneration(
        tf.T5Config(
            d_model=16, d_kv=4, num_layers=2, num_heads=4, d_ff=20, vocab_size=len(tokenizer),
            decoder_start_token_id=0, pad_token_id=0, eos_token_id=tokenizer.eos_token_id,
        )
    )  # fmt: skip


def mamba(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    """A model without attention."""
    return tf.MambaForCausalLM(
        tf.MambaConfig(hidden_size=16, num_hidden_layers=2, state_size=4, vocab_size=len(tokenizer))
    )


def broken(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    """A model whose training broke down."""
    model = bert(tokenizer)
    with torch.no_grad():
        model.cls.predictions.transform.dense.bias[0] = torch.nan
    return model


def narrow(tokenizer: PreTrainedTokenizerBase) -> nn.Module:
    """A model with fewer vectors than its tokenizer has pieces."""
    model = bert(tokenizer)
    model.resize_token_embeddings(len(tokenizer) - 1)
    return model


Build = Callable[[PreTrainedTokenizerBase], nn.Module]
MODELS: dict[str, tuple[Build, Callable[[], PreTrainedTokenizerBase], int]] = {
    "bert": (bert, tokenizers.wordpiece, 0),
    "bert-later": (bert, tokenizers.wordpiece, 1),
    "bert-last": (bert, tokenizers.wordpiece, 2),
    "llama": (llama, tokenizers.gpt2, 0),
    "t5": (t5, tokenizers.unigram, 0),
    "mamba": (mamba, tokenizers.gpt2, 0),
    "broken": (broken, tokenizers.wordpiece, 0),
    "narrow": (narrow, tokenizers.wordpiece, 0),
}


def save_all(folder: Path) -> None:
    """Write every model."""
    for name in MODELS:
        save(folder, name)


def save(folder: Path, name: str) -> Path:
    """Write a model, with weights large enough that its attention is far from even."""
    tf.utils.logging.disable_progress_bar()
    build, make_tokenizer, seed = MODELS[name]
    tokenizer = make_tokenizer()
    torch.manual_seed(seed)
    model = build(tokenizer)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(std=0.4)
    model.save_pretrained(folder / name)
    tokenizer.save_pretrained(folder / name)
    return folder / name
