"""GRU encoder-decoder: one sequence read, another one written, without attention or with an early kind of it.

A GRU reads the source from both sides, another one writes the target piece by piece. What a step sees of the
source, its context c, is

- `none`: at every step the same, both ends of the encoder (Cho et al. 2014);
- `bahdanau`: a mix chosen by the state before the step, which then goes into the step (Bahdanau et al. 2015);
- `dot`, `general`, `concat`: a mix chosen by the state behind the step, which changes what is written but not
  the states (Luong et al. 2015, section 3.1, without input feeding).

With `values="embeddings"` the mix is of word vectors instead of states: a state knows its neighbours, too,
so a decoder may look beside the word that it translates; a word vector knows nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, cast

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers import GenerationMixin, PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput, Seq2SeqModelOutput

from headscope.attention import Rows, Site, attend
from headscope.nets.extra_inputs import refuse_unused

FREQUENT = (1000, 4000)
"""Where clusters of the adaptive softmax begin: pieces are numbered by how often they are written."""

NARROW = 16
"""Fewer states are not worth it: the rarest cluster reads a sixteenth of them."""


@strict
class Seq2seqConfig(PreTrainedConfig):  # type: ignore[misc]
    """vocab_size: of both languages. encoder_size: states of one direction. hidden_size: of the decoder.
    values: what attention mixes. softmax: `adaptive` spends less on rare pieces (Grave et al. 2017). dropout:
    of word vectors and of what the output reads.
    """

    model_type = "headscope-seq2seq"

    vocab_size: int = 3
    embedding_size: int = 128
    encoder_size: int = 128
    hidden_size: int = 256
    attention: Literal["none", "bahdanau", "dot", "general", "concat"] = "bahdanau"
    values: Literal["states", "embeddings"] = "states"
    softmax: Literal["adaptive", "full"] = "adaptive"
    dropout: float | int = 0.2
    pad_token_id: int | None = 0
    eos_token_id: int | list[int] | None = 2
    decoder_start_token_id: int | None = 0
    is_encoder_decoder: bool = True
    use_cache: bool = True
    tie_word_embeddings: bool = False


@dataclass
class Encoded(BaseModelOutput):  # type: ignore[misc]
    """States (batch, piece, 2 encoder), word vectors, last states of both directions (batch, 2 encoder)."""

    embeddings: torch.Tensor | None = None
    ends: torch.Tensor | None = None


class Half(nn.Module):
    """What encoder and decoder begin with: word vectors, of one table."""

    def __init__(self, config: Seq2seqConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = nn.Dropout(config.dropout)

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embedding


class Encoder(Half):
    """A state for each piece of the source, from both sides."""

    def __init__(self, config: Seq2seqConfig, embedding: nn.Embedding) -> None:
        super().__init__(config, embedding)
        self.gru = nn.GRU(config.embedding_size, config.encoder_size, batch_first=True, bidirectional=True)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None, **extra: Any
    ) -> Encoded:
        """Ids (batch, piece); what lies behind the length of a text is not read."""
        refuse_unused(extra)
        real = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        e = self.dropout(self.embedding(input_ids))  # (batch, piece, embedding)
        lengths = real.sum(1).clamp_min(1).cpu()
        states, last = self.gru(pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False))
        h, _ = pad_packed_sequence(states, batch_first=True, total_length=e.shape[1])
        ends = last.transpose(0, 1).flatten(1)  # (2, batch, encoder) to (batch, 2 encoder)
        return Encoded(last_hidden_state=h, embeddings=e, ends=ends)


class LookedAt(NamedTuple):
    """keys: (batch, piece, hidden). values: (batch, piece, value). visible: (batch, 1, 1, piece) bool."""

    keys: torch.Tensor
    values: torch.Tensor
    visible: torch.Tensor


class Attention(nn.Module):
    """softmax over the source of a score of decoder state s and encoder state h.

    dot: s h; general: s W h; bahdanau and concat: v tanh(W s + U h), which Luong writes as v tanh(W [s; h]).
    """

    def __init__(self, config: Seq2seqConfig) -> None:
        super().__init__()
        size, states = config.hidden_size, 2 * config.encoder_size
        self.site = Site("cross", 0, 1, masked=True)
        self.of_embeddings = config.values == "embeddings"
        is_additive = config.attention in ("bahdanau", "concat")
        self.key = None if config.attention == "dot" else nn.Linear(states, size, bias=False)
        self.query = nn.Linear(size, size, bias=False) if is_additive else None
        self.score = nn.Linear(size, 1, bias=False) if is_additive else None

    def looked_at(self, source: Encoded, real: torch.Tensor) -> LookedAt:
        """What is the same for all queries; real: (batch, piece)."""
        h = cast(torch.Tensor, source.last_hidden_state)
        values = source.embeddings if self.of_embeddings else h
        keys = h if self.key is None else self.key(h)
        return LookedAt(keys, cast(torch.Tensor, values), (real > 0)[:, None, None, :])

    def forward(self, s: torch.Tensor, looked_at: LookedAt, rows: Rows | None = None) -> torch.Tensor:
        """States (batch, query, hidden) to contexts (batch, query, value)."""
        keys, values, visible = looked_at
        if self.query is None or self.score is None:
            scores = (s @ keys.transpose(1, 2))[:, None]  # (batch, 1, query, piece)
        else:
            summed = self.query(s)[:, :, None] + keys[:, None]  # (batch, query, piece, hidden)
            scores = self.score(torch.tanh(summed))[..., 0][:, None]  # (batch, 1, query, piece)
        visible = visible.expand(-1, -1, s.shape[1], -1)
        weights = torch.softmax(scores.masked_fill(~visible, torch.finfo(s.dtype).min), -1) * visible
        return attend(self, weights, values[:, None], visible, rows=rows)[:, :, 0]


class Decoder(Half):
    """States of the target, each from the piece and the state before it, and what the output reads."""

    def __init__(self, config: Seq2seqConfig, embedding: nn.Embedding) -> None:
        super().__init__(config, embedding)
        size, states = config.hidden_size, 2 * config.encoder_size
        has_embeddings = config.values == "embeddings" and config.attention != "none"
        context = config.embedding_size if has_embeddings else states
        self.begin = nn.Linear(states, size)
        self.attention = None if config.attention == "none" else Attention(config)
        self.goes_in = config.attention == "bahdanau"
        reads = config.embedding_size + (context if config.attention in ("none", "bahdanau") else 0)
        self.gru = nn.GRU(reads, size, batch_first=True)
        self.output = nn.Linear(size + context, size)

    def forward(
        self, ids: torch.Tensor, source: Encoded, real: torch.Tensor, state: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Ids (batch, query) to tanh(W [s; c]), (batch, query, hidden), and the last s, (batch, hidden)."""
        e = self.dropout(self.embedding(ids))  # (batch, query, embedding)
        s = torch.tanh(self.begin(source.ends)) if state is None else state
        if self.attention is None:
            ends = cast(torch.Tensor, source.ends)
            c = ends[:, None].expand(-1, ids.shape[1], -1)  # (batch, query, 2 encoder)
            states, _ = self.gru(torch.cat([e, c], -1), s[None])
        elif self.goes_in:
            states, c = self._stepwise(self.attention, e, s, self.attention.looked_at(source, real))
        else:
            states, _ = self.gru(e, s[None])  # (batch, query, hidden)
            c = self.attention(states, self.attention.looked_at(source, real))
        return torch.tanh(self.output(self.dropout(torch.cat([states, c], -1)))), states[:, -1]

    def _stepwise(
        self, attention: Attention, e: torch.Tensor, s: torch.Tensor, looked_at: LookedAt
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """c_i from s_{i-1}, then s_i from the piece before, c_i and s_{i-1}: states and contexts."""
        states, contexts, steps = [], [], e.shape[1]
        for step in range(steps):
            c = attention(s[:, None], looked_at, Rows(step, steps))  # (batch, 1, value)
            s = self.gru(torch.cat([e[:, step : step + 1], c], -1), s[None])[1][0]  # (batch, hidden)
            states.append(s)
            contexts.append(c)
        return torch.stack(states, 1), torch.cat(contexts, 1)


class Seq2seqPreTrained(PreTrainedModel):  # type: ignore[misc]
    """How all of them start: Glorot's matrices, recurrent ones orthogonal, word vectors of length about 1."""

    config_class = Seq2seqConfig
    base_model_prefix = "seq2seq"

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=module.embedding_dim**-0.5)
        elif isinstance(module, nn.GRU):
            for name, weight in module.named_parameters():
                if "bias" in name:
                    init.zeros_(weight)
                else:
                    (init.orthogonal_ if "hh" in name else init.xavier_uniform_)(weight)


