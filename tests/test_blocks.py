"""Blocks of documents."""

from __future__ import annotations

import numpy as np

from headscope.blocks import BLOCKS, block_of


def test_blocks_are_fixed_and_spread_out() -> None:
    # These numbers must never change: runs of other machines and times are paired by them.
    assert [block_of(name) for name in ("demo:1", "a.txt:12", "")] == [19, 55, 56]
    used = np.bincount([block_of(f"text:{number}") for number in range(10_000)], minlength=BLOCKS)
    assert len(used) == BLOCKS and used.min() > 50 and used.max() < 160
