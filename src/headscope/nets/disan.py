"""DiSAN, the directional self-attention network (Shen et al. 2018, AAAI), whose every feature is a head.

Two stacks of blocks read a text: in one a piece sees earlier pieces alone, in the other later ones.
Attention is multi-dimensional: each of the d features has weights of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from torch.nn.functional import elu
from transformers import GenerationMixin, PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import (
    BaseModelOutputWithPooling,
    CausalLMOutput,
    SequenceClassifierOutput,
    TokenClassifierOutput,
)

from headscope.attention import Site, attend

Direction = Literal["sees_earlier", "sees_later"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
ALIASES: dict[str, dict[str, Direction]] = {
    "Shen et al. 2018": {"forward": "sees_earlier", "backward": "sees_later"},
    "Varano": {"forward": "sees_later", "backward": "sees_earlier"},
}
"""The masks as papers name them, which contradict each other; so neither name is used here."""


@strict
class DisanConfig(PreTrainedConfig):  # type: ignore[misc]
    """embedding_size: of word vectors. layers: blocks on top of each other, in each direction. texts: 2 reads
    pairs. scale: c of the scores. dropout: before every linear map.
    """

    model_type = "headscope-disan"

    vocab_size: int = 2
    embedding_size: int = 50
    hidden_size: int = 50
    layers: int = 1
    texts: int = 1
    scale: float | int = 5.0
    dropout: float | int = 0.1
    pad_token_id: int | None = 0
    tie_word_embeddings: bool = False


class Disa(nn.Module):
    """One block: directional, multi-dimensional attention behind a fusion gate (section 4.1)."""

    def __init__(self, config: DisanConfig, direction: Direction, layer: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.scale, self.dropout = config.scale, nn.Dropout(config.dropout)
        self.site = Site(direction, layer, size, masked=True)
        self.hidden = nn.Linear(size if layer else config.embedding_size, size)  # W_h, b_h
        self.seen = nn.Linear(size, size, bias=False)  # W1, of the piece that is looked at
        self.seeing = nn.Linear(size, size, bias=False)  # W2, of the piece that looks
        self.bias = nn.Parameter(torch.empty(size))  # b1
        # The gate has three biases, as in the published code, though they add up to one.
        self.gate_mix = nn.Linear(size, size)  # W_f1
        self.gate_own = nn.Linear(size, size)  # W_f2
        self.gate_bias = nn.Parameter(torch.empty(size))  # b_f

    def forward(self, x: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, embedding) to (batch, piece, d); visible: (batch, 1, query, key) bool."""
        h = elu(self.hidden(self.dropout(x)))  # (batch, piece, d)
        given = self.dropout(h)
        # f(h_i, h_j) = c tanh((W1 h_i + W2 h_j + b1) / c), where j looks at i; one score for each feature
        seen = (self.seen(given) / self.scale).transpose(1, 2)[:, :, None, :]  # (batch, d, 1, key)
        seeing = ((self.seeing(given) + self.bias) / self.scale).transpose(1, 2)[..., None]
        scores = self.scale * torch.tanh(seen + seeing)  # (batch, d, query, key)
        weights = masked_softmax(scores, visible)
        # s_j = sum_i P_ij * h_i, feature by feature: each is a head with values of one dimension
        mixed = attend(self, weights, h.transpose(1, 2)[..., None], visible)  # (batch, query, d, 1)
        s = mixed[..., 0]  # (batch, piece, d)
        # F = sigmoid(W_f1 s + W_f2 h + b_f);  u = F * h + (1 - F) * s
        gate = self.gate_mix(self.dropout(s)) + self.gate_own(self.dropout(h)) + self.gate_bias
        return torch.lerp(s, h, torch.sigmoid(gate))


class Source2Token(nn.Module):
    """One learned query for each text, with weights for each feature (section 3.2)."""

    def __init__(self, config: DisanConfig, size: int) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        self.site = Site("pool", 0, size, queries="text", masked=True)
        self.first, self.second = nn.Linear(size, size), nn.Linear(size, size)

    def forward(self, u: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """(batch, piece, 2d) to (batch, text, 2d); visible: (batch, 1, text, piece) bool."""
        # f(u_i) = W elu(W1 u_i + b1) + b
        scores = self.second(self.dropout(elu(self.first(self.dropout(u))))).transpose(1, 2)
        scores = scores[:, :, None, :].expand(-1, -1, visible.shape[2], -1)  # (batch, 2d, text, piece)
        weights = masked_softmax(scores, visible)
        return attend(self, weights, u.transpose(1, 2)[..., None], visible)[..., 0]


def masked_softmax(scores: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
    """Weights over the last axis; a query that sees nothing has a row of zeros and mixes a zero vector."""
    hidden = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~visible, hidden), -1) * visible


