"""A plain network for maps of another model: does their attention help one that has none of its own?

Each word is a vector of its own (relu(W e + b), where e is the word vector and the character feature of
`nets.tagger`); maps that are given mix these vectors, and one linear layer gives the tags. There are neither
queries nor keys, nor places: what the network knows of order and neighbours, it knows from the maps. With
`own`, a word's own vector goes to the output, too; without it, maps that stay at the word itself are the best
ones, whatever else they carry.

As it is, all words that are seen count the same. Maps are put in by the edit that holds heads at given
weights, for training as for scoring, batch by batch:

    maps = {Head("encoder", 0, index): given[:, index] for index in range(heads)}  # (batch, query, key) each
    with attach(net, sites, edits=[Freeze(maps)]):
        logits = net(**inputs).logits

For a classifier, `PooledForSequenceClassification` with `encoder="average"` is such a network already: its
one map, (batch, 1, key), is that of `Head("pool", 0, 0)` (the MLP of Wiegreffe and Pinter 2019).
"""

from __future__ import annotations

from typing import Any

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from torch.nn.functional import relu
from transformers import PreTrainedConfig
from transformers.modeling_outputs import BaseModelOutput, TokenClassifierOutput

from headscope.attention import Site, attend
from headscope.nets.tagger import Spelled, TaggerPreTrained


@strict
class PlainConfig(PreTrainedConfig):  # type: ignore[misc]
    """heads: maps that are given. own: whether a word's own vector goes to the output beside them; all else
    as in `TaggerConfig`.
    """

    model_type = "headscope-plain"

    vocab_size: int = 2
    vectors: int = 2
    embedding_size: int = 50
    characters: int = 50
    buckets: int = 4096
    hidden_size: int = 128
    heads: int = 4
    own: bool = True
    texts: int = 1
    dropout: float | int = 0.1
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


class Given(nn.Module):
    """Mixes the whole of each word's vector once for each head, evenly unless maps are put in."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.site = Site("encoder", 0, heads, masked=True)

    def forward(self, h: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, hidden) to (batch, piece, heads * hidden); visible: (batch, 1, query, key) bool."""
        even = visible / visible.sum(-1, keepdim=True).clamp_min(1)  # (batch, 1, query, key)
        heads = self.site.heads
        value = h[:, None].expand(-1, heads, -1, -1)  # (batch, head, key, hidden)
        mixed = attend(self, even.to(h.dtype).expand(-1, heads, -1, -1), value, visible)
        return mixed.flatten(2)


class PlainPreTrained(TaggerPreTrained):
    """They start as the tagger does."""

    config_class = PlainConfig
    base_model_prefix = "plain"


class Plain(PlainPreTrained):
    """Words alone, and what the maps make of them."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__(config)
        self.embedding = Spelled(config)
        self.dropout = nn.Dropout(config.dropout)
        self.hidden = nn.Linear(self.embedding.size, config.hidden_size)
        self.given = Given(config.heads)
        self.size = config.hidden_size * (config.heads + config.own)
        self.post_init()

    def get_input_embeddings(self) -> Spelled:
        return self.embedding

    def set_input_embeddings(self, value: Spelled) -> None:
        self.embedding = value

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None, **options: Any
    ) -> BaseModelOutput:
        """Ids (batch, piece) to (batch, piece, size): the mix of every head, then the word itself."""
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        x, _, visible = self.embedding.words(input_ids, real)
        h = relu(self.hidden(self.dropout(x)))  # (batch, piece, hidden)
        mixed = self.given(h, visible)  # (batch, piece, heads * hidden)
        return BaseModelOutput(last_hidden_state=torch.cat([mixed, h], -1) if self.config.own else mixed)


class PlainForTokenClassification(PlainPreTrained):
    """A tag for each piece."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__(config)
        self.plain = Plain(config)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(self.plain.size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> TokenClassifierOutput:
        """Logits (batch, piece, tag)."""
        states = self.plain(input_ids, **inputs).last_hidden_state
        return TokenClassifierOutput(logits=self.output(self.dropout(states)))
