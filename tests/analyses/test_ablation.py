"""Scores under ablation: the same numbers with and without replayed layers, and the right conditions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.analyses.ablation import Ablation, Condition, all_but_one, single_heads, whole_layers
from headscope.analyses.analysis import Setting
from headscope.attention import Ablate
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import sides_of
from headscope.tasks.task import Scores
from headscope.text import Segment, batches, read
from tests.analyses.tasks import Reading
from tests.sampling import sampled

STACKS = ("bert", "llama", "t5", "bart")


def scores(setting: Setting, texts: list[str], conditions: list[Condition], **options) -> np.ndarray:
    analysis = Ablation(Reading(), conditions, **options)
    plan = Plan(setting, [analysis], 32, 2, analysis.task.cutter)
    done = run(plan, read(texts), "test")
    found = analysis.arrays(done.tallies["ablation"], setting)
    return np.concatenate([found["loss"].values[..., None], found["statistics"].values], -1)


@pytest.mark.parametrize("family", sampled(STACKS, ["bert", "t5"]))
def test_replayed_layers_give_the_same_bits(family: str, request, texts: list[str]) -> None:
    setting = Setting(request.getfixturevalue(family))
    conditions = [*single_heads(setting), *whole_layers(setting)]
    replayed = scores(setting, texts, conditions)
    assert np.array_equal(replayed, scores(setting, texts, conditions, replay=False))
    assert replayed.shape[1] == 1 + len(conditions)
    changed = (replayed[:, 1:, 0] != replayed[:, :1, 0]).any(0)
    assert changed.mean() > 0.9, "removing a head changes some loss"


def test_against_one_head_at_a_time(bert, texts: list[str]) -> None:
    """The same as a pass by hand with the head ablated."""
    setting, task = Setting(bert), Reading()
    found = scores(setting, texts, single_heads(setting))
    plan = Plan(setting, (), 32, 2, task.cutter)
    parts = [part for document in read(texts) for part in plan.cut(document)]
    segments = [part for part in parts if isinstance(part, Segment)]
    for place, head in enumerate(setting.chosen(), start=1):
        expected = []
        for batch in batches(segments, bert.tokenizer, 2):
            with torch.no_grad(), bert.attached(edits=[Ablate([head])], whole=True) as module:
                expected += task.score(module, sides_of(bert, batch)).loss.tolist()
        assert found[:, place, 0].tolist() == expected


def test_means_take_the_place_of_what_is_removed(bert, texts: list[str]) -> None:
    setting = Setting(bert, layers=[1], heads=[2])
    head = Head("encoder", 1, 2)
    zero = scores(setting, texts, single_heads(setting))
    means = {head: torch.zeros(4)}
    assert np.array_equal(scores(setting, texts, single_heads(setting), means=means), zero)
    means = {head: torch.ones(4)}
    assert not np.array_equal(scores(setting, texts, single_heads(setting), means=means), zero)


def test_conditions(bart) -> None:
    setting = Setting(bart, layers=[0, 2])
    names = [condition.name for condition in single_heads(setting)]
    assert names[:5] == ["encoder:L0H0", "encoder:L0H1", "encoder:L0H2", "encoder:L0H3", "decoder:L0H0"]
    assert len(names) == 4 + 4 + 4
    layers = {condition.name: len(condition.heads) for condition in whole_layers(setting)}
    assert layers == {
        "encoder layer 0": 4, "decoder layer 0": 2, "decoder layer 2": 2, "cross layer 0": 2,
        "cross layer 2": 2,
    }  # fmt: skip
    alone = all_but_one(Setting(bart, layers=[0], heads=[1]))
    assert alone[Head("encoder", 0, 1)].heads == tuple(Head("encoder", 0, index) for index in (0, 2, 3))
    assert len(alone) == 3


class Forgetful(Reading):
    """A task whose second pass differs, as in a family whose layers hand on more than they return."""

    def score(self, module, sides):
        found = super().score(module, sides)
        object.__setattr__(found, "loss", found.loss + self.passes)
        return found


def test_where_replaying_changes_anything_it_is_left(bert, texts: list[str]) -> None:
    task = Forgetful()
    setting = Setting(bert)
    analysis = Ablation(task, single_heads(setting))
    work = analysis.work(setting)
    plan = Plan(setting, [analysis], 32, 8, task.cutter)
    parts = [part for document in read(texts) for part in plan.cut(document)]
    for batch in batches([part for part in parts if isinstance(part, Segment)], bert.tokenizer, 8):
        work.begin(sides_of(bert, batch))
        work.end([segment.document for segment in batch.segments])
    assert work._replay is None


@pytest.mark.parametrize("call", [1, 2, 3])
def test_running_out_of_memory_is_told(call: int, bert, texts: list[str], monkeypatch) -> None:
    """At the first pass, when replaying is tried, and with a head removed."""
    score, calls = Reading.score, []

    def short_of_memory(self: Reading, *given: object) -> Scores:
        calls.append(given)
        if len(calls) == call:
            raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: 9 bytes\nat C++")
        return score(self, *given)

    monkeypatch.setattr(Reading, "score", short_of_memory)
    setting = Setting(bert)
    message = r"memory ran out: .*can't allocate memory: 9 bytes\. Reduce --batch-size \(now 2\)$"
    with pytest.raises(ModelError, match=message):
        scores(setting, texts, single_heads(setting))
    assert len(calls) == call
