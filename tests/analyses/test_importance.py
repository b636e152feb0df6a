"""Importance against finite differences in float64, confidence by hand."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from headscope.analyses.analysis import Setting
from headscope.analyses.importance import Importance, importance_of, layer_normalised
from headscope.attention import OutputEdit, Recorder
from headscope.heads import Head
from headscope.models import Model, load, sides_of
from headscope.text import Batch, Segment, batches, read
from tests.analyses.tasks import Reading

STEP = 1e-5


class OneQuery(OutputEdit):
    """Scale what one head hands on at one query."""

    def __init__(self, head: Head, query: int | None, factor: float) -> None:
        super().__init__([head])
        self.query, self.factor = query, factor

    def change(self, output: torch.Tensor, site) -> torch.Tensor:
        changed = output.clone()
        changed[:, self.query if self.query is not None else slice(None)] *= self.factor
        return changed


@pytest.fixture(scope="module")
def exact(bert: Model) -> Model:
    return load(copy.deepcopy(bert.module).double(), bert.tokenizer)


def one_batch(model: Model, texts: list[str]) -> Batch:
    parts = (part for document in read(texts) for part in Reading.cutter(document, model.tokenizer, 32))
    segments = [part for part in parts if isinstance(part, Segment)]
    (batch,) = batches(segments[:3], model.tokenizer, 3)
    return batch


def derivative(model: Model, task: Reading, batch: Batch, head: Head, query: int | None) -> np.ndarray:
    """Of each example's loss with respect to a gate on a head, (batch,)."""
    losses = []
    for factor in (1 + STEP, 1 - STEP):
        edit = OneQuery(head, query, factor)
        with torch.no_grad(), model.attached(edits=[edit], whole=True) as module:
            losses.append(task.score(module, sides_of(model, batch)).loss.numpy())
    return (losses[0] - losses[1]) / (2 * STEP)


@pytest.mark.parametrize("first", [True, False])
def test_against_finite_differences(exact: Model, texts: list[str], first: bool) -> None:
    task, setting, batch = Reading(first), Setting(exact), one_batch(exact, texts)
    work = Importance(task).work(setting)
    work.begin(sides_of(exact, batch))
    work.end([segment.document for segment in batch.segments])
    found = Importance(task).arrays(work.tallies, setting)
    lengths = batch.lengths.numpy()
    for place, head in enumerate(setting.chosen()):
        whole = derivative(exact, task, batch, head, None)
        assert found["example"].values[place] == pytest.approx(np.abs(whole).mean(), rel=1e-4, abs=1e-9)
        parts = [derivative(exact, task, batch, head, query) for query in range(lengths.max())]
        total = np.abs(parts).sum()
        divided = 3 if first and head.layer == 1 else lengths.sum()
        assert found["token"].values[place] == pytest.approx(total / divided, rel=1e-4, abs=1e-9)


def test_a_removed_head_has_none(bert: Model, texts: list[str]) -> None:
    task, setting, batch = Reading(), Setting(bert), one_batch(bert, texts)
    gone = [Head("encoder", 0, 1), Head("encoder", 1, 3)]
    work = Importance(task, gone).work(setting)
    work.begin(sides_of(bert, batch))
    work.end([segment.document for segment in batch.segments])
    found = Importance(task).arrays(work.tallies, setting)["example"].values
    zero = [place for place, head in enumerate(setting.chosen()) if head in gone]
    assert found[zero].tolist() == [0, 0] and (np.delete(found, zero) > 0).all()


def test_confidence_by_hand(bert: Model, texts: list[str]) -> None:
    """The mean over ordinary pieces of the largest weight on an ordinary piece."""
    task, setting, batch = Reading(), Setting(bert), one_batch(bert, texts)
    recorder = Recorder()
    with torch.no_grad(), bert.attached([recorder]) as module:
        module(**sides_of(bert, batch).inputs)
    work = Importance(task).work(setting)
    work.begin(sides_of(bert, batch))
    work.end([segment.document for segment in batch.segments])
    found = Importance(task).arrays(work.tallies, setting)["confidence"].values
    for place, head in enumerate(setting.chosen()):
        site = next(s for s in bert.sites.sites if s.layer == head.layer)
        maps = recorder.maps[site][0][:, head.index]
        means = []
        for weights, segment in zip(maps, batch.segments, strict=True):
            ordinary = np.flatnonzero(~segment.special)
            means.append(weights[ordinary][:, ordinary].max(1).values.mean().item())
        assert found[place] == pytest.approx(np.mean(means), rel=1e-5)


def test_scores_from_sums_by_hand() -> None:
    """Two heads, three examples of 12 tokens in all; the second head's layer is read at one token."""
    sums = np.array([[6.0, 24.0, 12.0, 1.5], [3.0, 9.0, 12.0, 0.9]])
    found = importance_of(sums, np.full((2, 4), 3.0), np.array([False, True]))
    assert found["example"].tolist() == [2, 1]
    assert found["token"].tolist() == [2, 3]
    assert found["confidence"].tolist() == pytest.approx([0.5, 0.3])


def test_a_classifier_reads_one_token_of_the_last_layer(bert: Model, bart: Model) -> None:
    """BART has two encoder layers, which its decoder reads at all tokens, and three decoder layers."""
    for model, layers in ((bert, {("encoder", 1)}), (bart, {("decoder", 2), ("cross", 2)})):
        setting = Setting(model)
        found = zip(setting.chosen(), Importance(Reading()).pooled(setting), strict=True)
        assert {(head.stack, head.layer) for head, pooled in found if pooled} == layers
        assert not Importance(Reading(first=False)).pooled(setting).any()


def test_layers_are_normalised_apart() -> None:
    layers = [("encoder", 0), ("decoder", 0), ("encoder", 0), ("decoder", 0)]
    found = layer_normalised(np.array([[3.0, 0.0, 4.0, 0.0], [6.0, 5.0, 8.0, 12.0]]), layers)
    assert found.tolist() == [[0.6, 0, 0.8, 0], [0.6, pytest.approx(5 / 13), 0.8, pytest.approx(12 / 13)]]


@pytest.mark.parametrize("family", ["llama", "bart"])
def test_every_stack_has_importance(family: str, request, texts: list[str]) -> None:
    model = request.getfixturevalue(family)
    task, setting, batch = Reading(first=False), Setting(model), one_batch(model, texts)
    work = Importance(task).work(setting)
    work.begin(sides_of(model, batch))
    work.end([segment.document for segment in batch.segments])
    found = Importance(task).arrays(work.tallies, setting)
    assert (found["example"].values > 0).all() and (found["confidence"].values > 0).all()
