"""survey where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import torch
import transformers as tf

from headscope.models import load
from headscope.models.embedded import embedded_folder
from headscope.results.result import Result
from headscope.results.vocabulary import SYNTAX
from tests.cli.conftest import written
from tests.questions.noise import Noise, asked, write
from tests.questions.syntax.noise import answer as known_by_syntax


def untrained_causal(place: Path, seed: int = 0) -> Path:
    """A tiny Llama with the weights that it would be trained from."""
    tokenizer = tf.AutoTokenizer.from_pretrained(embedded_folder())
    config = tf.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=20, max_position_embeddings=64,
    )  # fmt: skip
    torch.manual_seed(seed)
    folder = place / f"causal-{seed}"
    tf.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def answer(place: Path) -> Result:
    known, model = known_by_syntax(place), untrained_causal(place)
    known.tables["known_relations"] = pd.DataFrame(
        [("L0H1", SYNTAX, "det", 0.7, "told by hand")], columns=["head", "role", "name", "score", "rule"]
    )
    # As if it had been told of these heads.
    known.asked["identity"]["model"]["weights"] = load(model).fingerprints.weights
    text = write(place / "text.txt", written(20))
    return asked(
        "survey", model=model, text=text, pieces=32, known=[known], checkpoints=[untrained_causal(place, 1)]
    )


NOISE = Noise(
    answer,
    about_heads=("heads", "shares", "offsets", "special", "gradients", "patterns", "induction", "series"),
)
