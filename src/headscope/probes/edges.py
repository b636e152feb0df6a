"""Edge probing: a label for a span of words, or for two, read off a mix of hidden states.

The probe of Tenney et al. 2019: layers are mixed with weights s = softmax(a) and a scale, each word is
projected, a span is pooled by self-attention over its words, and a small network names the label. For every
layer l one such probe reads the layers up to l; the last one is the mix of all. They differ in nothing else,
so they are one model with an axis `probe`, and begin with the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, embedding_bag, layer_norm

SpanPooling = Literal["attention", "mean"]
DROPOUT = 0.2


@dataclass(frozen=True)
class EdgeBatch:
    """The words of some segments that targets are about, one after the other, and these targets.

    words: (word, layer, dim), in 16 or 32 bits. spans: (target, 1 or 2, 2) start and end of each, end
    exclusive. labels: by the name of what is learned, (target,), -1 for one that training has not seen.
    blocks: (target,). segments: (target, 2) the shard and the place in it of its segment; places:
    (target, 1 or 2, 2) the spans as words of that.
    """

    words: torch.Tensor
    spans: np.ndarray
    labels: dict[str, torch.Tensor]
    blocks: np.ndarray
    segments: np.ndarray
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.spans)


@dataclass(frozen=True)
class Shape:
    """layers, dim: of the states. spans: 1, or 2 for pairs. labels: how many. width: of the projection."""

    layers: int
    dim: int
    spans: int
    labels: int
    width: int = 128
    pooling: SpanPooling = "attention"
    normalised: bool = False


class EdgeProbes(nn.Module):
    """A probe for each layer, on the mix of all up to it; each is trained as if it were alone."""

    def __init__(self, shape: Shape, seed: int) -> None:
        super().__init__()
        self.shape = shape
        probes, spans, width = shape.layers, shape.spans, shape.width
        random = torch.Generator().manual_seed(seed)

        def drawn(*size: int) -> nn.Parameter:
            """The same numbers for all probes, so that these differ in what they read alone."""
            bound = size[-2] ** -0.5
            numbers = torch.rand(size, generator=random) * 2 * bound - bound
            return nn.Parameter(numbers.expand(probes, *size).clone())

        def zeros(*size: int) -> nn.Parameter:
            return nn.Parameter(torch.zeros(probes, *size))

        self.mixing, self.scale = zeros(shape.layers), nn.Parameter(torch.ones(probes))
        self.projection, self.projection_bias = drawn(spans, shape.dim, width), zeros(spans, 1, width)
        self.attention = zeros(spans, width, 1)
        self.hidden, self.hidden_bias = drawn(spans * width, width), zeros(1, width)
        self.gain, self.shift = nn.Parameter(torch.ones(probes, 1, width)), zeros(1, width)
        self.output, self.output_bias = drawn(width, shape.labels), zeros(1, shape.labels)
        below = torch.ones(probes, shape.layers).tril().bool()
        self.register_buffer("unseen", ~below, persistent=False)

    def weights(self) -> torch.Tensor:
        """The mixing weights s, (probe, layer); 0 for layers that a probe does not read."""
        return torch.softmax(self.mixing.masked_fill(self.get_buffer("unseen"), -torch.inf), 1)

    def forward(self, batch: EdgeBatch) -> torch.Tensor:
        """Logits (probe, target, label)."""
        words = batch.words.float()
        if self.shape.normalised:
            words = layer_norm(words, words.shape[-1:])
        mixed = (self.weights() * self.scale[:, None]) @ words.transpose(0, 1).flatten(1)
        mixed = mixed.view(len(self.scale), len(words), -1)  # (probe, word, dim)
        pooled = [self._pooled(mixed, batch.spans[:, span], span) for span in range(self.shape.spans)]
        hidden = torch.tanh(torch.cat(pooled, -1) @ self.hidden + self.hidden_bias)
        hidden = layer_norm(hidden, hidden.shape[-1:]) * self.gain + self.shift  # (probe, target, width)
        if self.training:
            # One draw for all probes: what one of them misses, all miss.
            hidden = hidden * (torch.rand(hidden.shape[1:]) >= DROPOUT) / (1 - DROPOUT)
        return hidden @ self.output + self.output_bias

    def _pooled(self, mixed: torch.Tensor, spans: np.ndarray, span: int) -> torch.Tensor:
        """(probe, target, width): the words of this span, pooled and projected.

        Shares sum to 1 and the projection is linear, so words are pooled before they are projected: there
        are fewer targets than words of them.
        """
        projection, bias = self.projection[:, span], self.projection_bias[:, span]
        starts, sizes = torch.from_numpy(spans[:, 0]), torch.from_numpy(spans[:, 1] - spans[:, 0])
        if bool((sizes == 1).all()):
            return mixed.index_select(1, starts) @ projection + bias
        target = torch.repeat_interleave(sizes)  # of each word of each span, (entry,)
        firsts = sizes.cumsum(0) - sizes
        words = starts[target] + torch.arange(len(target)) - firsts[target]
        if self.shape.pooling == "mean":
            shares = (1 / sizes)[target].expand(len(mixed), -1)
        else:
            query = (projection @ self.attention[:, span]).transpose(1, 2)  # (probe, 1, dim)
            # The bias adds the same to all words, which a softmax does not see.
            shares = _softmax((mixed * query).sum(-1).index_select(1, words), target, len(sizes))
        return _summed(mixed, words, shares, firsts) @ projection + bias

    def losses(self, batch: EdgeBatch, task: str) -> torch.Tensor:
        """Cross entropy in nats, (probe, target)."""
        logits = self(batch)
        labels = batch.labels[task].expand(len(logits), -1)
        return cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape)


def _softmax(scores: torch.Tensor, group: torch.Tensor, groups: int) -> torch.Tensor:
    """The softmax of scores (probe, entry) within each group of entries."""
    group = group.expand(len(scores), -1)
    highest = scores.detach().new_zeros(len(scores), groups)
    highest = highest.scatter_reduce(1, group, scores.detach(), "amax", include_self=False)
    powers = (scores - highest.gather(1, group)).exp()
    sums = powers.new_zeros(len(scores), groups).scatter_add(1, group, powers)
    return powers / sums.gather(1, group)


def _summed(
    vectors: torch.Tensor, words: torch.Tensor, shares: torch.Tensor, firsts: torch.Tensor
) -> torch.Tensor:
    """Vectors (probe, word, dim) of the named words, by shares (probe, entry) summed to (probe, target, dim).

    firsts: the first entry of each target.
    """
    probes, size, dim = vectors.shape
    each = torch.arange(probes)[:, None]
    summed = embedding_bag(
        (words + each * size).flatten(),
        vectors.reshape(-1, dim),
        (firsts + each * len(words)).flatten(),
        mode="sum",
        per_sample_weights=shares.flatten(),
    )
    return summed.view(probes, len(firsts), dim)
