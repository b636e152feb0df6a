"""What a reader must know of a model stands in the notes of every result, whichever verb made it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as tf

from headscope.errors import ModelError
from headscope.models import Model, load
from headscope.models.padding import NOTE
from headscope.questions import VERBS
from headscope.questions.asking import ask, open_question, options_of
from headscope.questions.groups import OfModel
from headscope.results.result import Result
from tests.battery.asked import asked_of

TEXTS = ["The old keeper wrote a name.", "A ship passed by.", "He never said why.", "Every night, a ship."]


UNHEARD = (
    "of layers 0 to 2, 0 is not heard: what happens between pieces there does not go through the attention "
    "function (L0 is layer 1, L1 is layer 2)"
)
SIZES = {"hidden_size": 16, "intermediate_size": 20, "pad_token_id": 0, "initializer_range": 0.4}


def convbert(vocabulary: int) -> tf.PreTrainedModel:
    """It sees padding."""
    config = tf.ConvBertConfig(
        **SIZES, num_attention_heads=8, num_hidden_layers=2, embedding_size=16, head_ratio=2,
        conv_kernel_size=3, vocab_size=vocabulary,
    )  # fmt: skip
    return tf.ConvBertForSequenceClassification(config)


def minimax(vocabulary: int) -> tf.PreTrainedModel:
    """Its first layer is not heard."""
    config = tf.MiniMaxConfig(
        **SIZES, num_attention_heads=4, num_hidden_layers=3, num_key_value_heads=2, head_dim=4,
        layer_types=["linear_attention", "full_attention", "full_attention"], num_local_experts=2,
        num_experts_per_tok=1, vocab_size=vocabulary, block_size=8,
    )  # fmt: skip
    return tf.MiniMaxForSequenceClassification(config)


TOLD = {convbert: NOTE, minimax: UNHEARD}
REFUSED = {
    ("adversary", NOTE): "cannot be learned against",
    ("align", NOTE): "no cross-attention",
    ("align", UNHEARD): "no cross-attention",
    ("retrieve", NOTE): "does not continue a text",
    ("retrieve", UNHEARD): "does not continue a text",
}
"""Verbs that refuse such a model, for its attention cannot be edited or is none that they ask about."""


@pytest.fixture(scope="module", params=TOLD, ids=lambda make: make.__name__)
def told(request: pytest.FixtureRequest, wordpiece) -> tuple[Model, str]:
    """A classifier, and the one thing that is to be told of it."""
    torch.manual_seed(0)
    return load(request.param(len(wordpiece)).eval(), wordpiece), TOLD[request.param]


def answered(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as it would be written."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)])
def test_every_verb_tells(
    verb: str, told: tuple[Model, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model, note = told
    assert model.notes == [note]
    if (verb, note) in REFUSED:
        with pytest.raises(ModelError, match=REFUSED[verb, note]):
            answered(verb, **asked_of(verb).of_model(model, tmp_path))
        return
    notes = answered(verb, **asked_of(verb).of_model(model, tmp_path)).notes
    assert note in notes
    trained = "it was trained on padded texts all the same; only its scores are of unpadded ones"
    assert (trained in notes) == (verb == "finetune" and note == NOTE)


def test_a_comparison_passes_on_what_its_runs_tell(told: tuple[Model, str], tmp_path: Path) -> None:
    model, said = told
    for number, name in enumerate(("first", "second")):
        fast = {"distances": False, "gradients": False, "pieces": 40, "batch_size": 4}
        answered("survey", tmp_path / name, model=model, text=TEXTS[number:], **fast)
    notes = answered("compare", runs=[tmp_path / "first", tmp_path / "second"]).notes
    assert notes.count(said) == 1 and not any(note.endswith(f": {said}") for note in notes)
    segments = [note for note in notes if "means within a segment" in note]
    assert [note.partition(" segments of ")[0] for note in segments] == ["first: 4", "second: 3"]