class Seq2seq(Seq2seqPreTrained):
    """Both halves over one table of word vectors."""

    _tied_weights_keys: ClassVar[dict[str, str]] = {
        f"{half}.embedding.weight": "embedding.weight" for half in ("encoder", "decoder")
    }

    def __init__(self, config: Seq2seqConfig) -> None:
        super().__init__(config)
        if config.attention == "dot" and config.hidden_size != 2 * config.encoder_size:
            raise ValueError("dot products want decoder states as wide as both directions of the encoder")
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.encoder = Encoder(config, self.embedding)
        self.decoder = Decoder(config, self.embedding)
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embedding

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        decoder_input_ids: torch.Tensor | None = None,
        encoder_outputs: Encoded | None = None,
        past_key_values: torch.Tensor | None = None,
        **extra: Any,
    ) -> Seq2SeqModelOutput:
        """What the output reads, (batch, query, hidden); past_key_values: the last s, (batch, hidden)."""
        refuse_unused(extra)
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_ids, attention_mask)
        h = cast(torch.Tensor, encoder_outputs.last_hidden_state)
        real = torch.ones(h.shape[:2], device=h.device) if attention_mask is None else attention_mask
        t, state = self.decoder(decoder_input_ids, encoder_outputs, real, past_key_values)
        return Seq2SeqModelOutput(last_hidden_state=t, past_key_values=state, encoder_last_hidden_state=h)


