"""Features for probes, by hand on planted attention."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from headscope.analyses.analysis import Setting
from headscope.attention import Heard, Site
from headscope.blocks import block_of
from headscope.probes.features import Features, FeatureTally
from headscope.questions.probe.word_features import WordFeatures
from headscope.text import Segment
from tests.tree_counts import OnlySites, segment
from tests.trees import document

SLEEP = document("sleep", "He>2:nsubj sleeps>0:root .>2:punct")
SHIPS = document("ships", "Ships>2:nsubj pass>0:root")
ALONE = document("alone", "Yes>0:root")


def heard(segments: list[Segment], layers: int = 2, seed: int = 0) -> tuple[Features, list[torch.Tensor]]:
    """Features of a batch under random attention of two heads in each layer, and that attention."""
    size = max(len(one) for one in segments)
    torch.manual_seed(seed)
    maps = [torch.rand(len(segments), 2, size, size) for _ in range(layers)]
    sites = [Site("encoder", layer, 2, False) for layer in range(layers)]
    work = WordFeatures().work(Setting(cast(Any, OnlySites(sites))))
    work.begin(cast(Any, SimpleNamespace(segments=segments)))
    for site, weights in zip(sites, maps, strict=True):
        work.hear(Heard(site, weights, torch.arange(size), None, None))
    work.end([one.document for one in segments])
    tally = work.tallies["features"]
    assert isinstance(tally, FeatureTally)
    return tally.result(), maps


def test_maps_are_over_words_and_heads_come_last() -> None:
    found, maps = heard([segment(SLEEP, [1, 2, 1]), segment(SHIPS)])
    assert found.maps.shape == (9 + 4, 4) and found.maps.dtype == np.float16
    first = found.maps[:9].reshape(3, 3, 4)
    # pieces: [CLS] he sle ##eps . [SEP]; attention to both pieces is summed, from both averaged
    head = maps[1][0, 1].numpy()  # the second head of the second layer
    assert first[0, 1, 3] == pytest.approx(head[1, 2] + head[1, 3], abs=2e-3)
    assert first[1, 0, 3] == pytest.approx((head[2, 1] + head[3, 1]) / 2, abs=2e-3)
    second = found.maps[9:].reshape(2, 2, 4)
    assert second[0, 1, 0] == pytest.approx(maps[0][1, 0, 1, 2].item(), abs=2e-3)


def test_special_tokens_stand_at_the_ends_also_of_the_shorter_sentence() -> None:
    found, maps = heard([segment(SLEEP), segment(SHIPS)])
    head = maps[0][1, 0].numpy()  # of: [CLS] ships pass [SEP]
    expected = [head[1, 0], head[0, 1], head[1, 3], head[3, 1]]
    assert found.ends[3, :, 0] == pytest.approx(expected, abs=2e-3)


def test_without_special_tokens_the_ends_are_empty() -> None:
    whole = segment(SHIPS)
    inner = slice(1, -1)
    bare = Segment(
        whole.document, 0, whole.pieces[inner], None, whole.special[inner], whole.word[inner], whole.words,
        (0,), part=whole.part,
    )  # fmt: skip
    found, _ = heard([bare])
    assert not found.ends.any() and found.maps.all()


def test_trees_blocks_and_words() -> None:
    found, _ = heard([segment(SLEEP), segment(SHIPS), segment(ALONE)])
    assert found.sizes.tolist() == [3, 2] and int(found.alone) == 1
    assert found.gold.tolist() == [2, 0, 2, 2, 0]
    assert found.punct.tolist() == [False, False, True, False, False]
    assert found.blocks.tolist() == [block_of("sleep"), block_of("ships")]
    assert [found.vocabulary[word] for word in found.word] == ["he", "sleeps", ".", "ships", "pass"]
    assert found.places.tolist() == [1, 2, 3, 1, 2]


def test_words_without_pieces_and_their_dependents_are_not_asked() -> None:
    found, _ = heard([segment(SLEEP, [1, 0, 1])])
    assert found.gold.tolist() == [-1, -1, -1]
    found, _ = heard([segment(SLEEP, [0, 1, 1])])
    assert found.gold.tolist() == [-1, 0, 2]


def test_a_batch_of_lone_words_gives_nothing() -> None:
    found, _ = heard([segment(ALONE)])
    assert found.maps.shape == (0, 4) and int(found.alone) == 1
