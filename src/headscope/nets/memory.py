"""Nets that must remember: an LSTM or a GRU, either with attention over its own past, a small transformer.

A word is read among fillers and asked for later (Haviv et al. 2019, with words for their images): the net
has an answer at each word, 0 where nothing is asked. What a recurrent net knows of the past is one vector
that it carries from word to word. With attention it answers by what it sees when it looks back, at the words
or at its states; beside that, the present state would do as long as delays are short, and attention would
never be learned. A transformer has nothing but attention.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from transformers import PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutput, TokenClassifierOutput

from headscope.attention import Site, attend
from headscope.nets.tagger import Layer


@strict
class MemoryConfig(PreTrainedConfig):  # type: ignore[misc]
    """memory: what carries the past. attention: whether a recurrent net looks back, and at what. layers,
    heads, feed_forward: of a transformer, which is told nothing of places but what came before.
    """

    model_type = "headscope-memory"

    vocab_size: int = 2
    embedding_size: int = 32
    hidden_size: int = 64
    memory: Literal["lstm", "gru", "transformer"] = "gru"
    attention: Literal["none", "words", "states"] = "none"
    layers: int = 2
    heads: int = 4
    feed_forward: int = 64
    texts: int = 1
    dropout: float | int = 0.0
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


class Recurrence(nn.Module):
    """A state for each piece; what it carries on is the state h of a GRU, [h; c] of an LSTM."""

    def __init__(self, config: MemoryConfig) -> None:
        super().__init__()
        self.is_lstm = config.memory == "lstm"
        self.size = config.hidden_size * (2 if self.is_lstm else 1)
        kind = nn.LSTM if self.is_lstm else nn.GRU
        self.cell = kind(config.embedding_size, config.hidden_size, batch_first=True)

    def forward(
        self, x: torch.Tensor, carried: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """(batch, piece, embedding) to (batch, piece, hidden), and what is carried on, (batch, size).

        carried: what the piece before the first one left, zeros where there is none.
        """
        if carried is None:
            carried = x.new_zeros(len(x), self.size)
        parts = [part[None].contiguous() for part in carried.chunk(self.size // self.cell.hidden_size, -1)]
        states, last = self.cell(x, tuple(parts) if self.is_lstm else parts[0])
        return states, torch.cat(last, -1)[0] if self.is_lstm else last[0]

    def seen(self, carried: torch.Tensor) -> torch.Tensor:
        """What of (..., size) is felt outside: h of a GRU, [h; tanh c] of an LSTM."""
        if not self.is_lstm:
            return carried
        h, c = carried.chunk(2, -1)
        return torch.cat([h, c.tanh()], -1)

    def nearest(self, carried: torch.Tensor) -> torch.Tensor:
        """The nearest of (..., size) that can be carried: no number of h is beyond 1; c has no such end."""
        h, rest = carried.tensor_split([self.cell.hidden_size], -1)
        return torch.cat([h.clamp(-1, 1), rest], -1)


class LookingBack(nn.Module):
    """softmax((Q h)(K x)' / sqrt(hidden)) V x over all pieces up to the present one; x: words, or states."""

    def __init__(self, size: int, seen: int) -> None:
        super().__init__()
        self.site = Site("decoder", 0, 1, causal=True, masked=True)
        self.query = nn.Linear(size, size, bias=False)
        self.key, self.value = (nn.Linear(seen, size, bias=False) for _ in range(2))

    def forward(self, h: torch.Tensor, x: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """h: (batch, piece, hidden). x: (batch, piece, seen). visible: (batch, 1, query, key) bool."""
        scores = self.query(h) @ self.key(x).transpose(-1, -2) / h.shape[-1] ** 0.5  # (batch, query, key)
        scores = scores[:, None].masked_fill(~visible, torch.finfo(h.dtype).min)
        weights = torch.softmax(scores, -1) * visible  # (batch, 1, query, key)
        return attend(self, weights, self.value(x)[:, None], visible)[:, :, 0]  # (batch, query, hidden)


class MemoryPreTrained(PreTrainedModel):  # type: ignore[misc]
    """How all of them start: Glorot's matrices, biases of zero, vectors of normal numbers.

    With shorter vectors an LSTM does not begin to learn. Cells as in torch, but that the biases of an LSTM's
    forget gate and of a GRU's gates are 1: they begin by keeping what they hold. In the published code all
    biases are near 0; its training is a hundred times longer.
    """

    config_class = MemoryConfig
    base_model_prefix = "memory"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight)
        elif isinstance(module, nn.LayerNorm):
            init.ones_(module.weight)
            init.zeros_(module.bias)
        elif isinstance(module, nn.LSTM | nn.GRU):
            size = module.hidden_size
            for name, weight in module.named_parameters():
                if "weight" in name:
                    init.uniform_(weight, -(size**-0.5), size**-0.5)
                    continue
                bias = torch.zeros(len(weight))
                if "hh" in name:  # gates of a GRU: reset, update; of an LSTM: input, forget
                    bias[size if isinstance(module, nn.LSTM) else 0 : 2 * size] = 1.0
                init.copy_(weight, bias)


class Memory(MemoryPreTrained):
    """Word vectors, and what carries them on."""

    def __init__(self, config: MemoryConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        if config.memory == "transformer":
            self.projection = nn.Linear(config.embedding_size, config.hidden_size, bias=False)
            self.layers = nn.ModuleList(Layer(config, number) for number in range(config.layers))
            for number, layer in enumerate(self.layers):
                layer.attention.site = Site("decoder", number, config.heads, causal=True, masked=True)  # type: ignore[union-attr]
            self.norm = nn.LayerNorm(config.hidden_size)
        else:
            self.recurrence = Recurrence(config)
            seen = {"none": 0, "words": config.embedding_size, "states": config.hidden_size}[config.attention]
            self.looking = LookingBack(config.hidden_size, seen) if seen else None
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embedding

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        self.embedding = value

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None, **options: Any
    ) -> BaseModelOutput:
        """Ids (batch, piece), padded behind, to (batch, piece, hidden): states, or what they look back at."""
        x = self.embedding(input_ids)
        if self.config.memory == "transformer":
            x, visible = self.projection(x), backwards(input_ids, attention_mask)
            for layer in self.layers:
                x = layer(x, visible)
            return BaseModelOutput(last_hidden_state=self.norm(x))
        h, _ = self.recurrence(x)  # (batch, piece, hidden)
        if self.looking is not None:
            seen = x if self.config.attention == "words" else h
            h = self.looking(h, seen, backwards(input_ids, attention_mask))
        return BaseModelOutput(last_hidden_state=h)


def backwards(ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """What each piece sees: real ones up to itself, (batch, 1, query, key) bool."""
    pieces = ids.shape[1]
    earlier = torch.ones(pieces, pieces, dtype=torch.bool, device=ids.device).tril()
    real = torch.ones_like(ids) if mask is None else mask
    return earlier[None, None] & (real > 0)[:, None, None]


class MemoryForTokenClassification(MemoryPreTrained):
    """An answer at each piece."""

    def __init__(self, config: MemoryConfig) -> None:
        super().__init__(config)
        self.memory = Memory(config)
        self.output = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> TokenClassifierOutput:
        """Logits (batch, piece, answer)."""
        return TokenClassifierOutput(logits=self.output(self.memory(input_ids, **inputs).last_hidden_state))
