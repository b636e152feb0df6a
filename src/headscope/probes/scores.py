"""How well heads are found: UAS and UUAS, from the best candidate of each word and from the best tree.

Words of the relation punct do not count, words that depend on ROOT do, as published. UUAS leaves out edges
with an end that does not count (Hewitt and Manning 2019). Everything is summed by blocks of documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from headscope.blocks import BLOCKS
from headscope.measures.trees import attachments, best_tree, edges, right_branching
from headscope.probes.attention import AttentionProbe
from headscope.probes.padded import Padded, Shelf, Task
from headscope.probes.training import masked_logits

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


@torch.no_grad()
def score(parsers: Sequence[Parser], shelf: Shelf) -> np.ndarray:
    """(parser, block, measure, 2) counts: right, and all."""
    counts = np.zeros((len(parsers), BLOCKS, len(MEASURES), 2))
    for batch in shelf.batches():
        gold = batch.targets["tree"].numpy()
        for sums, parse in zip(counts, parsers, strict=True):
            for row, (each, tree) in enumerate(parse(batch)):
                asked = gold[row, : len(each)], batch.counted[row, : len(each)]
                sums[batch.blocks[row]] += [
                    measure(heads, *asked) for heads in (each, tree) for measure in (attachments, edges)
                ]
    return counts


@torch.no_grad()
def accuracy(probes: Sequence[nn.Module], shelf: Shelf, task: Task) -> np.ndarray:
    """(probe, block, 2) counts of the best candidates alone: right, and all, over the same words as UAS."""
    counts = np.zeros((len(probes), BLOCKS, 2))
    for batch in shelf.batches():
        target = batch.targets[task].numpy()
        for sums, probe in zip(counts, probes, strict=True):
            right = masked_logits(probe, batch, task).argmax(-1).numpy() == target
            _add(sums, batch, np.stack([right & batch.counted, batch.counted], -1))
    return counts


@torch.no_grad()
def without_each_head(probes: Sequence[AttentionProbe], shelf: Shelf) -> np.ndarray:
    """(probe, block, head) words that are right when both weights of a head are zero, all others as trained.

    A head's part of the logits is a sum of its own, so one pass takes each head away in turn.
    """
    counts = np.zeros((len(probes), BLOCKS, probes[0].heads if probes else 0))
    for batch in shelf.batches():
        target = batch.targets["tree"]
        for sums, probe in zip(counts, probes, strict=True):
            left = masked_logits(probe, batch, "tree")[..., None] - probe.shares(batch)
            right = (left.argmax(2) == target[..., None]).numpy()
            _add(sums, batch, right & batch.counted[..., None])
    return counts


def _add(sums: np.ndarray, batch: Padded, values: np.ndarray) -> None:
    """Add values (sentence, word, ...) at the blocks of their sentences."""
    np.add.at(sums, batch.blocks, values.sum(1))
