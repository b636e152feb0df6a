"""A small transformer for translation: configurations of families that transformers has, no net of our own.

Encoder and decoder of a few layers share one table of subwords with the output. `marian` has places as
sinusoids (Junczys-Dowmunt et al. 2018), `bart` learns a vector for each place (Lewis et al. 2020); both
normalise behind each half of a layer, as Vaswani et al. 2017 do.
"""

from __future__ import annotations

from typing import Any, Literal

from transformers import BartConfig, BartForConditionalGeneration, MarianConfig, MarianMTModel

Family = Literal["marian", "bart"]
PLACES = 256
"""The longest text, in pieces."""

WIDER = 2
"""How much wider the second half of a layer is than its states."""


def translator(
    family: Family,
    vocab_size: int,
    *,
    hidden: int = 128,
    layers: int = 3,
    heads: int = 4,
    dropout: float = 0.1,
) -> Any:
    """An untrained model with as many layers in its encoder as in its decoder; piece 0 pads, piece 2 ends."""
    sizes: dict[str, Any] = {
        f"{half}_{part}": size
        for half in ("encoder", "decoder")
        for part, size in (("layers", layers), ("attention_heads", heads), ("ffn_dim", WIDER * hidden))
    }
    shared: dict[str, Any] = {
        "vocab_size": vocab_size,
        "d_model": hidden,
        "dropout": dropout,
        "attention_dropout": 0.0,
        "activation_dropout": 0.0,
        "activation_function": "relu",
        "max_position_embeddings": PLACES,
        "scale_embedding": True,
        "tie_word_embeddings": True,
        "pad_token_id": 0,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "decoder_start_token_id": 0,
        "forced_eos_token_id": None,
        "init_std": hidden**-0.5,
    }
    if family == "bart":
        return BartForConditionalGeneration(BartConfig(**sizes, **shared))
    return MarianMTModel(MarianConfig(**sizes, **shared))
