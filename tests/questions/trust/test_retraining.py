"""Training with even attention: our own nets begin from their vectors, any other model from its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import headscope
from headscope.models import Model, load
from headscope.models.vectors import vectors_in
from headscope.nets import is_net
from headscope.questions.trust.retraining import FROM_NOTHING, FROM_WEIGHTS, Retraining
from headscope.tasks.choice import task_for
from headscope.tasks.course import Course
from headscope.tasks.finetuning import Evaluation
from tests.cli.labelled import save_model, write_tags, write_texts
from tests.nets.made import save_pooled, save_tagger


def trained(model: Model, data: Path) -> pd.DataFrame:
    options = {"epochs": 1, "batch_size": 8, "limit": 12, "by": ("rollout",), "quick": True}
    return headscope.trust(model, data, train=data, **options).table("even_attention")


def changed(place: Path) -> Model:
    """The same model with other weights; of a net, all but its word vectors."""
    model = load(place)
    kept = {id(weight) for weight in vectors_in(model.module.get_input_embeddings()) if is_net(model.module)}
    with torch.no_grad():
        for parameter in model.module.parameters():
            if id(parameter) not in kept:
                parameter.mul_(-3.0).add_(0.1)
    return model


def retraining(model: Model, kind: str, seed: int = 0) -> Retraining:
    return Retraining(model, task_for(model, kind), "last", 32, Course(1, 8, seed=seed), 1e-3)


@pytest.mark.parametrize(
    ("kind", "begins"), [("net", FROM_NOTHING), ("tagger", FROM_NOTHING), ("bert", FROM_WEIGHTS)]
)
def test_what_training_begins_from(tmp_path: Path, kind: str, begins: str) -> None:
    """What a net has learned before makes no difference; what another model has learned does."""
    tags = kind == "tagger"
    data = write_tags(tmp_path / "train.iob", 20) if tags else write_texts(tmp_path / "train.tsv", 20)
    place = {"net": save_pooled, "tagger": save_tagger, "bert": save_model}[kind](tmp_path / kind)
    one, other = trained(load(place), data), trained(changed(place), data)
    assert one["attention"].tolist() == ["own", "even"] and set(one["begins"]) == {begins}
    assert one.equals(other) == (kind != "bert")
    assert one["difference"][0] == 0


@pytest.mark.parametrize(("save", "kind"), [(save_pooled, "classification"), (save_tagger, "tagging")])
def test_what_a_net_keeps(tmp_path: Path, save: Any, kind: str) -> None:
    """Its word vectors, and which piece has which; a seed gives all else, whatever was learned."""
    place = save(tmp_path / "net")
    one, other = (retraining(load(place), kind, seed)._begun().module.state_dict() for seed in (0, 1))
    again, was = (
        retraining(changed(place), kind)._begun().module.state_dict(),
        load(place).module.state_dict(),
    )
    assert all(torch.equal(again[name], one[name]) for name in again)
    same = [name for name in was if torch.equal(was[name], one[name]) and was[name].any()]
    table = [name for name in was if "embedding" in name and "characters" not in name]
    assert table and {*table} <= {*same}
    assert not all(torch.equal(one[name], other[name]) for name in one)


def test_a_training_that_learned_too_little_is_told(tmp_path: Path) -> None:
    """9 of 10 right before, 6 of 10 after: told; 9 of 10 after: not."""
    tried = retraining(load(save_pooled(tmp_path / "net")), "classification")
    right = {share: _scored(share) for share in (0.9, 0.6)}
    assert tried._short_of(right[0.9], right[0.9]) == []
    (note,) = tried._short_of(right[0.9], right[0.6])
    assert "scores 0.600, and it scored 0.900: too little was learned" in note


def _scored(share: float) -> Evaluation:
    """100 examples, of which this share is right."""
    right = (np.arange(100) < 100 * share).astype(float)
    return Evaluation(0.0, share, np.stack([right, np.ones(100)], 1))
