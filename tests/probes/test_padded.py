"""Batches hold every sentence once, and both directions of each map."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.probes.features import Features, FeatureTally
from headscope.probes.padded import CELLS, SENTENCES, Padded, Shelf, groups
from tests.probes.planted import noise, plant, plant_random, shelf, some_vectors


@given(st.lists(st.integers(2, 300), min_size=1, max_size=150), st.booleans())
@settings(deadline=None)
def test_groups_are_a_partition_within_bounds(sizes: list[int], drawn: bool) -> None:
    of = np.array(sizes, np.int32)
    found = groups(of, np.random.default_rng(0) if drawn else None)
    assert sorted(np.concatenate(found).tolist()) == list(range(len(sizes)))
    for group in found:
        assert len(group) <= SENTENCES
        assert len(group) == 1 or len(group) * int(of[group].max()) ** 2 <= CELLS


def test_the_second_half_is_the_first_transposed() -> None:
    (batch,) = shelf(plant_random([noise, noise, noise], sentences=6)).batches()
    one_way, other_way = batch.maps[..., :3], batch.maps[..., 3:]
    torch.testing.assert_close(other_way, one_way.transpose(1, 2))
    assert one_way.abs().sum() > 0


def test_a_sentence_lies_where_it_should_and_padding_is_empty() -> None:
    sentences = [(["a", "ship"], [2, 0]), (["the", "old", "lamp"], [3, 3, 0])]
    features = plant(sentences, [noise, noise])
    (batch,) = shelf(features, some_vectors(["lamp", "a"])).batches()
    np.testing.assert_array_equal(batch.maps[1, ..., :2].numpy(), features.maps[4:].reshape(3, 3, 2))
    np.testing.assert_array_equal(batch.maps[0, :2, :2, :2].numpy(), features.maps[:4].reshape(2, 2, 2))
    assert not batch.maps[0, 2].any() and not batch.maps[0, :, 2].any() and not batch.ends[0, 2].any()
    ends = batch.ends[1].view(3, 4, 2).numpy()
    np.testing.assert_array_equal(ends, features.ends[2:])
    assert batch.rows.tolist() == [[2, 0, 0], [0, 0, 1]]
    assert batch.targets["tree"].tolist() == [[2, 0, -1], [3, 3, 0]]
    assert batch.counted.tolist() == [[True, True, False], [True, True, True]]


def test_words_that_are_not_asked_are_asked_in_no_task() -> None:
    features = plant([(["a", "ship", "passed"], [2, -1, 0])], [noise])
    (batch,) = shelf(features).batches()
    assert batch.targets["tree"].tolist() == [[2, -1, 0]]
    assert batch.targets["control"][0, 1] == -1 and batch.counted.tolist() == [[True, False, True]]


def test_a_random_order_is_drawn_from_its_generator() -> None:
    source = shelf(plant_random([noise], sentences=100))
    orders = [
        [batch.blocks.tolist() for batch in source.batches(np.random.default_rng(seed))] for seed in (0, 0, 1)
    ]
    assert orders[0] == orders[1] != orders[2]


def same(first: Features, second: Features) -> bool:
    words = [[one.vocabulary[n] for n in one.word] for one in (first, second)]
    arrays = ("maps", "ends", "sizes", "gold", "punct", "blocks", "alone")
    equal = (np.array_equal(getattr(first, name), getattr(second, name)) for name in arrays)
    return words[0] == words[1] and all(equal)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4))
@settings(deadline=None, max_examples=30)
def test_merged_tallies_hold_what_one_would(sizes: list[int]) -> None:
    parts = [plant_random([noise], n, n) if n else Features.empty(1, alone=1) for n in sizes]
    one, merged = FeatureTally(1), FeatureTally(1)
    for part in parts:
        one.add(part)
        other = FeatureTally(1)
        other.add(part)
        merged.merge(FeatureTally.from_state(other.to_state()))
    assert same(one.result(), merged.result())
    assert int(one.result().alone) == sizes.count(0)


def test_words_of_any_script_are_kept_in_lower_case() -> None:
    features = plant([(["Ärger", "ΝΥΧΤΑ", "夜"], [2, 0, 2])], [noise])
    again = Features.from_state(features.to_state())
    assert again.vocabulary == ("ärger", "νυχτα", "夜") and same(features, again)


def test_any_epoch_is_that_of_one_stream_of_random_numbers() -> None:
    """Also on a shelf that has read nothing before."""
    shards = [plant_random([noise], sentences, sentences) for sentences in (70, 40)]

    def blocks(batches: Iterable[Padded]) -> list[list[int]]:
        return [batch.blocks.tolist() for batch in batches]

    random, source = np.random.default_rng(7), Shelf(shards.__getitem__, [0, 1])
    stream = [blocks(source.batches(random)) for _ in range(3)]
    assert stream[0] != stream[1] != stream[2]
    for epoch, expected in enumerate(stream):
        assert blocks(source.epoch(7, epoch)) == expected
        assert blocks(Shelf(shards.__getitem__, [0, 1]).epoch(7, epoch)) == expected
