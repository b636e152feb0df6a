"""The control tasks of Hewitt and Liang 2019: what only a word list knows.

For the heads of words, every word type gets one of three behaviours at random: its tokens depend on
themselves, on the first or on the last word of their sentence. No model can have learned that, so what a
probe gets right here it has memorised itself. Selectivity is the score on real trees minus the score here.
For labels, every word type gets one of them at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from headscope.probes.features import Features

BEHAVIOURS = ("itself", "first", "last")


def behaviours(words: Sequence[str], seed: int) -> np.ndarray:
    """The behaviour of each word type, (word,) from 0 to 2; the same on every machine.

    >>> behaviours(["night", "ship", "keeper"], seed=0)
    array([0, 1, 1])
    """
    return (_numbers(words, seed) % np.uint64(len(BEHAVIOURS))).astype(np.int64)


def control_labels(words: Sequence[str], shares: Sequence[float], seed: int) -> np.ndarray:
    """A label for each word type, (word,), drawn with the shares that the labels of a task have.

    Every token of a type has the same one, in training and wherever it is scored: a probe can only have
    learned it by heart. The case of letters makes no other type.

    >>> control_labels(["Night", "ship", "night"], [0.5, 0.25, 0.25], seed=0).tolist()
    [1, 2, 1]
    """
    drawn = _numbers([word.lower() for word in words], seed) / 2.0**64
    edges = np.cumsum(shares) / np.sum(shares)
    labels: np.ndarray = np.searchsorted(edges, drawn, side="right")
    return labels.clip(max=len(edges) - 1)


def _numbers(words: Sequence[str], seed: int) -> np.ndarray:
    """A number of 64 bits for each word, the same on every machine, (word,)."""
    digests = [
        blake2b(f"{seed}:{word}".encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    ]
    return np.array([int.from_bytes(digest, "little") for digest in digests], np.uint64)


def control_heads(behaviour: np.ndarray, features: Features) -> np.ndarray:
    """The head of each word in the control task, (word,), counted within the sentence from 1."""
    last = np.repeat(features.sizes.astype(np.int64), features.sizes)
    heads: np.ndarray = np.choose(behaviour, [features.places, np.ones_like(last), last])
    return heads
