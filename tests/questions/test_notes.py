"""What a reader must know of a model stands in the notes of every result, whichever verb made it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as tf

from headscope.models import Model, load
from headscope.models.padding import NOTE
from headscope.questions import VERBS
from headscope.questions.asking import ask, open_question, options_of
from headscope.questions.groups import OfModel
from headscope.results.result import Result
from tests.cli.labelled import write_texts
from tests.mentions import conll, mixed
from tests.trees import conllu, treebank

TEXTS = ["The old keeper wrote a name.", "A ship passed by.", "He never said why.", "Every night, a ship."]
SMALL = {"pieces": 40, "batch_size": 4}


UNHEARD = (
    "of layers 0 to 1, 0 is not heard: what happens between pieces there does not go through the attention "
    "function (L0 is layer 1)"
)
SIZES = {"hidden_size": 16, "num_attention_heads": 4, "pad_token_id": 0, "initializer_range": 0.4}


def convbert(vocabulary: int) -> tf.PreTrainedModel:
    """It sees padding."""
    config = tf.ConvBertConfig(
        **SIZES, num_hidden_layers=1, intermediate_size=20, embedding_size=16, head_ratio=2,
        conv_kernel_size=3, vocab_size=vocabulary,
    )  # fmt: skip
    return tf.ConvBertForSequenceClassification(config)


def minimax(vocabulary: int) -> tf.PreTrainedModel:
    """Its first layer is not heard."""
    config = tf.MiniMaxConfig(
        **SIZES, num_hidden_layers=2, layer_types=["linear_attention", "full_attention"], head_dim=4,
        num_key_value_heads=2, intermediate_size=20, num_local_experts=2, num_experts_per_tok=1,
        vocab_size=vocabulary, block_size=8,
    )  # fmt: skip
    return tf.MiniMaxForSequenceClassification(config)


TOLD = {convbert: NOTE, minimax: UNHEARD}


@pytest.fixture(scope="module", params=TOLD, ids=lambda make: make.__name__)
def told(request: pytest.FixtureRequest, wordpiece) -> tuple[Model, str]:
    """A classifier, and the one thing that is to be told of it."""
    torch.manual_seed(0)
    return load(request.param(len(wordpiece)).eval(), wordpiece), TOLD[request.param]


def survey(folder: Path) -> dict[str, Any]:
    return {"text": TEXTS, "distances": False, "gradients": False, **SMALL}


def syntax(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(4)))
    return {"treebank": folder / "trees.conllu", "least": 2, "twins": 0, **SMALL}


def structure(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(12)))
    return {"treebank": folder / "trees.conllu", "twins": 0, **SMALL}


def probe(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(12)))
    once = {"seeds": 1, "twins": 0, "epochs": 1, "control": False}
    return {"treebank": folder / "trees.conllu", **once, **SMALL}


def coref(folder: Path) -> dict[str, Any]:
    (folder / "small.conll").write_text(conll(mixed()))
    return {"corpus": folder / "small.conll", "window": 22, "batch_size": 4, "twins": 0}


def ablate(folder: Path) -> dict[str, Any]:
    return {"data": write_texts(folder / "test.tsv", 8), "gradients": False, **SMALL}


def prune(folder: Path) -> dict[str, Any]:
    train = write_texts(folder / "train.tsv", 8, seed=1)
    once = {"steps": 1, "random": 1, "gate_steps": 1, "remove": 0, "speed": False}
    return {"data": write_texts(folder / "test.tsv", 8), "train": train, **once, **SMALL}


def finetune(folder: Path) -> dict[str, Any]:
    return {"data": write_texts(folder / "train.tsv", 20), "epochs": 1, **SMALL}


def maps(folder: Path) -> dict[str, Any]:
    return {"text": TEXTS[0]}


def show(folder: Path) -> dict[str, Any]:
    return {"text": TEXTS[0], "head": ["L0H0"]}


def explain(folder: Path) -> dict[str, Any]:
    return {"data": TEXTS[0]}


ASKED: dict[str, Callable[[Path], dict[str, Any]]] = {
    ask.__name__: ask
    for ask in (survey, syntax, structure, probe, coref, ablate, prune, finetune, maps, show, explain)
}


def answered(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as it would be written."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_tells(verb: str, told: tuple[Model, str], tmp_path: Path) -> None:
    model, note = told
    assert model.notes == [note]
    notes = answered(verb, model=model, **ASKED[verb](tmp_path)).notes
    assert note in notes
    trained = "it was trained on padded texts all the same; only its scores are of unpadded ones"
    assert (trained in notes) == (verb == "finetune" and note == NOTE)


def test_a_comparison_passes_on_what_its_runs_tell(told: tuple[Model, str], tmp_path: Path) -> None:
    model, said = told
    for number, name in enumerate(("first", "second")):
        options = survey(tmp_path) | {"text": TEXTS[number:]}
        answered("survey", tmp_path / name, model=model, **options)
    notes = answered("compare", runs=[tmp_path / "first", tmp_path / "second"]).notes
    assert notes.count(said) == 1 and not any(note.endswith(f": {said}") for note in notes)
    segments = [note for note in notes if "means within a segment" in note]
    assert [note.partition(" segments of ")[0] for note in segments] == ["first: 4", "second: 3"]


def test_no_verb_is_left_out() -> None:
    assert {verb for verb in VERBS if issubclass(VERBS[verb].options, OfModel)} == {*ASKED}
