"""Hierarchical attention over documents (Yang et al. 2016): words make sentences, sentences make a document.

A bidirectional GRU reads the words of each sentence by itself, and a learned query mixes their states into
the sentence's vector; the same once more over sentences. `token_type_ids` number the sentences of a document
from 0; without them it is one sentence. With `pooling`, the mean or the largest number of each feature stands
in the place of both attentions (HN-AVE and HN-MAX of the paper), and nothing attends.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from transformers import PreTrainedConfig
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutputWithPooling, SequenceClassifierOutput

from headscope.attention import Site, attend
from headscope.nets.disan import masked_softmax
from headscope.nets.pooled import PooledPreTrained


@strict
class HanConfig(PreTrainedConfig):  # type: ignore[misc]
    """hidden_size: of one direction of a GRU. pooling: what makes one vector of several."""

    model_type = "headscope-han"

    vocab_size: int = 2
    embedding_size: int = 50
    hidden_size: int = 50
    pooling: Literal["attention", "average", "max"] = "attention"
    texts: int = 1
    dropout: float | int = 0.0
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


class Reader(nn.Module):
    """A GRU in each direction over each group of items by itself (equations 1 to 4)."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.size = 2 * hidden
        self.onwards, self.backwards = nn.GRU(size, hidden), nn.GRU(size, hidden)

    def forward(self, x: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """(batch, item, size) to (batch, item, 2 hidden); own: (batch, group, item) bool.

        Groups of like length are read together, up to 8, 16, 32 items and so on: padding stands behind
        what a GRU reads, in either direction.
        """
        row, group, item = own.nonzero(as_tuple=True)  # by row, by group, and in it by item
        batch, items, size = x.shape
        flat, where = x.reshape(-1, size), row * items + item
        _, number, lengths = torch.unique_consecutive(
            row * own.shape[1] + group, return_inverse=True, return_counts=True
        )
        place = torch.arange(len(row), device=x.device) - (lengths.cumsum(0) - lengths)[number]
        step = torch.stack([place, lengths[number] - 1 - place])  # (direction, item of all groups)
        alike = lengths.double().log2().ceil().clamp_min(3)  # of each group
        parts, order = [x.new_zeros(0, self.size)], [where[:0]]
        for length in alike.unique().tolist():
            some, inside = alike == length, (alike == length)[number]
            column = (some.cumsum(0) - 1)[number[inside]]
            given = flat.index_select(0, where[inside]), column, int(some.sum())
            both = [_read(gru, *given, at) for gru, at in zip(self.children(), step[:, inside], strict=True)]
            parts.append(torch.cat(both, -1))
            order.append(where[inside])
        h = x.new_zeros(batch * items, self.size).index_copy(0, torch.cat(order), torch.cat(parts))
        return h.reshape(batch, items, self.size)


def _read(
    gru: nn.Module, x: torch.Tensor, column: torch.Tensor, groups: int, step: torch.Tensor
) -> torch.Tensor:
    """States (item, hidden) of items (item, size), each of a group, its column, and of a step in it."""
    at = step * groups + column
    length = int(step.max()) + 1
    padded = x.new_zeros(length * groups, x.shape[1]).index_copy(0, at, x).reshape(length, groups, -1)
    states: torch.Tensor = gru(padded)[0]  # (step, group, hidden)
    return states.flatten(0, 1).index_select(0, at)


class Attention(nn.Module):
    """How much each state of a group counts (equations 5 to 7, and 8 to 10)."""

    def __init__(self, size: int, site: Site) -> None:
        super().__init__()
        self.site = site
        self.hidden = nn.Linear(size, size)  # W, b
        self.query = nn.Linear(size, 1, bias=False)  # the context vector u_w, or u_s

    def forward(self, h: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, item, size) to (batch, group, size); visible: (batch, 1, group, item) bool."""
        u = torch.tanh(self.hidden(h))  # u_i = tanh(W h_i + b)
        scores = self.query(u)[:, None, None, :, 0]  # u_i . u_w, (batch, 1, 1, item)
        # a_i = softmax(u_i . u_w) in each group; a group without an item is a vector of zeros
        weights = masked_softmax(scores.expand_as(visible), visible)
        return attend(self, weights, h[:, None], visible)[:, :, 0]  # s = sum_i a_i h_i


class Average(nn.Module):
    """The mean of a group's states."""

    def forward(self, h: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """As `Attention`."""
        even = visible[:, 0] / visible[:, 0].sum(-1, keepdim=True).clamp_min(1)  # (batch, group, item)
        return even.to(h.dtype) @ h


class Maximum(nn.Module):
    """Of each feature, the largest number among a group's states."""

    def forward(self, h: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """As `Attention`; an item is of one group."""
        own, least = visible[:, 0], torch.finfo(h.dtype).min
        group = own.int().argmax(1)[..., None].expand_as(h)  # (batch, item, size)
        given = h.masked_fill(~own.any(1)[..., None], least)
        largest = h.new_full((len(h), own.shape[1], h.shape[2]), least).scatter_reduce(
            1, group, given, "amax"
        )
        return largest.masked_fill(~own.any(2)[..., None], 0.0)  # (batch, group, size)


class HanPreTrained(PooledPreTrained):
    """They start as pooled nets do."""

    config_class = HanConfig
    base_model_prefix = "han"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.GRU):
            for weight in module.parameters():
                init.uniform_(weight, -(module.hidden_size**-0.5), module.hidden_size**-0.5)
        else:
            super()._init_weights(module)


class Han(HanPreTrained):
    """Word vectors, words into sentences, sentences into the document."""

    def __init__(self, config: HanConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.dropout = nn.Dropout(config.dropout)
        self.words = Reader(config.embedding_size, config.hidden_size)
        self.sentences = Reader(self.words.size, config.hidden_size)
        size = self.sentences.size
        by_sentence = Site("pool", 0, 1, queries="sentence", masked=True)
        by_document = Site("document", 0, 1, queries="text", keys="sentence", masked=True)
        self.pool = _pool(config, size, by_sentence)
        self.document = _pool(config, size, by_document)
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embedding

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        self.embedding = value

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor | None = None,
        token_type_ids: torch.Tensor | None = None,
        **options: Any,
    ) -> BaseModelOutputWithPooling:
        """Ids (batch, piece); types say which sentence a piece is of. One that has no piece is not there."""
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        sentence = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        numbers = torch.arange(int(sentence.max()) + 1, device=sentence.device)
        own = (real > 0)[:, None] & (sentence[:, None] == numbers[:, None])  # (batch, sentence, piece)
        h = self.words(self.dropout(self.embedding(input_ids)), own)  # (batch, piece, 2 hidden)
        s = self.pool(h, own[:, None])  # (batch, sentence, 2 hidden)
        there = own.any(2)[:, None]  # (batch, 1, sentence)
        g = self.sentences(self.dropout(s), there)  # (batch, sentence, 2 hidden)
        v = self.document(g, there[:, None])  # (batch, 1, 2 hidden)
        return BaseModelOutputWithPooling(last_hidden_state=h, pooler_output=v)


def _pool(config: HanConfig, size: int, site: Site) -> nn.Module:
    """What makes one vector of the states of a group."""
    if config.pooling == "attention":
        return Attention(size, site)
    return Average() if config.pooling == "average" else Maximum()


class HanForSequenceClassification(HanPreTrained):
    """A label for a document."""

    def __init__(self, config: HanConfig) -> None:
        super().__init__(config)
        self.han = Han(config)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(self.han.sentences.size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> SequenceClassifierOutput:
        """Logits (batch, label)."""
        v = self.han(input_ids, **inputs).pooler_output  # (batch, 1, 2 hidden)
        return SequenceClassifierOutput(logits=self.output(self.dropout(v[:, 0])))
