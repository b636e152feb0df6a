"""Nets: small models that are trained here, one readable file each, known to transformers by their names."""

from __future__ import annotations

from typing import Any

import transformers

from headscope.nets.disan import (
    Disan,
    DisanConfig,
    DisanForCausalLM,
    DisanForSequenceClassification,
    DisanForTokenClassification,
    DisanPreTrained,
)
from headscope.nets.han import Han, HanConfig, HanForSequenceClassification
from headscope.nets.memory import Memory, MemoryConfig, MemoryForTokenClassification
from headscope.nets.plain import Plain, PlainConfig, PlainForTokenClassification
from headscope.nets.pooled import Pooled, PooledConfig, PooledForSequenceClassification, PooledPreTrained
from headscope.nets.seq2seq import Seq2seq, Seq2seqConfig, Seq2seqForConditionalGeneration
from headscope.nets.tagger import Tagger, TaggerConfig, TaggerForTokenClassification

CONFIGURATIONS = (
    DisanConfig,
    PooledConfig,
    HanConfig,
    TaggerConfig,
    PlainConfig,
    Seq2seqConfig,
    MemoryConfig,
)
CLASSES: dict[Any, Any] = {
    Disan: transformers.AutoModel,
    DisanForSequenceClassification: transformers.AutoModelForSequenceClassification,
    DisanForTokenClassification: transformers.AutoModelForTokenClassification,
    DisanForCausalLM: transformers.AutoModelForCausalLM,
    Pooled: transformers.AutoModel,
    PooledForSequenceClassification: transformers.AutoModelForSequenceClassification,
    Han: transformers.AutoModel,
    HanForSequenceClassification: transformers.AutoModelForSequenceClassification,
    Tagger: transformers.AutoModel,
    TaggerForTokenClassification: transformers.AutoModelForTokenClassification,
    Plain: transformers.AutoModel,
    PlainForTokenClassification: transformers.AutoModelForTokenClassification,
    Seq2seq: transformers.AutoModel,
    Seq2seqForConditionalGeneration: transformers.AutoModelForSeq2SeqLM,
    Memory: transformers.AutoModel,
    MemoryForTokenClassification: transformers.AutoModelForTokenClassification,
}
"""Every class of a net, and by which class of transformers it is found."""

NAMED = {net.__name__: net for net in CLASSES}
"""By the name that a configuration gives as its architecture."""

LEARN_VECTORS = (PooledPreTrained, DisanPreTrained)
"""Nets whose word vectors are trained, too, where nobody says."""

for configuration in CONFIGURATIONS:
    transformers.AutoConfig.register(configuration.model_type, configuration, exist_ok=True)
for net, auto in CLASSES.items():
    auto.register(net.config_class, net, exist_ok=True)


def is_net(module: Any) -> bool:
    """Whether it is one of these nets, which can be trained from nothing."""
    return isinstance(module, tuple(CLASSES))
