"""The control task of Hewitt and Liang 2019 for dependency edges: heads that only a word list knows.

Every word type gets one of three behaviours at random: its tokens depend on themselves, on the first or on
the last word of their sentence. No model can have learned that, so what a probe gets right here it has
memorised itself. Selectivity is the score on real trees minus the score here.
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
    digests = [
        blake2b(f"{seed}:{word}".encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    ]
    return np.array([int.from_bytes(digest, "little") % len(BEHAVIOURS) for digest in digests], np.int64)


def control_heads(behaviour: np.ndarray, features: Features) -> np.ndarray:
    """The head of each word in the control task, (word,), counted within the sentence from 1."""
    last = np.repeat(features.sizes.astype(np.int64), features.sizes)
    heads: np.ndarray = np.choose(behaviour, [features.places, np.ones_like(last), last])
    return heads
