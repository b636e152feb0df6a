"""Edge probes: by hand, each as if alone, planted where it is known, null where nothing is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from headscope.measures.layers import center_of_gravity, expected_layer, micro_f1, uniform_bits
from headscope.probes.control import control_labels
from headscope.probes.edge_shelf import CONTROL, TASK, EdgeShard, EdgeShelf
from headscope.probes.edge_training import CODED, Lesson, count
from headscope.probes.edges import EdgeBatch, EdgeProbes, Shape
from headscope.tallies.hidden import Hidden

LAYERS, DIM, LABELS = 4, 6, 3


class Memory:
    """Checkpoints that are kept in memory; it may stop a training when one is written."""

    def __init__(self, stop: int | None = None) -> None:
        self.kept: dict[int, Any] = {}
        self.left = stop

    def read(self, number: int) -> Any:
        return self.kept.get(number)

    def write(self, number: int, arrays: Any, meta: Any) -> None:
        self.kept[number] = ({name: array.copy() for name, array in arrays.items()}, meta)
        if number == 0 and self.left is not None:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt

    def numbers(self) -> list[int]:
        return sorted(self.kept)


def shards(count: int, planted: int | None, spans: int = 1, seed: int = 0) -> list[EdgeShard]:
    """Segments of five words with random states; the label of each word stands in one layer, if planted."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        words = 100
        labels = random.integers(0, LABELS, words)
        vectors = random.normal(size=(words, 1, LAYERS, DIM)).astype(np.float32)
        if planted is not None:
            vectors[:, 0, planted, :LABELS] = 4 * np.eye(LABELS)[labels]
        place = np.arange(words) % 5
        other = (place + 1) % 5 if spans == 2 else place
        targets = np.stack(
            [np.arange(words) // 5, place, place + 1, other, other + 1, labels, (labels + 1) % LABELS], 1
        )
        sizes = np.full(words // 5, 5, np.int32)
        documents = np.repeat(np.arange(words // 5, dtype=np.uint64) + 1000 * number, 5)
        hidden = Hidden(vectors, np.ones(words, bool), sizes, documents[::5], sizes)
        made.append(EdgeShard(number, hidden, targets, documents))
    return made


def shelf(made: list[EdgeShard], spans: int = 1, size: int = 64) -> EdgeShelf:
    return EdgeShelf(lambda number: made[number], range(len(made)), spans, size)


def lesson(planted: int | None, steps: int = 60, **shape: Any) -> Lesson:
    asked = Shape(LAYERS, DIM, 1, LABELS, 16, **shape)
    train, test = shelf(shards(6, planted)), shelf(shards(3, planted, seed=1))
    return Lesson(train, test, asked, np.ones(LABELS, bool), steps)


@pytest.mark.parametrize("shape", [{}, {"pooling": "mean"}, {"normalised": True, "steps": 200}])
def test_what_is_planted_in_layer_2_is_found_there(shape: dict[str, Any]) -> None:
    task = lesson(2, **shape)
    probes = task.learn(0, False, Memory())[TASK]
    scores = micro_f1(task.score(probes, TASK).sum(1))
    assert scores[:2].max() < 0.5 and scores[2:].min() > 0.85
    assert expected_layer(scores) == pytest.approx(2, abs=0.15)
    weights = probes.weights().detach().numpy()
    assert weights[-1].argmax() == 2 and center_of_gravity(weights)[-1] == pytest.approx(2, abs=0.6)
    assert np.allclose(weights.sum(1), 1) and not np.triu(weights, 1).any(), "a probe reads no layer above"


def test_where_nothing_is_no_layer_gains() -> None:
    task = lesson(None)
    scores = micro_f1(task.score(task.learn(0, False, Memory())[TASK], TASK).sum(1))
    assert np.abs(scores - 1 / LABELS).max() < 0.12


def test_probes_learn_as_if_alone() -> None:
    """Other states in the last layer change nothing in the probes that do not read it."""
    first = lesson(1, steps=5)
    garbled = shards(6, 1)
    for shard in garbled:
        shard.hidden.vectors[:, :, 3] = 7.5
    second = replace(first, train=shelf(garbled))
    one, two = (task.learn(3, False, Memory())[TASK] for task in (first, second))
    for name, weights in one.named_parameters():
        other = dict(two.named_parameters())[name]
        assert torch.equal(weights[:3], other[:3]), name
    assert not torch.equal(one.output[3], two.output[3])


def test_stopped_and_taken_up() -> None:
    task = lesson(2, steps=9)
    whole = task.learn(1, True, Memory())
    store = Memory(stop=2)
    with pytest.raises(KeyboardInterrupt):
        task.learn(1, True, store)
    resumed = task.learn(1, True, store)
    for name in (TASK, CONTROL):
        pairs = zip(whole[name].parameters(), resumed[name].parameters(), strict=True)
        assert all(torch.equal(*pair) for pair in pairs)


def batch_of(words: torch.Tensor, spans: list[list[list[int]]], labels: list[int]) -> EdgeBatch:
    places, known = np.array(spans), torch.tensor(labels)
    zeros = np.zeros(len(labels), int)
    return EdgeBatch(words, places, {TASK: known}, zeros, np.zeros((len(labels), 2), int), places)


def test_pooling_by_hand() -> None:
    """One layer whose projection is the identity: a mean of words, or one weighted by softmax of a score."""
    words = torch.tensor([[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 5.0]]])
    batch = batch_of(words, [[[0, 2]], [[1, 2]], [[0, 3]]], [0, 1, 0])
    for pooling, weights in (("mean", [1 / 2, 1 / 2]), ("attention", [0.25, 0.75])):
        probes = EdgeProbes(Shape(1, 2, 1, 2, 2, pooling), 0)
        with torch.no_grad():
            probes.projection.copy_(torch.eye(2)[None, None])
            probes.attention.copy_(torch.tensor([np.log(3) / 2, 0.0]).view(1, 1, 2, 1))
        mixed = words[None, :, 0]
        pooled = probes._pooled(mixed, batch.spans[:, 0], 0)[0].detach()
        expected = weights[0] * words[0, 0] + weights[1] * words[1, 0]
        assert torch.allclose(pooled[0], expected) and torch.allclose(pooled[1], words[1, 0])


def test_pairs_read_both_spans() -> None:
    """The label is that of the second span: one span alone cannot tell it."""
    made = [shards(6, 0, 2), shards(3, 0, 2, seed=1)]
    for some in made:
        for shard in some:
            whole = shard.targets[:, 5].reshape(-1, 5)
            shard.targets[:, 5] = np.roll(whole, -1, 1).ravel()
    scores = []
    for spans in (1, 2):
        shape = Shape(LAYERS, DIM, spans, LABELS, 16)
        task = Lesson(shelf(made[0], spans), shelf(made[1], spans), shape, np.ones(LABELS, bool), 60)
        scores.append(micro_f1(task.score(task.learn(0, False, Memory())[TASK], TASK).sum(1))[-1])
    assert scores[0] < 0.5 and scores[1] > 0.9


def test_counts_by_hand() -> None:
    """Labels 0, 1, 2, of which 0 does not count; -1 was never seen in training, and is there to find."""
    predicted, gold = np.array([1, 1, 0, 2, 0, 1]), np.array([1, 2, 1, 2, 0, -1])
    counts = count(predicted, gold, np.array([0, 0, 1, 1, 1, 1]), np.array([False, True, True]))
    assert counts[0].tolist() == [1, 2, 2] and counts[1].tolist() == [1, 2, 3]
    assert micro_f1(counts.sum(0)).item() == pytest.approx(2 * 2 / (4 + 5))


def test_most_frequent_label() -> None:
    task = lesson(None)
    counts = task.constant(1).sum(0)
    gold = np.concatenate([shard.targets[:, 5] for shard in shards(3, None, seed=1)])
    assert counts.tolist() == [(gold == 1).sum(), len(gold), len(gold)]


def test_code_of_what_cannot_be_known_is_not_short() -> None:
    """Random labels cost at least n log2 K, less a few per cent of luck; planted ones far less."""
    edges, nats = lesson(None, steps=12).code(0, 600, lambda number: Memory())
    assert edges[-1] == 600 and nats.shape == (LAYERS, len(edges) - 1)
    bits = (edges[0] * np.log2(LABELS)) + nats.sum(1) / np.log(2)
    assert (bits > 0.97 * uniform_bits(600, LABELS)).all()
    known = lesson(0, steps=40).code(0, 600, lambda number: Memory())[1]
    assert (known.sum(1) < 0.6 * nats.sum(1)).all() and CODED > 600


def test_batches_hold_each_target_once() -> None:
    made = shards(5, None)
    seen = [batch.blocks for batch in shelf(made).batches(np.random.default_rng(0))]
    assert sum(map(len, seen)) == 500
    assert all(64 <= len(blocks) < 64 + 5 for blocks in seen[:-1]), "segments are whole"
    orders = [next(shelf(made).endless(seed)).segments.tolist() for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
    behind = [batch.labels[TASK] for batch in shelf(made).between(3, 100, 333)]
    every = torch.cat([batch.labels[TASK] for batch in shelf(made).batches(np.random.default_rng(3))])
    assert torch.equal(torch.cat(behind), every[100:333])


def test_words_that_nobody_asks_for_are_left_out() -> None:
    (shard,) = shards(1, None)
    some = replace(shard, targets=shard.targets[[2, 8, 9]], documents=shard.documents[[2, 8, 9]])
    (batch,) = shelf([some]).batches()
    assert torch.equal(batch.words, torch.from_numpy(shard.hidden.vectors[[2, 8, 9], 0]))
    assert batch.spans[:, 0].tolist() == [[0, 1], [1, 2], [2, 3]]
    assert batch.places[:, 0].tolist() == [[2, 3], [3, 4], [4, 5]]


def test_control_labels_are_fixed_per_type() -> None:
    """Wherever a word stands, whatever its case: one label; another seed draws others; shares are kept."""
    words = ["Ship", "night", "ship", "SHIP", "Night"]
    labels = control_labels(words, [0.5, 0.3, 0.2], seed=4)
    assert len(set(labels[[0, 2, 3]])) == 1 and labels[1] == labels[4]
    assert control_labels(words[::-1], [0.5, 0.3, 0.2], seed=4).tolist() == labels[::-1].tolist()
    many = [f"word{number}" for number in range(4000)]
    drawn = control_labels(many, [0.5, 0.3, 0.2], seed=0)
    assert np.bincount(drawn) / 4000 == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    assert (drawn != control_labels(many, [0.5, 0.3, 0.2], seed=1)).mean() > 0.5
