"""Models that headscope cannot look at are refused with one sentence that is true of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as tf
from torch import nn

from headscope.errors import ModelError
from headscope.models import load
from tests.families import VOCABULARY, build, small_tokenizer
from tests.models.conftest import tiny_bert

SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}
TEXT = {"vocab_size": VOCABULARY, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
PIXELS = {"image_size": 8, "patch_size": 4}


def whisper() -> nn.Module:
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
             "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}  # fmt: skip
    return tf.WhisperModel(tf.WhisperConfig(**sizes, **TEXT, decoder_start_token_id=1))


def clip() -> nn.Module:
    sizes = {"text_config": {**SMALL, **TEXT}, "vision_config": {**SMALL, **PIXELS}}
    return tf.CLIPModel(tf.CLIPConfig(**sizes, projection_dim=8))


def nystromformer() -> nn.Module:
    landmarks = {"num_landmarks": 8, "segment_means_seq_len": 32, "conv_kernel_size": 3}
    return tf.NystromformerModel(tf.NystromformerConfig(**SMALL, **TEXT, **landmarks))


def funnel() -> nn.Module:
    sizes = {
        "block_sizes": [1, 1],
        "num_decoder_layers": 1,
        "d_model": 16,
        "n_head": 4,
        "d_head": 4,
        "d_inner": 20,
    }
    return tf.FunnelModel(tf.FunnelConfig(**sizes, **TEXT))


def prophetnet() -> nn.Module:
    sizes = {"hidden_size": 16, "num_encoder_layers": 1, "num_decoder_layers": 1, "ngram": 2}
    heads = {"num_encoder_attention_heads": 4, "num_decoder_attention_heads": 4}
    inner = {"encoder_ffn_dim": 20, "decoder_ffn_dim": 20, "decoder_start_token_id": 1}
    return tf.ProphetNetModel(tf.ProphetNetConfig(**sizes, **heads, **inner, **TEXT))


def rwkv() -> nn.Module:
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "attention_hidden_size": 16}
    return tf.RwkvModel(tf.RwkvConfig(**sizes, **TEXT))


def fnet() -> nn.Module:
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "intermediate_size": 20}
    return tf.FNetModel(tf.FNetConfig(**sizes, **TEXT))


NO_TEXT = r"{} and takes no pieces of text \(input_ids\); headscope looks at models that read text$"
NO_ATTENTION = r"{} has no attention: it mixes pieces in another way, so there are no heads to look at$"
NO_PIECES = r"a layer of {} pieces: they are not pieces, so headscope cannot say what its heads look at$"
REFUSED: dict[str, tuple[Callable[[], nn.Module], str]] = {
    "Whisper": (whisper, NO_TEXT.format("WhisperModel reads input_features")),
    "ViT": (
        lambda: tf.ViTModel(tf.ViTConfig(**SMALL, **PIXELS)), NO_TEXT.format("ViTModel reads pixel_values")
    ),
    "CLIP": (clip, r"CLIPModel does not run on text alone, it also reads pixel_values: .+"),
    "RWKV": (rwkv, NO_ATTENTION.format("RwkvModel")),
    "Mamba": (
        lambda: tf.MambaModel(tf.MambaConfig(hidden_size=16, num_hidden_layers=2, state_size=4, **TEXT)),
        NO_ATTENTION.format("MambaModel"),
    ),
    "FNet": (fnet, NO_ATTENTION.format("FNetModel")),
    "Nystromformer": (
        nystromformer, NO_PIECES.format("NystromformerModel attends from 32 to 8 positions in a text of 32")
    ),
    "Longformer": (
        lambda: tf.LongformerModel(tf.LongformerConfig(**SMALL, **TEXT, attention_window=4)),
        NO_PIECES.format("LongformerModel attends from 7 to 5 positions in a text of 7"),
    ),
    "Funnel": (funnel, NO_PIECES.format("FunnelModel attends from 4 to 7 positions in a text of 7")),
    # Its embedding of positions returns them, too.
    "ProphetNet": (
        prophetnet, NO_PIECES.format("ProphetNetModel attends from 12 to 7 positions in a text of 7")
    ),
    "Reformer": (
        lambda: build("reformer"), NO_PIECES.format(r"ReformerModel attends within \(.*\) in a text of 7")
    ),
}  # fmt: skip


@pytest.mark.parametrize("family", REFUSED)
def test_one_true_sentence(family: str) -> None:
    make, message = REFUSED[family]
    with pytest.raises(ModelError, match=message) as refusal:
        load(make().eval(), small_tokenizer())
    assert "\n" not in str(refusal.value)


def test_a_model_of_images_is_not_asked_for_its_tokenizer(tmp_path: Path) -> None:
    tf.ViTModel(tf.ViTConfig(**SMALL, **PIXELS)).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=r"^ViTModel reads pixel_values and takes no pieces of text"):
        load(tmp_path)


@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers(broken: float, wordpiece) -> None:
    module = tiny_bert(wordpiece)
    with torch.no_grad():
        module.bert.encoder.layer[1].output.dense.weight[3, 4] = broken
    with pytest.raises(ModelError) as refusal:
        load(module, wordpiece)
    assert str(refusal.value) == (
        "1 weights of BertForMaskedLM hold NaN or infinity (bert.encoder.layer.1.output.dense.weight); the "
        "training broke down or the file is damaged: load another checkpoint"
    )


def test_large_weights_are_numbers(wordpiece) -> None:
    module = tiny_bert(wordpiece).half()
    with torch.no_grad():
        module.cls.predictions.bias.fill_(60_000)  # their sum is beyond what the type holds
    assert load(module, wordpiece).heads()


def test_a_tokenizer_with_more_pieces_than_the_model_has_vectors_for(wordpiece) -> None:
    module = tiny_bert(wordpiece)
    largest = max(wordpiece.get_vocab().values())
    module.resize_token_embeddings(largest)
    with pytest.raises(ModelError) as refusal:
        load(module, wordpiece)
    assert str(refusal.value) == (
        f"the tokenizer has pieces up to number {largest}, but BertForMaskedLM has vectors for {largest} "
        "only; give the tokenizer it was trained with, or resize its embeddings"
    )
    module.resize_token_embeddings(largest + 1)
    assert load(module, wordpiece).heads()