class Seq2seqForConditionalGeneration(Seq2seqPreTrained, GenerationMixin):  # type: ignore[misc]
    """The next piece of the target."""

    def __init__(self, config: Seq2seqConfig) -> None:
        super().__init__(config)
        self.seq2seq = Seq2seq(config)
        self.dropout = nn.Dropout(config.dropout)
        sizes = config.hidden_size, config.vocab_size
        cutoffs = [first for first in FREQUENT if first < config.vocab_size - 1]
        is_adaptive = config.softmax == "adaptive" and cutoffs and config.hidden_size >= NARROW
        self.output = nn.AdaptiveLogSoftmaxWithLoss(*sizes, cutoffs) if is_adaptive else nn.Linear(*sizes)
        self.post_init()

    def get_output_embeddings(self) -> nn.Module:
        return self.output

    def get_encoder(self, *options: Any, **more: Any) -> Encoder:
        return self.seq2seq.encoder

    def get_decoder(self) -> Decoder:
        return self.seq2seq.decoder

    def forward(self, input_ids: torch.Tensor | None = None, **inputs: Any) -> Seq2SeqLMOutput:
        """Logits (batch, query, piece), of the adaptive softmax logarithms of chances."""
        keeps = inputs.pop("use_cache", True)
        read = self.seq2seq(input_ids, **inputs)
        t = self.dropout(read.last_hidden_state)
        if isinstance(self.output, nn.Linear):
            logits = self.output(t)
        else:
            logits = self.output.log_prob(t.flatten(0, 1)).reshape(*t.shape[:2], -1)
        return Seq2SeqLMOutput(logits=logits, past_key_values=read.past_key_values if keeps else None)

    def losses(self, labels: torch.Tensor, **inputs: Any) -> torch.Tensor:
        """Cross entropy of each example (batch,), the mean over its pieces, without making all logits."""
        t = self.dropout(self.seq2seq(**inputs).last_hidden_state)  # (batch, query, hidden)
        known = labels >= 0  # (batch, query); places without a label have a negative one
        if isinstance(self.output, nn.Linear):
            chances = -nn.functional.cross_entropy(self.output(t[known]), labels[known], reduction="none")
        else:
            chances = self.output(t[known], labels[known]).output
        each = torch.zeros_like(t[..., 0]).masked_scatter(known, -chances)
        return each.sum(1) / known.sum(1).clamp_min(1)

    def _prepare_cache_for_generation(self, *asked: Any, **options: Any) -> None:
        """The state of the decoder is all that it keeps, and the first step makes it."""

    def _reorder_cache(self, past_key_values: torch.Tensor, beam_idx: torch.Tensor) -> torch.Tensor:
        return past_key_values.index_select(0, beam_idx)
