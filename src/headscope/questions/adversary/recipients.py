"""The nets that maps are given to: of the model's own kind, or so plain that maps are all they have."""

from __future__ import annotations

from typing import Any

import torch

from headscope.models import Model
from headscope.models.load import on_core
from headscope.nets.plain import PlainConfig, PlainForTokenClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.nets.tagger import TaggerForTokenClassification
from headscope.questions.adversary.beginning import Beginning
from headscope.questions.adversary.kinds import MIXED, PLAIN, SAME, WORDS
from headscope.tasks.purposes import remember_training, trained_on

_SHARED = (
    "vocab_size", "vectors", "embedding_size", "characters", "buckets", "hidden_size", "heads",
    "texts", "dropout", "pad_token_id", "id2label", "label2id",
)  # fmt: skip
HIDDEN = 128
"""Numbers of a word in the net of Wiegreffe and Pinter 2019, section 5."""


def recipients_of(model: Model) -> tuple[str, ...]:
    """The kinds of nets that maps of a model can be given to."""
    if isinstance(model.module, PooledForSequenceClassification):
        return (SAME,) if model.module.config.encoder == "average" else (SAME, WORDS)
    if isinstance(model.module, TaggerForTokenClassification) and model.module.config.layers == 1:
        return SAME, MIXED, PLAIN
    return (SAME,)


def recipient(beginning: Beginning, kind: str, seed: int) -> Model:
    """A net before training, with the word vectors that fresh nets start from."""
    fresh = beginning.make(seed)
    if kind == SAME:
        return fresh
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(beginning.seed(seed))
        module = _single_words(fresh) if kind == WORDS else _mixed_words(fresh, own=kind == PLAIN)
    module.get_input_embeddings().load_state_dict(fresh.module.get_input_embeddings().state_dict())
    here = module.to(fresh.device).eval()
    model = on_core(here, fresh.tokenizer, f"{fresh.name}, {kind}", "memory", None, [])
    remember_training(model, trained_on(fresh) or "tagging")
    return model


def _single_words(fresh: Model) -> Any:
    """tanh(W x + b) of each word alone under one attention."""
    more = {"hidden_size": HIDDEN, "encoder": "average", "attention": "tanh"}
    return PooledForSequenceClassification(PooledConfig(**_shared(fresh, more)))


def _mixed_words(fresh: Model, own: bool) -> Any:
    """Each word's vector mixed by the maps."""
    return PlainForTokenClassification(PlainConfig(**_shared(fresh, {"own": own})))


def _shared(fresh: Model, more: dict[str, Any]) -> dict[str, Any]:
    """What two nets of our own have in common."""
    known = fresh.module.config
    return {name: getattr(known, name) for name in _SHARED if hasattr(known, name)} | more
