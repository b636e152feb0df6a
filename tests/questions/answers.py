"""Every verb asked once of untrained models, with all the tables that a verb can give.

Nothing is there to be found: weights are as before training, labels and trees are drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import torch
import transformers as tf

from headscope.models.embedded import embedded_folder
from headscope.questions import VERBS
from headscope.questions.asking import ask, open_question, options_of
from headscope.results.result import Result
from headscope.results.vocabulary import SYNTAX
from tests.cli.conftest import written
from tests.mentions import conll, marked
from tests.trees import conllu, document

TEXT = "The old ship passed the old keeper."
VECTORS = "the 1 0 0\nship 0 1 0.5\nkeeper 0.2 0 1\nbook 0 0.7 0.1\n"
WORDS = ("the", "old", "ship", "keeper", "wrote", "never", "said", "night", "book")


def asked(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as its command prints it."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


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
    return _written(path, "\n".join(["text\tlabel", *lines]) + "\n")


def trees(path: Path, documents: int = 24) -> Path:
    """Sentences of random words with random trees over them."""
    draw = random.Random(0)
    return _written(path, conllu([document(f"d{one}", _tree(draw), _tree(draw)) for one in range(documents)]))


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


def mentions(path: Path, documents: int = 40) -> Path:
    """Documents of random words in which random ones are mentions of the same."""
    draw = random.Random(0)
    kinds = ("he", "she", "anna", "rome", "baker", "dog", "saw", "and")
    made = []
    for number in range(documents):
        words = draw.choices(kinds, k=19)
        named = draw.sample([place for place, word in enumerate(words) if word not in ("saw", "and")], 8)
        spans = [(place, place + 1, draw.choice("abc")) for place in named]
        made.append(marked(f"doc{number}", " ".join([*words, "."]), spans))
    return _written(path, conll(made))


def survey(place: Path) -> Result:
    known = syntax(place)
    known.tables["known_relations"] = pd.DataFrame(
        [("L0H1", SYNTAX, "det", 0.7, "told by hand")], columns=["head", "role", "name", "score", "rule"]
    )
    text = _written(place / "text.txt", written(20))
    return asked("survey", model=untrained(place), text=text, pieces=32, known=[known])


def syntax(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    return asked("syntax", model=untrained(place), treebank=treebank, least=5, twins=3)


def structure(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    series = [untrained(place, seed=seed) for seed in (1, 2)]
    return asked("structure", model=untrained(place), treebank=treebank, twins=3, checkpoints=series)


def coref(place: Path) -> Result:
    corpus = mentions(place / "small.conll")
    return asked("coref", model=untrained(place), corpus=corpus, window=22, twins=3)


def probe(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    vectors = _written(place / "vectors.txt", VECTORS)
    options = {"seeds": 2, "twins": 2, "epochs": 1}
    return asked("probe", model=untrained(place), treebank=treebank, vectors=vectors, **options)


def finetune(place: Path) -> Result:
    data, test = labelled(place / "train.tsv", 40, 0), labelled(place / "test.tsv", 40, 1)
    return asked("finetune", model=untrained(place), data=data, test=test, epochs=2, batch_size=4)


def train(place: Path) -> Result:
    data, test = labelled(place / "train.tsv", 40, 0), labelled(place / "test.tsv", 40, 1)
    size = {"hidden": 4, "vectors": "random", "width": 4, "epochs": 2, "batch_size": 8}
    return asked("train", place / "run", net="disan", data=data, test=test, seeds=2, keep="epoch", **size)


def ablate(place: Path) -> Result:
    data, train, other = (labelled(place / f"{seed}.tsv", 40, seed) for seed in range(3))
    model = untrained(place, tf.BertForSequenceClassification)
    return asked("ablate", model=model, data=data, train=train, other=other)


def prune(place: Path) -> Result:
    data, train = labelled(place / "data.tsv", 20, 0), labelled(place / "train.tsv", 20, 1)
    options = {"steps": 4, "random": 3, "gate_steps": 4, "remove": 0.25, "pieces": 16}
    model = untrained(place, tf.BertForSequenceClassification)
    return asked("prune", model=model, data=data, train=train, **options)


def compare(place: Path) -> Result:
    """One model on two texts of the same kind."""
    model, runs = untrained(place), [place / "run-0", place / "run-1"]
    for seed, run in enumerate(runs):
        text = _written(place / f"{seed}.txt", written(20, seed))
        asked("survey", run, model=model, text=text, pieces=32, gradients=False, distances=False)
    return asked("compare", runs=runs)


def maps(place: Path) -> Result:
    return asked("maps", model=untrained(place), text=TEXT)


def show(place: Path) -> Result:
    return asked("show", model=untrained(place), text=TEXT, head=["L0H1", "L1H2"], off=["L0H0"])


def explain(place: Path) -> Result:
    return asked("explain", model=untrained(place), data="The old [MASK] passed the old keeper.", flip=True)


ANSWERS: dict[str, Callable[[Path], Result]] = {
    "survey": survey, "syntax": syntax, "coref": coref, "probe": probe, "structure": structure,
    "finetune": finetune, "train": train,
    "ablate": ablate, "prune": prune, "compare": compare, "maps": maps, "show": show,
    "explain": explain,
}  # fmt: skip
"""A result of each verb, made in an empty folder."""


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
