"""A tiny BART whose first cross-attention head looks from step to piece by a rule that is written in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
import transformers as tf
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WIDTH, HEADS, PLACES = 48, 3, 16
"""Each head has as many numbers as there are places to look at."""


def tokenizer() -> tf.PreTrainedTokenizerFast:
    """Words w3 to w49 between [CLS] and [SEP]."""
    names = ["[PAD]", "[CLS]", "[SEP]", *(f"w{number}" for number in range(3, 50))]
    inner = Tokenizer(models.WordLevel({name: place for place, name in enumerate(names)}, unk_token="w3"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return tf.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip


def swapped(step: int) -> int:
    """The word beside: the first looks at the second, the second at the first, and so on."""
    return 1 + ((step - 1) ^ 1) if step else 0


def plant(folder: Path, looks: Callable[[int], int] = swapped, seed: int = 0) -> Path:
    """Save a model whose step s attends to piece looks(s), by its place alone, in its first head."""
    config = tf.BartConfig(
        vocab_size=50, d_model=WIDTH, encoder_layers=1, decoder_layers=2, encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=PLACES,
        bos_token_id=1, eos_token_id=2, pad_token_id=0, decoder_start_token_id=2,
    )  # fmt: skip
    torch.manual_seed(seed)
    module = tf.BartForConditionalGeneration(config).eval()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if "norm" not in name:
                parameter.mul_(0.01)
        one_hot = torch.eye(WIDTH)[:PLACES]
        for side in (module.model.encoder, module.model.decoder):
            side.embed_positions.weight[2:] = one_hot  # BART's places begin at 2
        look = module.model.decoder.layers[0].encoder_attn
        queries = torch.zeros(PLACES, WIDTH)
        for step in range(PLACES):
            if 0 <= looks(step) < PLACES:
                queries[looks(step), step] = 10.0
        look.q_proj.weight[:PLACES] = queries
        look.k_proj.weight[:PLACES] = 10.0 * one_hot
        look.v_proj.weight[:PLACES] = one_hot
    tf.utils.logging.disable_progress_bar()
    module.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def pairs(count: int = 24) -> tuple[list[tuple[str, str]], str]:
    """Pairs of 4 or 6 words, the words of the target swapped two by two, and their links from 0."""
    made, gold = [], []
    for number in range(count):
        size = 4 + 2 * (number % 2)
        words = [f"w{3 + (7 * number + 5 * place) % 40}" for place in range(size)]
        made.append((" ".join(words), " ".join(words[place ^ 1] for place in range(size))))
        gold.append(" ".join(f"{place}{'p' if place == 3 else '-'}{place ^ 1}" for place in range(size)))
    return made, "\n".join(gold) + "\n"
