"""How well heads are found: UAS and UUAS, from the best candidate of each word and from the best tree.

Words of the relation punct do not count, words that depend on ROOT do, as published. UUAS leaves out edges
with an end that does not count (Hewitt and Manning 2019). Everything is summed by blocks of documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from headscope.blocks import BLOCKS
from headscope.measures.trees import attachments, best_tree, edges, right_branching
from headscope.probes.attention import AttentionProbe
from headscope.probes.padded import Padded, Shelf, Task
from headscope.probes.training import masked_logits

Item = TypeVar("Item")

MEASURES = ("uas", "uuas", "uas_tree", "uuas_tree")

Parser = Callable[[Padded], Sequence[tuple[np.ndarray, np.ndarray]]]
"""Gives for each sentence the heads (word,) word by word, and those of a tree."""


def parser_of(probe: nn.Module) -> Parser:
    """The heads that a trained probe finds."""

    def parse(batch: Padded) -> list[tuple[np.ndarray, np.ndarray]]:
        logits = masked_logits(probe, batch, "tree").double().numpy()
        sentences = [rows[:size, : size + 1] for rows, size in zip(logits, batch.sizes, strict=True)]
        return [(scores.argmax(1), best_tree(scores)) for scores in sentences]

    return parse


def branching(batch: Padded) -> list[tuple[np.ndarray, np.ndarray]]:
    """The right-branching baseline: each word depends on the next one, the last one on ROOT."""
    chains = [right_branching(int(size)) for size in batch.sizes]
    return [(chain, chain) for chain in chains]


def score(parsers: Sequence[Parser], shelf: Shelf) -> np.ndarray:
    """(parser, block, measure, 2) counts: right, and all."""

    def count(parse: Parser, batch: Padded) -> np.ndarray:
        gold = batch.targets["tree"].numpy()
        counts = [
            [
                measure(heads, gold[row, : len(heads)], batch.counted[row, : len(heads)])
                for heads in words_and_tree
                for measure in (attachments, edges)
            ]
            for row, words_and_tree in enumerate(parse(batch))
        ]
        return np.array(counts)

    return _by_block(count, parsers, shelf, (len(MEASURES), 2))


def accuracy(probes: Sequence[nn.Module], shelf: Shelf, task: Task) -> np.ndarray:
    """(probe, block, 2) counts of the best candidates alone: right, and all, over the same words as UAS."""

    def count(probe: nn.Module, batch: Padded) -> np.ndarray:
        right = masked_logits(probe, batch, task).argmax(-1).numpy() == batch.targets[task].numpy()
        counts: np.ndarray = np.stack([right & batch.counted, batch.counted], -1).sum(1)
        return counts

    return _by_block(count, probes, shelf, (2,))


def without_each_head(probes: Sequence[AttentionProbe], shelf: Shelf) -> np.ndarray:
    """(probe, block, head) words that are right when both weights of a head are zero, all others as trained.

    What a head adds to the logits is a sum of its own, so one pass takes each head away in turn.
    """

    def count(probe: AttentionProbe, batch: Padded) -> np.ndarray:
        left = masked_logits(probe, batch, "tree")[..., None] - probe.shares(batch)
        right = (left.argmax(2) == batch.targets["tree"][..., None]).numpy()
        counts: np.ndarray = (right & batch.counted[..., None]).sum(1)
        return counts

    return _by_block(count, probes, shelf, (probes[0].heads if probes else 0,))


@torch.no_grad()
def _by_block(
    count: Callable[[Item, Padded], np.ndarray], items: Sequence[Item], shelf: Shelf, shape: tuple[int, ...]
) -> np.ndarray:
    """(item, block, *shape): the sums of what is counted for each sentence of a batch, (sentence, *shape)."""
    sums = np.zeros((len(items), BLOCKS, *shape))
    for batch in shelf.batches():
        for own, item in zip(sums, items, strict=True):
            np.add.at(own, batch.blocks, count(item, batch))
    return sums
