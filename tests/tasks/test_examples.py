"""Examples in memory: what training sees is what the task prepared."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.tasks.examples import Examples
from headscope.tasks.predictions import example_losses
from tests.tasks.learning import classifier, labelled, prepared, tagged, tagger, texts
from tests.threads import one_thread  # noqa: F401

ROWS = texts(23)


def both(wordpiece, kind: str):
    model, task = classifier(wordpiece) if kind == "classification" else tagger(wordpiece)
    corpus = labelled(ROWS) if kind == "classification" else tagged(ROWS)
    return model, task, prepared(model, task, corpus)


@pytest.mark.parametrize("kind", ["classification", "tagging"])
def test_batches_are_those_that_the_task_prepared(wordpiece, kind: str) -> None:
    _, _, batches = both(wordpiece, kind)
    examples = Examples.of(batches)
    assert len(examples) == 23 and examples.ids.dtype == np.int32
    assert examples.per_text == (kind == "classification")
    first = 0
    for sides in batches:
        inputs, labels = examples.padded(np.arange(first, first + len(sides.segments)), padding=0)
        first += len(sides.segments)
        assert inputs.keys() == sides.inputs.keys()
        assert all(torch.equal(inputs[name], sides.inputs[name]) for name in inputs)
        assert torch.equal(labels, sides.labels)
    assert examples.words.sum() == sum(len(segment.words) for sides in batches for segment in sides.segments)


@pytest.mark.parametrize("kind", ["classification", "tagging"])
def test_what_is_trained_on_is_the_loss_of_the_task(wordpiece, kind: str) -> None:
    model, task, batches = both(wordpiece, kind)
    examples = Examples.of(batches)
    size = len(batches[0].segments)
    inputs, labels = examples.padded(np.arange(size), padding=0)
    with torch.no_grad():
        expected = task.score(model.module, batches[0]).loss
        found = example_losses(model.module(**inputs).logits, labels)
    assert torch.equal(found, expected) and len(found) == size and (found > 0).all()


@settings(max_examples=50, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=200),
    size=st.integers(1, 9),
    epoch=st.integers(0, 3),
)
def test_every_epoch_has_every_example_once(sizes: list[int], size: int, epoch: int) -> None:
    lengths = np.array(sizes)
    examples = Examples(np.zeros(lengths.sum()), np.zeros(len(sizes)), lengths, lengths)
    batches = examples.batches(size, 5, epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(sizes)))
    assert len(batches) == -(-len(sizes) // size) and max(map(len, batches)) <= size
    again = examples.batches(size, 5, epoch)
    assert all(np.array_equal(one, other) for one, other in zip(batches, again, strict=True))


def test_epochs_and_seeds_have_orders_of_their_own_and_batches_are_of_like_length() -> None:
    lengths = np.tile(np.arange(1, 41), 20)
    examples = Examples(np.zeros(lengths.sum()), np.zeros(800), lengths, lengths)
    orders = [np.concatenate(examples.batches(8, seed, epoch)) for seed, epoch in ((0, 0), (0, 1), (1, 0))]
    assert all((one != other).mean() > 0.9 for one, other in ((orders[0], orders[1]), (orders[0], orders[2])))
    batches = examples.batches(8, 0, 0)
    assert np.mean([np.ptp(lengths[batch]) for batch in batches]) < 1
    first = [lengths[batch].mean() for batch in batches[:50]]
    assert np.std(first) > 5, "short and long batches are mixed"
