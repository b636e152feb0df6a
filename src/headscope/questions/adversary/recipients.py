"""The nets that maps are given to: of the model's own kind, or so plain that maps are all they have."""

from __future__ import annotations

import torch

from headscope.models import Model
from headscope.models.load import on_core
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.questions.adversary.beginning import Beginning
from headscope.questions.adversary.kinds import SAME, WORDS
from headscope.tasks.purposes import remember_training

HIDDEN = 128
"""Numbers of a word in the net of Wiegreffe and Pinter 2019, section 5."""


def recipients_of(model: Model) -> tuple[str, ...]:
    """The kinds of nets that maps of a model can be given to."""
    if isinstance(model.module, PooledForSequenceClassification):
        return (SAME,) if model.module.config.encoder == "average" else (SAME, WORDS)
    return (SAME,)


def recipient(beginning: Beginning, kind: str, seed: int) -> Model:
    """A net before training, with the word vectors that fresh nets start from."""
    fresh = beginning.make(seed)
    return fresh if kind == SAME else _single_words(fresh, beginning.seed(seed))


def _single_words(fresh: Model, seed: int) -> Model:
    """tanh(W x + b) of each word alone under one attention."""
    known = fresh.module.config
    config = PooledConfig(
        vocab_size=known.vocab_size,
        embedding_size=known.embedding_size,
        hidden_size=HIDDEN,
        encoder="average",
        attention="tanh",
        texts=known.texts,
        dropout=known.dropout,
        pad_token_id=known.pad_token_id,
        id2label=known.id2label,
        label2id=known.label2id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        module = PooledForSequenceClassification(config)
    with torch.no_grad():
        module.get_input_embeddings().weight.copy_(fresh.module.get_input_embeddings().weight)
    model = on_core(
        module.to(fresh.device).eval(), fresh.tokenizer, f"{fresh.name}, {WORDS}", "memory", None, []
    )
    remember_training(model, "pairs" if known.texts == 2 else "classification")
    return model
