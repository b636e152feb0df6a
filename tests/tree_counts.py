"""Attention made by hand over the words of small treebanks, and what is counted in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.attention import Heard, Site
from headscope.heads import Head, Stack
from headscope.questions.syntax.analysis import Syntax
from headscope.text import Document, Segment, sentences


def segment(written: Document, sizes: Sequence[int] | None = None) -> Segment:
    """A sentence between two special pieces; `sizes` says how many pieces each word has, by default one."""
    ((_, part),) = sentences(written)
    words = tuple(part.surface(word) for word in range(len(part.words)))
    inside = np.repeat(np.arange(len(words)), [1] * len(words) if sizes is None else sizes)
    word = np.concatenate([[-1], inside, [-1]])
    return Segment(part.id, 0, np.arange(len(word)), None, word < 0, word, words, (0,), part=part)


def looking(
    segments: Sequence[Segment], targets: Sequence[Sequence[int]], special: float = 0.0
) -> torch.Tensor:
    """Attention (batch, 1, piece, piece) in which each word gives the rest of `special` to its target word.

    What is special goes to the first piece. A word with the target -1 gives everything there.
    """
    longest = max(len(one) for one in segments)
    weights = torch.zeros(len(segments), 1, longest, longest)
    for row, (one, wanted) in enumerate(zip(segments, targets, strict=True)):
        for query, word in enumerate(one.word.tolist()):
            target = -1 if word < 0 else wanted[word]
            keys = np.flatnonzero(one.word == target)
            if target < 0 or not len(keys):
                weights[row, 0, query, 0] = 1.0
            else:
                weights[row, 0, query, 0] = special
                weights[row, 0, query, keys] = (1 - special) / len(keys)
    return weights


@dataclass(frozen=True)
class OnlySites:
    """What counting asks of a model: where its heads are."""

    sites: Sequence[Site]

    def stacks(self) -> list[Stack]:
        return list(dict.fromkeys(site.stack for site in self.sites))

    def sites_of(self, stack: Stack, layers: Sequence[int] | None = None) -> list[Site]:
        return [one for one in self.sites if one.stack == stack and (layers is None or one.layer in layers)]

    def label(self, head: Head) -> str:
        return str(head)


def counted(
    analysis: Syntax, batches: Sequence[tuple[Sequence[Segment], torch.Tensor]], causal: bool = False
) -> xr.Dataset:
    """What the analysis makes of batches with attention (batch, head, piece, piece), all in one layer."""
    site = Site("encoder", 0, batches[0][1].shape[1], causal)
    setting = Setting(cast(Any, OnlySites([site])))
    work = analysis.work(setting)
    for segments, weights in batches:
        work.begin(cast(Any, SimpleNamespace(segments=list(segments))))
        work.hear(Heard(site, weights, torch.arange(weights.shape[-1]), None, None))
        work.end([one.document for one in segments])
    return analysis.arrays(work.tallies, setting)


def brute_force(
    text: Segment, weights: np.ndarray, relations: Container[str], causal: bool = False
) -> Counter[tuple[str, str, str]]:
    """What one head (piece, piece) is right in, and out of how many, word by word.

    Keys are "right" or "count", relation and reading.
    """
    part = text.part
    assert part is not None and part.dependencies is not None
    size = len(text.words)
    pieces = [[piece for piece, word in enumerate(text.word) if word == one] for one in range(size)]
    share = np.zeros((size, size))
    for query in range(size):
        for key in range(size):
            if pieces[query] and query != key:
                share[query, key] = sum(weights[i, j] for i in pieces[query] for j in pieces[key])
                share[query, key] /= len(pieces[query])
    found: Counter[tuple[str, str, str]] = Counter()
    asked: set[tuple[int, str]] = set()
    for word, (head, relation) in enumerate(
        zip(part.dependencies.heads, part.dependencies.relations, strict=True)
    ):
        if relation not in relations or head < 0 or not pieces[word] or not pieces[head]:
            continue
        if not causal or head < word:
            found["count", relation, "dep->head"] += 1
            found["right", relation, "dep->head"] += int(share[word].argmax() == head)
        if not causal or word < head:
            found["count", relation, "head<-dep"] += 1
            found["right", relation, "head<-dep"] += int(share[:, word].argmax() == head)
            found["count", relation, "head->dep"] += (int(head), relation) not in asked
            found["right", relation, "head->dep"] += int(share[head].argmax() == word)
            asked.add((int(head), relation))
    return found
