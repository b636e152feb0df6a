"""At which layer a model knows a thing: mixing weights, cumulative scores, and what a label costs in bits.

Tenney, Das and Pavlick 2019 mix the layers of a frozen model by s = softmax(a), and train a probe on layers 0
to l for every l. Voita and Titov 2020 ask instead how many bits it takes to send the labels to who has the
vectors: a probe that learns from few examples sends cheaply.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FRACTIONS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""Parts of the data after which a new probe is trained (Voita and Titov 2020, section 3)."""


def center_of_gravity(weights: np.ndarray) -> np.ndarray:
    """The mean layer under mixing weights (..., layer) that sum to 1: sum of l times s_l (equation 2).

    >>> center_of_gravity(np.array([0.5, 0.25, 0.25])).item()
    0.75
    """
    gravity: np.ndarray = weights @ np.arange(weights.shape[-1])
    return gravity


def bits_from_even(weights: np.ndarray) -> np.ndarray:
    """KL divergence of mixing weights (..., layer) from even ones, in bits: K(s) of the paper.

    >>> bits_from_even(np.array([0.5, 0.5, 0.0, 0.0])).item()  # log2 4 less one bit
    1.0
    """
    safe = np.where(weights > 0, weights, 1.0)
    entropy = -(weights * np.log2(safe)).sum(-1)
    return np.asarray(np.log2(weights.shape[-1]) - entropy)


def differences(scores: np.ndarray) -> np.ndarray:
    """What each layer adds to the score of those below: (..., layer + 1) to (..., layer), equation 3."""
    return np.diff(scores, axis=-1)


def expected_layer(scores: np.ndarray, clipped: bool = False) -> np.ndarray:
    """The layer at which the score is gained on average, from cumulative scores (..., layer + 1).

    Equation 4: sum of l times Delta_l over sum of Delta_l, for l from 1. Differences below 0 are kept, as the
    published code keeps them; `clipped` takes them as 0. Where nothing is gained in all it is not defined.

    >>> expected_layer(np.array([0.5, 0.75, 0.75, 1.0])).item()  # half at layer 1, half at layer 3
    2.0
    >>> expected_layer(np.array([0.5, 1.0, 0.75])).item()  # (1 * 0.5 - 2 * 0.25) / 0.25
    0.0
    """
    gained = differences(scores)
    gained = gained.clip(0) if clipped else gained
    layers = np.arange(1, gained.shape[-1] + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = (gained @ layers) / gained.sum(-1)
    return np.where(gained.sum(-1) == 0, np.nan, expected)


def uniform_bits(targets: int, labels: int) -> float:
    """What it costs to send labels to who knows nothing: n log2 K.

    >>> uniform_bits(10, 8)
    30.0
    """
    return targets * float(np.log2(labels))


def code_edges(targets: int, fractions: Sequence[float] = FRACTIONS) -> list[int]:
    """Where the blocks of an online code end, each at least one target longer than the one before.

    >>> code_edges(1000)[:4], code_edges(1000)[-1]
    ([1, 2, 4, 8], 1000)
    """
    edges = [max(1, round(fraction * targets)) for fraction in fractions]
    return sorted({min(edge, targets) for edge in edges})


def online_bits(first: int, labels: int, nats: np.ndarray) -> np.ndarray:
    """The length of an online code in bits (Voita and Titov 2020, equation 3): (..., block) to (...).

    The first block is sent as it is, at log2 K bits each; every other with a probe that was trained on all
    before it, at its summed cross entropy, here given in nats. So nothing is shorter than the first block: of
    n targets, t1 of them in it, the compression is at most n / t1.
    """
    return uniform_bits(first, labels) + np.asarray(nats).sum(-1) / np.log(2)


def mixed_units(first: int, labels: int, nats: np.ndarray) -> np.ndarray:
    """What the published code of the paper sums: bits of the first block, and nats of all others.

    It is here to set published numbers beside our own, and is no length of anything.
    """
    return uniform_bits(first, labels) + np.asarray(nats).sum(-1)


def micro_f1(counts: np.ndarray) -> np.ndarray:
    """F1 from counts (..., 3) of what was found rightly, predicted, and there to find; NaN of nothing.

    Where each target has one label and all labels count, it is the share that is right.

    >>> micro_f1(np.array([3.0, 4.0, 8.0])).item()
    0.5
    """
    right, predicted, there = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * right / (predicted + there))
