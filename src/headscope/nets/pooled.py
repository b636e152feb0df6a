"""One attention over an encoder: BiLSTM, CNN or each word alone, under additive or dot-product attention.

The classifiers of Jain and Wallace 2019 and Wiegreffe and Pinter 2019. A learned query looks at each text;
what it mixes decides.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from torch.nn.functional import relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers import PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutputWithPooling, SequenceClassifierOutput

from headscope.attention import Site, attend

WINDOWS = (1, 3, 5, 7)
"""Of the convolution's filters, each a quarter of all."""


@strict
class PooledConfig(PreTrainedConfig):  # type: ignore[misc]
    """hidden_size: of a direction of the BiLSTM, of all filters, or of a word alone. texts: 2 reads pairs."""

    model_type = "headscope-pooled"

    vocab_size: int = 2
    embedding_size: int = 50
    hidden_size: int = 64
    encoder: Literal["bilstm", "cnn", "average"] = "bilstm"
    attention: Literal["tanh", "dot"] = "tanh"
    texts: int = 1
    dropout: float | int = 0.0
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


class BiLstm(nn.Module):
    """A state for each piece from both sides."""

    def __init__(self, config: PooledConfig) -> None:
        super().__init__()
        self.size = 2 * config.hidden_size
        self.lstm = nn.LSTM(config.embedding_size, config.hidden_size, batch_first=True, bidirectional=True)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(batch, piece, embedding) to (batch, piece, 2 hidden); what lies behind a length is not read."""
        packed = pack_padded_sequence(x, lengths.clamp_min(1).cpu(), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=x.shape[1])[0]


class Cnn(nn.Module):
    """Filters over windows of 1, 3, 5 and 7 pieces."""

    def __init__(self, config: PooledConfig) -> None:
        super().__init__()
        filters = config.hidden_size // len(WINDOWS)
        self.size = filters * len(WINDOWS)
        self.filters = nn.ModuleList(
            nn.Conv1d(config.embedding_size, filters, window, padding=window // 2) for window in WINDOWS
        )

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(batch, piece, embedding) to (batch, piece, hidden)."""
        real = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        x = (x * real[..., None]).transpose(1, 2)  # (batch, embedding, piece)
        return relu(torch.cat([filters(x) for filters in self.filters], 1)).transpose(1, 2)


class Average(nn.Module):
    """Each piece alone, without its neighbours."""

    def __init__(self, config: PooledConfig) -> None:
        super().__init__()
        self.size = config.hidden_size
        self.linear = nn.Linear(config.embedding_size, config.hidden_size)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(batch, piece, embedding) to (batch, piece, hidden)."""
        return torch.tanh(self.linear(x))


ENCODERS: dict[str, type[BiLstm | Cnn | Average]] = {"bilstm": BiLstm, "cnn": Cnn, "average": Average}


class Attention(nn.Module):
    """How much each state counts: softmax of v tanh(W h + b), or of w h / sqrt(size)."""

    def __init__(self, size: int, kind: str) -> None:
        super().__init__()
        self.site = Site("pool", 0, 1, queries="text", masked=True)
        self.hidden = nn.Linear(size, size // 2) if kind == "tanh" else None
        self.query = nn.Linear(size // 2 if kind == "tanh" else size, 1, bias=False)
        self.scale = 1.0 if kind == "tanh" else size**-0.5

    def forward(self, h: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, size) to (batch, text, size); visible: (batch, 1, text, piece) bool."""
        given = h if self.hidden is None else torch.tanh(self.hidden(h))
        scores = self.scale * self.query(given)[:, None, None, :, 0]  # (batch, 1, 1, piece)
        # A text without a piece has weights of zero, and so a vector of zeros.
        weights = torch.softmax(scores.masked_fill(~visible, torch.finfo(h.dtype).min), -1) * visible
        return attend(self, weights, h[:, None], visible)[:, :, 0]  # weights: (batch, 1, text, piece)


class PooledPreTrained(PreTrainedModel):  # type: ignore[misc]
    """How all of them start: Glorot's matrices, biases of zero, word vectors of length about 1."""

    config_class = PooledConfig
    base_model_prefix = "pooled"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear | nn.Conv1d):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=module.embedding_dim**-0.5)
        elif isinstance(module, nn.LSTM):
            for weight in module.parameters():
                init.uniform_(weight, -(module.hidden_size**-0.5), module.hidden_size**-0.5)


class Pooled(PooledPreTrained):
    """Word vectors, the encoder over each text by itself, and one attention."""

    def __init__(self, config: PooledConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = ENCODERS[config.encoder](config)
        self.attention = Attention(self.encoder.size, config.attention)
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
        """Ids (batch, piece); types say which text a piece is of, where it reads two."""
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        text = (
            torch.zeros_like(input_ids)
            if self.config.texts == 1 or token_type_ids is None
            else token_type_ids
        )
        own = (real[:, None] > 0) & (
            text[:, None] == torch.arange(self.config.texts, device=text.device)[:, None]
        )
        vectors = self.dropout(self.embedding(input_ids))
        h = sum(self._encoded(vectors, own[:, number]) for number in range(self.config.texts))
        pooled = self.attention(h, own[:, None])  # (batch, text, size)
        return BaseModelOutputWithPooling(last_hidden_state=h, pooler_output=pooled)

    def _encoded(self, vectors: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """The states (batch, piece, size) of one text's pieces, own (batch, piece) bool; zeros elsewhere."""
        order = (~own).long().argsort(dim=1, stable=True)[..., None]  # its own pieces first
        states: torch.Tensor = self.encoder(vectors.gather(1, order.expand_as(vectors)), own.sum(1))
        back = order.argsort(1).expand(-1, -1, states.shape[-1])
        return states.gather(1, back) * own[..., None]


class PooledForSequenceClassification(PooledPreTrained):
    """A label for a text, or for a pair of which it reads [p; h; p - h; p * h]."""

    def __init__(self, config: PooledConfig) -> None:
        super().__init__(config)
        self.pooled = Pooled(config)
        self.dropout = nn.Dropout(config.dropout)
        size = self.pooled.encoder.size
        self.output = nn.Linear(size * (4 if config.texts == 2 else 1), config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> SequenceClassifierOutput:
        """Logits (batch, label)."""
        s = self.pooled(input_ids, **inputs).pooler_output  # (batch, text, size)
        if self.config.texts == 2:
            first, second = s[:, 0], s[:, 1]
            s = torch.cat([first, second, first - second, first * second], -1)
        return SequenceClassifierOutput(logits=self.output(self.dropout(s.flatten(1))))
