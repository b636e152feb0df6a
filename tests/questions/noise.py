"""A verb asked once where nothing is to be found, with all the tables that it can give.

Weights are as before training, labels and trees are drawn at random. What a verb says of it stands in
`tests/questions/VERB/noise.py` as `NOISE`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import transformers as tf

from headscope.models.embedded import embedded_folder
from headscope.questions import VERBS
from headscope.questions.asking import ask, open_question, options_of
from headscope.results.result import Result
from tests.trees import conllu, document

TEXT = "The old ship passed the old keeper."
WORDS = ("the", "old", "ship", "keeper", "wrote", "never", "said", "night", "book")


@dataclass(frozen=True)
class Noise:
    """What a verb answers to noise.

    answer: makes its result in an empty folder. about_heads: the tables whose rows are each about one head.
    sentences: how many there are, fewest and most. untested: tables of what is counted or depends on the
    machine. looks: whether it looks at one text and claims nothing of a model.
    """

    answer: Callable[[Path], Result]
    about_heads: tuple[str, ...] = ()
    sentences: tuple[int, int] = (3, 5)
    untested: tuple[str, ...] = ()
    looks: bool = False


def noise_of(verb: str) -> Noise:
    """What a verb's tests say."""
    noise: Noise = import_module(f"tests.questions.{verb}.noise").NOISE
    return noise


def asked(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as its command prints it."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def untrained(place: Path, kind: Any = tf.BertForMaskedLM, seed: int = 0) -> Path:
    """A tiny BERT with the weights that it would be trained from."""
    tf.utils.logging.disable_progress_bar()
    tokenizer = tf.AutoTokenizer.from_pretrained(embedded_folder())
    config = tf.BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=20, max_position_embeddings=64, num_labels=2,
    )  # fmt: skip
    torch.manual_seed(seed)
    folder = place / f"{kind.__name__}-{seed}"
    kind(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def labelled(path: Path, number: int, seed: int) -> Path:
    """Texts with labels that have nothing to do with them."""
    draw = random.Random(seed)
    lines = [f"{' '.join(draw.choices(WORDS, k=6))}\t{draw.randrange(2)}" for _ in range(number)]
    return write(path, "\n".join(["text\tlabel", *lines]) + "\n")


def trees(path: Path, documents: int = 24) -> Path:
    """Sentences of random words with random trees over them."""
    draw = random.Random(0)
    return write(path, conllu([document(f"d{one}", _tree(draw), _tree(draw)) for one in range(documents)]))


def _tree(draw: random.Random) -> str:
    words = draw.choices(WORDS, k=draw.randint(5, 9))
    order = draw.sample(range(len(words)), len(words))
    heads = {order[0]: 0} | {
        word: draw.choice(order[:place]) + 1 for place, word in enumerate(order) if place
    }
    relations = [
        draw.choice(("nsubj", "obj", "det")) if heads[word] else "root" for word in range(len(words))
    ]
    return " ".join(f"{word}>{heads[place]}:{relations[place]}" for place, word in enumerate(words))
