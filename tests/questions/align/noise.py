"""align where nothing is to be found."""

from __future__ import annotations

import random
from pathlib import Path

import torch
import transformers as tf

from benchmarks.planted_links import tokenizer
from headscope.results.result import Result
from tests.questions.noise import Noise, asked, write


def untrained(place: Path) -> Path:
    """A tiny BART with the weights that it would be trained from."""
    tf.utils.logging.disable_progress_bar()
    config = tf.BartConfig(
        vocab_size=50, d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=32,
        bos_token_id=1, eos_token_id=2, pad_token_id=0, decoder_start_token_id=2,
    )  # fmt: skip
    torch.manual_seed(0)
    tf.BartForConditionalGeneration(config).save_pretrained(place / "bart")
    tokenizer().save_pretrained(place / "bart")
    return place / "bart"


def answer(place: Path) -> Result:
    draw = random.Random(0)
    lines, gold = [], []
    for _ in range(40):
        source, target = (draw.choices([f"w{word}" for word in range(3, 40)], k=7) for _ in range(2))
        lines.append(f"{' '.join(source)} ||| {' '.join(target)}\n")
        links = {(draw.randrange(7), draw.randrange(7)) for _ in range(6)}
        gold.append(" ".join(f"{one}-{other}" for one, other in sorted(links)) + "\n")
    pairs = write(place / "pairs.txt", "".join(lines))
    told = write(place / "pairs.gold", "".join(gold))
    model = untrained(place)
    return asked("align", model=model, pairs=pairs, gold=told, reverse=model, links=True, twins=3)


NOISE = Noise(answer, about_heads=("align_heads",))
