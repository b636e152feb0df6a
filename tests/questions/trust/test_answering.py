"""Which answers stand on trial, for every kind of task; what is measured does not depend on the batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from headscope.models import Model, load, sides_of
from headscope.questions.trust.analysis import Trial, Tried
from headscope.questions.trust.answering import EARLIEST, Answered, Answering
from headscope.questions.trust.numbers import MEASURES
from headscope.tasks.choice import task_for
from headscope.text import Document, Segment
from tests.cli.folders import save
from tests.cli.labelled import save_model

TEXTS = (
    "The old keeper wrote a small name in the book.",
    "A ship passed by every night.",
    "He never said why he wrote.",
)
KINDS = ("classification", "tagging", "masked", "causal", "translation")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    folder = tmp_path_factory.mktemp("models")
    places = {
        "classification": save_model(folder / "classifier"),
        "tagging": save_model(folder / "tagger", tags=True),
        "masked": save(folder, "bert"), "causal": save(folder, "llama"), "translation": save(folder, "t5"),
    }  # fmt: skip
    return {kind: load(place) for kind, place in places.items()}


def segments(model: Model, kind: str) -> list[Segment]:
    made = []
    for number, text in enumerate(TEXTS):
        document = Document.from_text(
            f"#{number}", text, target="A short one." if kind == "translation" else None
        )
        document = replace(document, label="1", tags=("O",) * len(document.words))
        made += [
            each
            for each in task_for(model, kind).cutter(document, model.tokenizer, 40)
            if isinstance(each, Segment)
        ]
    return made


def answered(model: Model, kind: str, some: Sequence[Segment], count: int = 2) -> Answered:
    (batch,) = model.batches(some, len(some))
    found = Answering(task_for(model, kind), count, 0)(model, sides_of(model, batch))
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_answers_of_each_text_as_asked(models: dict[str, Model], kind: str) -> None:
    found = answered(models[kind], kind, segments(models[kind], kind))
    names, counts = np.unique(found.documents, return_counts=True)
    assert names.tolist() == ["#0", "#1", "#2"] and set(counts) == {1 if kind == "classification" else 2}
    assert (found.words.counts >= 2).all() and len(found.truth) == counts.sum()


def test_truth_is_what_the_text_says(models: dict[str, Model]) -> None:
    found = {kind: answered(models[kind], kind, segments(models[kind], kind)) for kind in KINDS}
    assert found["classification"].truth.tolist() == [1, 1, 1]
    assert set(found["tagging"].truth) == {0}  # O
    causal = found["causal"].asked
    rows, places = causal.texts.numpy(), causal.places.numpy()
    assert (places >= EARLIEST).all()
    assert found["causal"].truth.tolist() == causal.ids.numpy()[rows, places + 1].tolist()
    masked = found["masked"].asked
    hidden = masked.ids.numpy()[masked.texts.numpy(), masked.places.numpy()]
    assert set(hidden) == {models["masked"].tokenizer.mask_token_id}
    words = [models["masked"].tokenizer.decode([piece]) for piece in found["masked"].truth]
    texts = [TEXTS[int(name[1:])].lower() for name in found["masked"].documents]
    assert all(word in text for word, text in zip(words, texts, strict=True))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("removal", ["mask", "deletion", "mean"])
def test_numbers_do_not_depend_on_the_batch(models: dict[str, Model], kind: str, removal: str) -> None:
    model = models[kind]
    trial = Trial(
        Answering(task_for(model, kind), 1, 0), ("attention", "gradient-input"), removal, 4, 1, True, 0
    )
    made = segments(model, kind)
    together = answered(model, kind, made, 1)
    values = Tried(trial, together).values
    assert not np.isnan(values[:, 0, : MEASURES.index("tau_detached")]).any()
    for number in range(len(made)):
        alone = answered(model, kind, [made[number]], 1)
        row = together.documents.index(f"#{number}")
        np.testing.assert_allclose(Tried(trial, alone).values[0], values[row], rtol=2e-3, atol=2e-5)


def test_a_text_of_one_word_is_left_out(models: dict[str, Model]) -> None:
    model = models["classification"]
    document = replace(Document.from_text("#0", "Ship"), label="1")
    (segment,) = task_for(model, "classification").cutter(document, model.tokenizer, 40)
    assert isinstance(segment, Segment)
    (batch,) = model.batches([segment], 1)
    assert Answering(task_for(model, "classification"), 1, 0)(model, sides_of(model, batch)) is None
    both = answered(model, "classification", [segment, *segments(model, "classification")])
    assert len(both.truth) == 3


def test_chance_depends_on_the_text_alone(models: dict[str, Model]) -> None:
    model, made = models["causal"], segments(models["causal"], "causal")
    first = answered(model, "causal", made).asked.places.tolist()
    assert first == answered(model, "causal", made).asked.places.tolist()
    alone = [answered(model, "causal", [each]).asked.places.tolist() for each in made]
    assert sorted(first) == sorted(place for places in alone for place in places)