class DisanPreTrained(PreTrainedModel):  # type: ignore[misc]
    """How all of them start: Glorot's matrices, biases of zero, word vectors of length about 1."""

    config_class = DisanConfig
    base_model_prefix = "disan"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=module.embedding_dim**-0.5)
        elif isinstance(module, Disa):
            init.zeros_(module.bias)
            init.zeros_(module.gate_bias)


class Disan(DisanPreTrained):
    """The encoder: word vectors, blocks in each direction, and with `pooled` a vector for each text.

    What is answered decides about directions and pool, so the configuration, which goes from task to task,
    says nothing of them.
    """

    def __init__(
        self, config: DisanConfig, directions: Sequence[Direction] = DIRECTIONS, pooled: bool = True
    ) -> None:
        super().__init__(config)
        self.size = config.hidden_size * len(directions)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.blocks = nn.ModuleDict(
            {
                name: nn.ModuleList(Disa(config, name, layer) for layer in range(config.layers))
                for name in directions
            }
        )
        self.pool = Source2Token(config, self.size) if pooled else None
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
        """Ids (batch, piece); types say which text a piece is of, and texts do not see each other."""
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        text = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        text = torch.where(real.bool(), text, -1)  # (batch, piece)
        together = (text[:, :, None] == text[:, None, :]) & (text >= 0)[:, None, :]  # (batch, query, key)
        seen = {"sees_earlier": together.tril(-1)[:, None], "sees_later": together.triu(1)[:, None]}
        vectors, read = self.embedding(input_ids), []
        for direction, blocks in self.blocks.items():
            u = vectors
            for block in blocks.children():
                u = block(u, seen[direction])
            read.append(u)
        u = torch.cat(read, -1) * real[..., None]  # (batch, piece, 2d)
        pooled = None
        if self.pool is not None:
            numbers = torch.arange(self.config.texts, device=text.device)
            pooled = self.pool(u, (text[:, None] == numbers[:, None])[:, None])  # (batch, text, 2d)
        return BaseModelOutputWithPooling(last_hidden_state=u, pooler_output=pooled)


class DisanForSequenceClassification(DisanPreTrained):
    """A label for a text, or for a pair of which it reads [p; h; p - h; p * h]."""

    def __init__(self, config: DisanConfig) -> None:
        super().__init__(config)
        self.disan = Disan(config)
        self.dropout = nn.Dropout(config.dropout)
        self.hidden = nn.Linear(self.disan.size * (4 if config.texts == 2 else 1), config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> SequenceClassifierOutput:
        """Logits (batch, label)."""
        s = self.disan(input_ids, **inputs).pooler_output  # (batch, text, 2d)
        if self.config.texts == 2:
            first, second = s[:, 0], s[:, 1]
            s = torch.cat([first, second, first - second, first * second], -1)
        hidden = elu(self.hidden(self.dropout(s.flatten(1))))  # (batch, d)
        return SequenceClassifierOutput(logits=self.output(self.dropout(hidden)))


class DisanForTokenClassification(DisanPreTrained):
    """A tag for each piece."""

    def __init__(self, config: DisanConfig) -> None:
        super().__init__(config)
        self.disan = Disan(config, pooled=False)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(self.disan.size, config.num_labels)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> TokenClassifierOutput:
        """Logits (batch, piece, tag)."""
        u = self.disan(input_ids, **inputs).last_hidden_state
        return TokenClassifierOutput(logits=self.output(self.dropout(u)))


class DisanForCausalLM(DisanPreTrained, GenerationMixin):  # type: ignore[misc]
    """The next piece, from the blocks that see earlier pieces alone."""

    def __init__(self, config: DisanConfig) -> None:
        super().__init__(config)
        self.disan = Disan(config, ["sees_earlier"], pooled=False)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_output_embeddings(self) -> nn.Linear:
        return self.output

    def set_output_embeddings(self, value: nn.Linear) -> None:
        self.output = value

    @classmethod
    def _supports_default_dynamic_cache(cls) -> bool:
        return False

    def prepare_inputs_for_generation(self, input_ids: torch.Tensor, **inputs: Any) -> dict[str, Any]:
        """All pieces anew for each new one: nothing of a block is kept."""
        return {"input_ids": input_ids, "attention_mask": inputs.get("attention_mask")}

    def forward(self, input_ids: torch.Tensor, **inputs: Any) -> CausalLMOutput:
        """Logits (batch, piece, vocabulary) of what follows each piece."""
        u = self.disan(input_ids, **inputs).last_hidden_state
        return CausalLMOutput(logits=self.output(self.dropout(u)))
