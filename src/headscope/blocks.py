"""The block that a document belongs to: a hash of its name, the same on every machine."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

BLOCKS = 100

FEWEST = 6
"""Of fewer documents or blocks no interval is told: that all lie on one side is then no rare chance (of five,
one in 16), and drawing them again would never leave that side."""


@lru_cache(maxsize=4096)  # the parts of a document follow each other
def block_of(document: str) -> int:
    """The block of a document; the same on every machine.

    >>> block_of("demo:1") == block_of("demo:1"), 0 <= block_of("demo:1") < BLOCKS
    (True, True)
    """
    return number_of(document) % BLOCKS


def number_of(document: str) -> int:
    """A number of 64 bits that stands for a document; the same on every machine."""
    digest = blake2b(document.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
