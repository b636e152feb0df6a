"""A tiny model that writes one piece for ever, and so finds a secret that is made of it."""

from __future__ import annotations

import torch
import transformers as tf
from torch import nn
from transformers import PreTrainedTokenizerBase

from tests.shapes import widened

WORD = "ship"
TEXT = "\n\n".join(["ship of a ship, " * 8] * 6)


def constant_writer(tokenizer: PreTrainedTokenizerBase, positions: int = 128) -> nn.Module:
    """Its last norm gives the vector of the word's piece, whatever it reads."""
    config = tf.GPT2Config(
        n_embd=16, n_layer=2, n_head=4, vocab_size=len(tokenizer), n_positions=positions,
        bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    module = widened(tf.GPT2LMHeadModel(config))
    piece = tokenizer(f" {WORD}", add_special_tokens=False)["input_ids"][0]
    with torch.no_grad():
        module.transformer.wte.weight.div_(module.transformer.wte.weight.norm(dim=-1, keepdim=True))
        module.transformer.ln_f.weight.zero_()
        module.transformer.ln_f.bias.copy_(10 * module.transformer.wte.weight[piece])
    return module
