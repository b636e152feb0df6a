"""One typed text, explained for a page: the same numbers as the verb's, for every kind of model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import headscope
from headscope.errors import HeadscopeError
from headscope.explainers import EXPLAINERS
from headscope.heads import Head
from headscope.models import Model
from headscope.questions.explain import live
from headscope.questions.explain.offers import Explaining, explain_text, token_table
from headscope.questions.maps.offers import Models

TEXT = "The old keeper wrote a [MASK] book."
CASES: dict[str, dict[str, Any]] = {
    "classifier": {},
    "tagger": {},
    "masked": {},
    "decoder": {"generate": 2},
    "translator": {"target": "A ship."},
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_what_the_verb_says(name: str, request: pytest.FixtureRequest) -> None:
    model, options = request.getfixturevalue(name), CASES[name]
    by = ("rollout", "generic", "occlusion")
    told = explain_text(model, TEXT, by=by, **options)
    expected = headscope.explain(model, TEXT, by=by, words=True, **options)
    table = token_table(told, words=True)
    importance = expected.table("importance")
    assert table["token"].tolist() == importance["token"].tolist()
    np.testing.assert_allclose(table["importance"], importance["importance"], atol=1e-9)
    assert [answer.label for answer in told.answers] == expected.table("answers")["label"].tolist()
    assert {"rollout", "occlusion"} < {way.name for way in told.offered}


def test_one_word_can_be_typed(decoder: Model) -> None:
    told = explain_text(decoder, "lighthouses", by=["attention"])
    assert told.axes[0].names == ["lighthouses"] and told.importance.sum() == pytest.approx(1)


def test_only_what_the_model_allows_is_offered(tokenizers: Any, classifier: Model) -> None:
    told = explain_text(classifier, TEXT)
    assert [way.name for way in told.offered] == list(EXPLAINERS)
    assert [way.name for way in told.ways] == ["attention", "rollout", "generic", "occlusion"]


def test_heads_that_are_off_give_nothing(classifier: Model) -> None:
    """Without any head, no map has a gradient."""
    every = explain_text(classifier, TEXT, by=["generic"], off=classifier.heads())
    one = explain_text(classifier, TEXT, by=["generic"], off=[Head("encoder", 1, 2)])
    whole = explain_text(classifier, TEXT, by=["generic"])
    assert not every.importance.any() and whole.importance.any()
    assert not np.allclose(one.importance, whole.importance)


@pytest.mark.parametrize(
    ("name", "text", "options", "message"),
    [
        ("encoder", TEXT, {}, "no classifier, tagger or language model on top"),
        ("masked", "The old keeper.", {}, r"has no \[MASK\]; write one"),
        ("classifier", TEXT, {"by": ["rolout"]}, "unknown explainer 'rolout'"),
        ("masked", TEXT, {"second": "A ship."}, "gives no answer to a pair"),
        ("decoder", "a", {}, "nothing to tell apart"),
    ],
)
def test_what_cannot_be_explained(
    name: str, text: str, options: dict[str, Any], message: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(HeadscopeError, match=message):
        explain_text(request.getfixturevalue(name), text, **options)


@pytest.mark.parametrize(("name", "generate"), [("classifier", 0), ("decoder", 4)])
def test_a_page_is_told_of_the_first_pieces(
    name: str, generate: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a text of more pieces than a page waits for, so many, and those that a decoder writes."""
    monkeypatch.setattr(live, "PIECES", 12)
    explains = Explaining(Models({"one": request.getfixturevalue(name)}))
    told = explains.explanation("one", TEXT * 5, by=["attention"], generate=generate)
    assert len(told.axes[0].pieces) == 12 + max(generate - 1, 0)
    assert any("cut off after" in note for note in told.notes)


def test_a_page_that_is_gone_ends_the_work(classifier: Model) -> None:
    explains, passes = Explaining(Models({"one": classifier})), list[int]()

    def go_on() -> None:
        passes.append(1)
        if len(passes) == 2:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        explains.explanation("one", TEXT, by=["attention", "saliency", "occlusion"], go_on=go_on)
    assert len(passes) == 2
    explains.explanation("one", TEXT, by=["attention", "occlusion"])
    assert len(passes) == 2, "nothing stays attached"


def test_models_of_a_page_are_asked_by_name(classifier: Model) -> None:
    explains = Explaining(Models({"one": classifier}))
    assert explains.explanation("one", TEXT, by=["attention"]).model == "one"
    with pytest.raises(HeadscopeError, match="unknown model 'two'"):
        explains.explanation("two", TEXT)
