"""Layers by hand, and against what was published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.measures.layers import (
    FRACTIONS,
    bits_from_even,
    center_of_gravity,
    code_edges,
    differences,
    expected_layer,
    micro_f1,
    mixed_units,
    online_bits,
    uniform_bits,
)


def test_gravity_by_hand() -> None:
    """Of three layers: 0 * 0.2 + 1 * 0.3 + 2 * 0.5; of even weights over L + 1 layers, L / 2."""
    assert center_of_gravity(np.array([0.2, 0.3, 0.5])).item() == pytest.approx(1.3)
    assert center_of_gravity(np.full((2, 13), 1 / 13)).tolist() == pytest.approx([6.0, 6.0])


def test_bits_by_hand() -> None:
    """Even weights are 0 bits from even; one layer alone of eight, 3 bits; (3/4, 1/4): 1 - 0.8113."""
    assert bits_from_even(np.full(8, 1 / 8)).item() == pytest.approx(0, abs=1e-12)
    assert bits_from_even(np.eye(8)[3]).item() == 3.0
    expected = 1 + 0.75 * np.log2(0.75) + 0.25 * np.log2(0.25)
    assert bits_from_even(np.array([0.75, 0.25])).item() == pytest.approx(expected)


def test_expected_layer_by_hand() -> None:
    """Scores 60 70 85 85 80: gains 10, 15, 0, -5. Kept: (10 + 30 - 20) / 20; clipped: (10 + 30) / 25."""
    scores = np.array([60.0, 70.0, 85.0, 85.0, 80.0])
    assert differences(scores).tolist() == [10, 15, 0, -5]
    assert expected_layer(scores).item() == 1.0
    assert expected_layer(scores, clipped=True).item() == 1.6
    assert np.isnan(expected_layer(np.array([50.0, 70.0, 50.0])))
    assert expected_layer(np.array([50.0, 70.0, 50.0]), clipped=True).item() == 1.0
    assert np.isnan(expected_layer(np.array([50.0, 40.0]), clipped=True))
    both = expected_layer(np.stack([scores, scores[::-1]]))
    assert both.shape == (2,) and both[0] == 1.0


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_a_rising_score_is_gained_within_the_layers(gains: list[float]) -> None:
    scores = np.cumsum([0.1, *gains])
    if scores[-1] - scores[0] > 1e-6:
        assert 1 - 1e-9 <= expected_layer(scores) <= len(gains) + 1e-9
        assert expected_layer(scores) == pytest.approx(expected_layer(scores, clipped=True))


def test_a_uniform_probe_costs_n_log2_k() -> None:
    """A probe that gives every label 1/K sends each later target in ln K nats: in all n log2 K bits."""
    targets, labels = 5000, 17
    edges = code_edges(targets)
    blocks = np.diff(edges) * np.log(labels)
    assert online_bits(edges[0], labels, blocks).item() == pytest.approx(uniform_bits(targets, labels))
    assert uniform_bits(targets, labels) == pytest.approx(targets * np.log2(17))


def test_a_perfect_memoriser_is_bounded() -> None:
    """A probe that knows all after the first block: only that is paid; compression is n / t1, here 1000."""
    targets, labels = 20_000, 16
    edges = code_edges(targets)
    assert edges[0] == 20 and edges[-1] == targets and len(edges) == len(FRACTIONS)
    bits = online_bits(edges[0], labels, np.zeros(len(edges) - 1)).item()
    assert bits == 20 * 4 and uniform_bits(targets, labels) / bits == 1000
    # Who memorises types, and guesses evenly where a type is new, pays log2 K for each new one.
    new = np.array([5, 4, 3, 2, 2, 1, 1, 1, 0, 0])
    assert online_bits(edges[0], labels, new * np.log(labels)).item() == pytest.approx((20 + 19) * 4)


def test_the_published_sum_mixes_units() -> None:
    """ELMo layer 1, Penn Treebank: 96.02 'kbits' and compression 53.06 are 136.4 kbits and 37.35.

    Of b bits for the first block and x nats behind it: 96.02 = b + x and 136.4 = b + x / ln 2, so that x is
    91.25 and b 4.77; and the compression falls by 96.02 / 136.4.
    """
    nats = (136.4 - 96.02) / (1 / np.log(2) - 1)
    first = 96.02 - nats
    assert first == pytest.approx(4.77, abs=0.05) and nats == pytest.approx(91.25, abs=0.05)
    in_bits, mixed = first + nats / np.log(2), first + nats
    assert 53.06 * mixed / in_bits == pytest.approx(37.35, abs=0.01)
    # The same relation by our own functions, of a block of 8 targets with 4 labels and 10 nats behind it.
    assert online_bits(8, 4, np.array([4.0, 6.0])).item() == pytest.approx(16 + 10 / np.log(2))
    assert mixed_units(8, 4, np.array([4.0, 6.0])).item() == 26


def test_edges_of_few_targets() -> None:
    """No block is empty, however few there are."""
    assert code_edges(1) == [1] and code_edges(3) == [1, 2, 3]
    assert all(np.diff(code_edges(777)) > 0)


def test_f1_by_hand() -> None:
    assert micro_f1(np.array([6.0, 8.0, 12.0])).item() == 0.6
    assert micro_f1(np.array([7.0, 10.0, 10.0])).item() == 0.7, "the share that is right"
    assert np.isnan(micro_f1(np.zeros(3)))


PUBLISHED = {"POS": (88.4, 96.5, 1.76), "deps": (85.2, 95.2, 2.52), "coref": (80.0, 90.2, 3.62)}


@pytest.mark.parametrize("task", PUBLISHED)
def test_published_ends_and_layers_fit_together(task: str) -> None:
    """BERT-base: were all gained at the two layers around E[l], equation 4 gives it back."""
    first, last, expected = PUBLISHED[task]
    below = int(expected)
    upper = expected - below
    scores = np.full(13, first)
    scores[below:] += (last - first) * (1 - upper)
    scores[below + 1 :] += (last - first) * upper
    assert expected_layer(scores).item() == pytest.approx(expected)
