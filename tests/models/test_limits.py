"""How long an input a model takes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import transformers as tf

from headscope.models.limits import longest_input
from tests.models.conftest import SIZES

ENDLESS = SimpleNamespace(model_max_length=int(1e30))
SHORT = SimpleNamespace(model_max_length=20)


def bert() -> tf.BertModel:
    return tf.BertModel(tf.BertConfig(**SIZES, vocab_size=30, max_position_embeddings=64))


def test_the_position_embeddings_limit() -> None:
    assert longest_input(bert(), ENDLESS) == 64


def test_the_smaller_limit_counts() -> None:
    assert longest_input(bert(), SHORT) == 20


def test_roberta_counts_positions_behind_its_padding() -> None:
    config = tf.RobertaConfig(**SIZES, vocab_size=30, max_position_embeddings=66, pad_token_id=1)
    module = tf.RobertaModel(config).eval()
    assert longest_input(module, ENDLESS) == 64

    import torch

    module(input_ids=torch.full((1, 64), 5))
    with pytest.raises((IndexError, RuntimeError)):
        module(input_ids=torch.full((1, 65), 5))


def test_relative_positions_have_no_limit() -> None:
    module = tf.T5EncoderModel(
        tf.T5Config(d_model=16, d_kv=4, num_layers=1, num_heads=4, d_ff=20, vocab_size=30)
    )
    assert longest_input(module, ENDLESS) is None
    assert longest_input(module, SHORT) == 20
