"""Training with even attention: our own nets begin from nothing, any other model from its weights."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
import torch

import headscope
from headscope.models import Model, load
from headscope.questions.trust.retraining import untrained
from tests.cli.labelled import save_model, write_texts
from tests.nets.made import save_pooled


def trained(model: Model, data: Path) -> pd.DataFrame:
    options = {"epochs": 1, "batch_size": 8, "limit": 12, "by": ("rollout",), "quick": True}
    return headscope.trust(model, data, train=data, **options).table("even_attention")


def changed(place: Path) -> Model:
    """The same model with other weights."""
    model = load(place)
    with torch.no_grad():
        for parameter in model.module.parameters():
            parameter.mul_(-3.0).add_(0.1)
    return model


@pytest.mark.parametrize(("kind", "begins"), [("net", "nothing"), ("bert", "the model's weights")])
def test_what_training_begins_from(tmp_path: Path, kind: str, begins: str) -> None:
    """What a net has learned before makes no difference; what another model has learned does."""
    data = write_texts(tmp_path / "train.tsv", 20)
    place = save_pooled(tmp_path / "net") if kind == "net" else save_model(tmp_path / "bert")
    one, other = trained(load(place), data), trained(changed(place), data)
    assert one["attention"].tolist() == ["own", "even"] and set(one["begins"]) == {begins}
    assert one.equals(other) == (kind == "net")
    assert one["difference"][0] == 0


def test_nothing_of_training_is_left(tmp_path: Path) -> None:
    """A seed gives the same weights whatever was learned, word vectors included; another seed others."""
    place = save_pooled(tmp_path / "net")
    drawn = [dict(untrained(load(place), seed).module.named_parameters()) for seed in (0, 1)]
    again = dict(untrained(changed(place), 0).module.named_parameters())
    words = next(name for name in again if "embed" in name)
    assert all(torch.equal(again[name], drawn[0][name]) for name in again)
    assert not torch.equal(drawn[0][words], drawn[1][words])
