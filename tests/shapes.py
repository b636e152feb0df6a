"""Tiny models of each shape, and texts to survey: fixtures that several folders share."""

from __future__ import annotations

import pytest
import torch
import transformers as tf

from headscope.models import Model, load

TEXTS = [
    "The old keeper couldn't sleep. Every night, at 3.30, a well-known ship passed by!",
    "He wrote its name in a small book.\nWhy, he never said. The ship, he thought, was old.",
    "A book.",
    "Every ship passed by the old lighthouse at night, and every night he wrote its name in a small book: "
    "why, he never said, and nobody by the lighthouse would ask the keeper why he never slept at night.",
    "Why a name? The keeper never said!",
]
_SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}


def widened(module: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Weights large enough that attention is far from even."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return module.eval()


@pytest.fixture(scope="session")
def bert(tokenizers) -> Model:
    tokenizer = tokenizers["wordpiece"]
    config = tf.BertConfig(**_SIZES, vocab_size=len(tokenizer), max_position_embeddings=64)
    return load(widened(tf.BertForMaskedLM(config)), tokenizer)


@pytest.fixture(scope="session")
def llama(tokenizers) -> Model:
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(
        **_SIZES, num_key_value_heads=2, vocab_size=len(tokenizer), max_position_embeddings=64
    )
    return load(widened(tf.LlamaForCausalLM(config)), tokenizer)


@pytest.fixture(scope="session")
def t5(tokenizers) -> Model:
    tokenizer = tokenizers["unigram"]
    config = tf.T5Config(
        d_model=16,
        d_kv=4,
        num_layers=2,
        num_heads=4,
        d_ff=20,
        decoder_start_token_id=0,
        vocab_size=len(tokenizer),
    )
    return load(widened(tf.T5ForConditionalGeneration(config)), tokenizer)


@pytest.fixture(scope="session")
def bart(tokenizers) -> Model:
    """Encoder and decoder of different depth and width."""
    tokenizer = tokenizers["unigram"]
    config = tf.BartConfig(
        d_model=16, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4, decoder_attention_heads=2,
        encoder_ffn_dim=20, decoder_ffn_dim=20, vocab_size=len(tokenizer), max_position_embeddings=64,
        pad_token_id=0, bos_token_id=1, eos_token_id=1, decoder_start_token_id=1,
    )  # fmt: skip
    return load(widened(tf.BartForConditionalGeneration(config)), tokenizer)


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return TEXTS
