"""What a reader must know of a model stands in the notes of every result, whichever verb made it."""

from __future__ import annotations

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
from tests.battery.asked import asked_of

TEXTS = ["The old keeper wrote a name.", "A ship passed by.", "He never said why.", "Every night, a ship."]


@pytest.fixture(scope="module")
def model(wordpiece) -> Model:
    """A ConvBERT, which sees padding, as a classifier."""
    torch.manual_seed(0)
    config = tf.ConvBertConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=8, intermediate_size=20, embedding_size=16,
        head_ratio=2, conv_kernel_size=3, vocab_size=len(wordpiece), pad_token_id=0, initializer_range=0.4,
    )  # fmt: skip
    return load(tf.ConvBertForSequenceClassification(config).eval(), wordpiece)


def answered(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as it would be written."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)])
def test_every_verb_tells(verb: str, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert model.notes == [NOTE]
    notes = answered(verb, **asked_of(verb).of_model(model, tmp_path)).notes
    assert NOTE in notes
    trained = "it was trained on padded texts all the same; only its scores are of unpadded ones"
    assert (trained in notes) == (verb == "finetune")


def test_a_comparison_passes_on_what_its_runs_tell(model: Model, tmp_path: Path) -> None:
    for number, name in enumerate(("first", "second")):
        fast = {"distances": False, "gradients": False, "pieces": 40, "batch_size": 4}
        answered("survey", tmp_path / name, model=model, text=TEXTS[number:], **fast)
    notes = answered("compare", runs=[tmp_path / "first", tmp_path / "second"]).notes
    assert notes.count(NOTE) == 1 and not any(note.endswith(f": {NOTE}") for note in notes)
    segments = [note for note in notes if "means within a segment" in note]
    assert [note.partition(" segments of ")[0] for note in segments] == ["first: 4", "second: 3"]
