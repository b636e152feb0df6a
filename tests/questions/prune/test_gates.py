"""Learned gates close where a head does harm and stay open where it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from headscope.analyses.analysis import Setting
from headscope.attention import Ablate
from headscope.errors import ModelError
from headscope.models import sides_of
from headscope.questions.prune.gates import START, Gates, Lessons, learn_gates
from headscope.results.shards import Part
from headscope.tasks.checkpoints import Memory
from headscope.text import Segment, batches, read
from tests.analyses.tasks import Reading
from tests.tasks.stopping import Stop, Stopped


def segments_of(model, texts: list[str]) -> list[Segment]:
    parts = (part for document in read(texts) for part in Reading.cutter(document, model.tokenizer, 32))
    return [part for part in parts if isinstance(part, Segment)]


def test_the_penalty_alone_closes_every_gate_alike(bert, texts: list[str]) -> None:
    class Indifferent(Reading):
        def score(self, module, sides):
            found = super().score(module, sides)
            return type(found)(found.loss * 0, found.statistics)

    setting = Setting(bert)
    found = learn_gates(setting, Indifferent(), segments_of(bert, texts), Lessons(8, 2, 1.0, 0.1), Memory())
    values = np.array(list(found.values()))
    assert list(found) == setting.chosen() and (values < START).all()
    assert np.ptp(values) < 1e-4


def test_heads_that_lower_the_loss_stay_open(bert, texts: list[str]) -> None:
    """Of gates learned without a penalty, the more open half lowers the loss more."""
    setting, task, segments = Setting(bert), Reading(), segments_of(bert, texts)
    found = learn_gates(setting, task, segments, Lessons(60, 4, 0.0, 0.2), Memory())
    (batch,) = batches(segments, bert.tokenizer, len(segments))
    sides = sides_of(bert, batch)

    def loss(gone) -> float:
        with torch.no_grad(), bert.attached(edits=[Ablate(gone)], whole=True) as module:
            return float(task.score(module, sides).loss.mean())

    order = sorted(found, key=lambda head: found[head])
    assert loss(order[:2]) < loss(order[-2:])


def test_the_same_seed_gives_the_same_gates(bert, texts: list[str]) -> None:
    setting, segments = Setting(bert, seed=3), segments_of(bert, texts)
    lessons = Lessons(5, 2)
    first = learn_gates(setting, Reading(), segments, lessons, Memory())
    assert first == learn_gates(setting, Reading(), segments, lessons, Memory())
    told: list[int] = []
    other = Setting(bert, seed=4)
    assert first != learn_gates(
        other, Reading(), segments, lessons, Memory(), lambda count, _: told.append(count)
    )
    assert told == [2] * 5


def test_stopped_gates_go_on_within_their_steps_to_the_same_bits(
    bert, texts: list[str], tmp_path: Path
) -> None:
    """Twelve steps of two texts; kept after every second or so, so after six of them."""
    setting, segments, lessons = Setting(bert, seed=3), segments_of(bert, texts), Lessons(12, 2)
    whole, part = learn_gates(setting, Reading(), segments, lessons, Memory()), Part(tmp_path)
    with pytest.raises(Stopped):
        learn_gates(setting, Reading(), segments, lessons, part, Stop(7))
    told: list[int] = []
    again = learn_gates(setting, Reading(), segments, lessons, part, lambda count, _: told.append(count))
    assert again == whole and list(again) == setting.chosen()
    assert told == [12] + [2] * 6

    def never() -> Iterator[Segment]:
        raise AssertionError("gates that were learned ask for no text")
        yield

    assert learn_gates(setting, Reading(), never(), lessons, part) == whole


def test_gates_of_a_model_that_gives_no_numbers_are_explained(bert, texts: list[str]) -> None:
    class Broken(Reading):
        def score(self, module, sides):
            found = super().score(module, sides)
            return type(found)(found.loss * torch.nan, found.statistics)

    with pytest.raises(ModelError, match="no longer a number after step 1; see that the model"):
        learn_gates(Setting(bert), Broken(), segments_of(bert, texts), Lessons(8, 2), Memory())


def test_open_gates_by_layer(bert) -> None:
    gates = Gates(Setting(bert).chosen())
    with torch.no_grad():
        gates.log_a.fill_(0.0)
    assert abs(gates.open_by_layer().item() - 4 * 0.688) < 0.002, "four heads in each of two layers"
