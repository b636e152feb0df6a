"""The loss of an adversary: by hand, whatever the batch, and its gradient through what listeners hear."""

from __future__ import annotations

from copy import deepcopy
from math import log
from pathlib import Path

import pytest
import torch

from headscope.models.load import with_module
from headscope.questions.adversary.hearing import Listening, real_rows
from headscope.questions.adversary.opposing import answers_apart, attention_apart
from headscope.tasks.predictions import IGNORED
from tests.questions.adversary.made import KINDS, changed, known, longer, made


def test_distances_of_answers_by_hand() -> None:
    """Two words of which one has no tag, and a text whose answer is another."""
    chances = torch.tensor([[[0.9, 0.1], [0.2, 0.8]], [[0.4, 0.6], [0.5, 0.5]]])
    logits = torch.tensor([[[0.0, 0.0], [0.0, log(3.0)]], [[log(3.0), 0.0], [9.0, 0.0]]])
    labels = torch.tensor([[0, 0], [1, IGNORED]])
    nll = answers_apart(logits, chances, labels, "nll")
    assert nll.tolist() == pytest.approx([(log(2) + log(4 / 3)) / 2, log(4)])
    tvd = answers_apart(logits, chances, labels, "tvd")
    assert tvd.tolist() == pytest.approx([(0.4 + 0.05) / 2, 0.35])


def test_distances_of_single_labels_by_hand() -> None:
    chances, logits = torch.tensor([[0.25, 0.75]]), torch.zeros(1, 2)
    assert answers_apart(logits, chances, torch.tensor([0]), "nll").item() == pytest.approx(log(2))
    assert answers_apart(logits, chances, torch.tensor([0]), "tvd").item() == pytest.approx(0.25)


@pytest.mark.parametrize("kind", KINDS)
def test_neither_the_batch_nor_padding_changes_the_loss(kind: str, folder: Path) -> None:
    model, _, prepared = made(kind, folder)
    base, inputs = known(model, prepared), prepared[0].inputs
    other = with_module(model, deepcopy(model.module))
    changed(other)
    listening = Listening(other, base.sites)

    def apart(inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        with torch.no_grad(), listening.attached():
            other.module(**inputs)
            return attention_apart(listening, base, inputs, "kl")

    together = apart(inputs)
    assert (together > 1e-5).all()
    alone = torch.cat([apart({name: each[row, None] for name, each in inputs.items()}) for row in range(4)])
    torch.testing.assert_close(alone, together, rtol=0, atol=1e-6)
    torch.testing.assert_close(apart(longer(inputs, 3)), together, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_nowhere_else_than_itself(kind: str, folder: Path) -> None:
    model, _, prepared = made(kind, folder)
    base, listening = known(model, prepared), Listening(model, known(model, prepared).sites)
    with torch.no_grad(), listening.attached():
        model.module(**prepared[1].inputs)
        assert attention_apart(listening, base, prepared[1].inputs, "jsd").abs().max() < 1e-6


@pytest.mark.parametrize("divergence", ["kl", "jsd"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_of_weights_equals_finite_differences(kind: str, divergence: str, folder: Path) -> None:
    """Through the model, in float64: what is heard carries its graph."""
    model, _, prepared = made(kind, folder)
    model.module.double()
    base, inputs = known(model, prepared), prepared[0].inputs
    changed(model)
    listening = Listening(model, base.sites)

    def loss() -> torch.Tensor:
        with listening.attached():
            model.module(**inputs)
            return attention_apart(listening, base, inputs, divergence).sum()  # type: ignore[arg-type]

    weights = [
        weight
        for name, weight in model.module.named_parameters()
        if name.endswith(("query.weight", "hidden.weight")) and weight.ndim == 2
    ][:2]
    slopes = torch.autograd.grad(loss(), weights)
    for weight, slope in zip(weights, slopes, strict=True):
        direction = torch.randn(weight.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        ends = []
        for sign in (1, -1):
            with torch.no_grad():
                weight.add_(sign * 1e-5 * direction)
                ends.append(loss())
                weight.sub_(sign * 1e-5 * direction)
        assert (slope * direction).sum().item() == pytest.approx(
            (ends[0] - ends[1]).item() / 2e-5, rel=1e-5, abs=1e-9
        )
        assert slope.abs().max() > 0


def test_pieces_that_go_on_with_a_word_do_not_count(folder: Path) -> None:
    """A tagger's word is one query, however many pieces it has."""
    model, _, prepared = made("tagger", folder)
    ids = model.tokenizer(["ships", "ship"], padding=True, return_tensors="pt")
    inputs = {name: ids[name] for name in ("input_ids", "attention_mask")}
    listening = Listening(model, known(model, prepared).sites)
    with torch.no_grad(), listening.attached():
        model.module(**inputs)
    (heard,) = listening.heard.values()
    pieces = inputs["attention_mask"].sum(1).tolist()
    assert pieces[0] > 1 and real_rows(heard, inputs).sum(1).tolist() == [1, 1]
