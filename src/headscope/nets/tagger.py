"""The transformer tagger of papers on chunking: one encoder layer, an answer for each word.

Word vectors beside a feature of their characters, a projection, places as sinusoids, then layers that
normalise first (Vaswani et al. 2017, with the norms of Xiong et al. 2020). The characters of a piece are a
function of its number in the vocabulary: a table says which buckets its ends and its shape fall into, and
each bucket has a vector that is learned. So pieces that are spelled alike begin alike, also unseen ones. A
word that comes in several pieces is one word all the same: the sum of its pieces, in one place, seen once;
what the tokenizer parts before that, such as `Mr` and `.`, are several.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any
from zlib import crc32

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from torch.nn.functional import relu
from transformers import PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutput, TokenClassifierOutput

from headscope.attention import Site, attend

FEATURES = 5
"""Buckets of a piece: its last two and three characters, its first two and three, its shape."""


@strict
class TaggerConfig(PreTrainedConfig):  # type: ignore[misc]
    """vocab_size: pieces. vectors: different word vectors; pieces that differ in case alone may share one.
    characters: numbers of the character feature, 0 for none; buckets: of it. feed_forward: hidden features of
    a layer's second half. dropout: of vectors, attention weights and what layers add.
    """

    model_type = "headscope-tagger"

    vocab_size: int = 2
    vectors: int = 2
    embedding_size: int = 50
    characters: int = 50
    buckets: int = 4096
    hidden_size: int = 128
    feed_forward: int = 128
    layers: int = 1
    heads: int = 4
    texts: int = 1
    dropout: float | int = 0.1
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


def shape(piece: str) -> str:
    """Capitals as X, small letters as x, digits as 0, each kind in a row once; all else as it is.

    >>> [shape(piece) for piece in ("Attention", "U", "000", "##ed", "McX-ray")]
    ['Xx', 'X', '0', '#x', 'XxX-x']
    """
    kinds = ("X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c for c in piece)
    return "".join(kind for kind, _ in groupby(kinds))


def spelled(piece: str, buckets: int) -> list[int]:
    """The buckets of a piece, (FEATURES,), the same ones wherever and whenever it is asked."""
    low = piece.lower()
    seen = (low[-2:], low[-3:], low[:2], low[:3], shape(piece))
    return [crc32(f"{kind} {text}".encode()) % buckets for kind, text in enumerate(seen)]


class Spelled(nn.Embedding):
    """Word vectors, and beside each the sum of the vectors of its buckets.

    row: which vector a piece has. spelling: its buckets. goes_on: whether it goes on with a word. They are
    saved with the weights.
    """

    row: torch.Tensor
    spelling: torch.Tensor
    goes_on: torch.Tensor

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__(config.vectors, config.embedding_size)
        self.num_embeddings = config.vocab_size  # pieces, which may share a vector
        self.size = config.embedding_size + config.characters
        self.register_buffer("row", torch.zeros(config.vocab_size, dtype=torch.int32))
        self.register_buffer("spelling", torch.zeros(config.vocab_size, FEATURES, dtype=torch.int32))
        self.register_buffer("goes_on", torch.zeros(config.vocab_size, dtype=torch.bool))
        self.characters = nn.Embedding(config.buckets, config.characters) if config.characters else None

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Ids of any shape to (..., embedding + characters)."""
        vectors = super().forward(self.row[ids])
        if self.characters is None:
            return vectors
        return torch.cat([vectors, self.characters(self.spelling[ids]).sum(-2)], -1)

    def words(self, ids: torch.Tensor, real: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For each piece (batch, piece) its word: the sum of its vectors (batch, piece, size), its number,
        and what is seen, (batch, 1, query, key) bool: real words, by their first piece.
        """
        goes_on = self.goes_on[ids]
        x, word = joined(self(ids) * (real > 0)[..., None], goes_on)
        seen = (real > 0) & ~goes_on
        return x, word, seen[:, None, None, :].expand(-1, 1, ids.shape[1], -1)


def joined(x: torch.Tensor, goes_on: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The sum over each word for all of its pieces (batch, piece, size), and the number of their word."""
    word = (~goes_on).cumsum(1).sub(1).clamp_min(0)  # (batch, piece)
    index = word[..., None].expand_as(x)
    return torch.zeros_like(x).scatter_add(1, index, x).gather(1, index), word


class Attention(nn.Module):
    """softmax(Q K' / sqrt(size of a head)) V for each head; padding is not seen."""

    def __init__(self, config: TaggerConfig, layer: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.site = Site("encoder", layer, config.heads, masked=True)
        self.heads, self.dropout = config.heads, config.dropout
        self.query, self.key, self.value = (nn.Linear(size, size, bias=False) for _ in range(3))
        self.output = nn.Linear(size, size, bias=False)

    def forward(self, x: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, hidden) to the same; visible: (batch, 1, query, key) bool."""
        query, key, value = (self._apart(map(x)) for map in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5  # (batch, head, query, key)
        weights = torch.softmax(scores.masked_fill(~visible, torch.finfo(x.dtype).min), -1) * visible
        mixed = attend(self, weights, value, visible, dropout=self.dropout)  # (batch, query, head, size)
        handed_on: torch.Tensor = self.output(mixed.flatten(2))  # (batch, piece, hidden)
        return handed_on

    def _apart(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, piece, hidden) to (batch, head, piece, hidden / heads)."""
        return x.reshape(*x.shape[:2], self.heads, -1).transpose(1, 2)


class Layer(nn.Module):
    """x + attention(norm(x)), and then y + W2 relu(W1 norm(y))."""

    def __init__(self, config: TaggerConfig, layer: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.dropout = nn.Dropout(config.dropout)
        self.attention = Attention(config, layer)
        self.before_attention, self.before_words = nn.LayerNorm(size), nn.LayerNorm(size)
        self.widen, self.narrow = nn.Linear(size, config.feed_forward), nn.Linear(config.feed_forward, size)

    def forward(self, x: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, hidden) to the same."""
        x = x + self.dropout(self.attention(self.before_attention(x), visible))
        wide = self.dropout(relu(self.widen(self.before_words(x))))  # (batch, piece, feed_forward)
        alone: torch.Tensor = self.dropout(self.narrow(wide))
        return x.add(alone)


def sinusoids(places: int, size: int, like: torch.Tensor) -> torch.Tensor:
    """(place, size): sines of place / 10000^(2i / size), then cosines (Vaswani et al. 2017, section 3.5)."""
    rates = 10000.0 ** (-torch.arange(0, size, 2, device=like.device) / size)
    angles = torch.arange(places, device=like.device)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], -1)[:, :size].to(like.dtype)


class TaggerPreTrained(PreTrainedModel):  # type: ignore[misc]
    """How all of them start: Glorot's matrices, biases of zero, vectors of length about 1."""

    config_class = TaggerConfig
    base_model_prefix = "tagger"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=module.embedding_dim**-0.5)
        elif isinstance(module, nn.LayerNorm):
            init.ones_(module.weight)
            init.zeros_(module.bias)


class Tagger(TaggerPreTrained):
    """The encoder: what pieces are, where they stand, and layers of attention over them."""

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__(config)
        self.embedding = Spelled(config)
        self.projection = nn.Linear(self.embedding.size, config.hidden_size, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(Layer(config, layer) for layer in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden_size)
        self.post_init()

    def get_input_embeddings(self) -> Spelled:
        return self.embedding

    def set_input_embeddings(self, value: Spelled) -> None:
        self.embedding = value

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None, **options: Any
    ) -> BaseModelOutput:
        """Ids (batch, piece) to states (batch, piece, hidden)."""
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        x, word, visible = self.embedding.words(input_ids, real)
        x = self.projection(self.dropout(x))  # (batch, piece, hidden)
        x = x + sinusoids(x.shape[1], x.shape[2], x)[word]
        for layer in self.layers:
            x = layer(x, visible)
        return BaseModelOutput(last_hidden_state=self.norm(x))


class TaggerForTokenClassification(TaggerPreTrained):
    """A tag for each piece."""

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__(config)
        self.tagger = Tagger(config)
        self.output = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> TokenClassifierOutput:
        """Logits (batch, piece, tag)."""
        return TokenClassifierOutput(logits=self.output(self.tagger(input_ids, **inputs).last_hidden_state))
