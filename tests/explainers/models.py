"""Tiny models with task heads, one of each shape, and answers of theirs to a batch of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
import transformers as tf

from headscope.explainers import Asked, ask
from headscope.models import Model, Sides, sides_of
from headscope.models.load import on_core
from headscope.models.vocabulary import word_tokenizer
from headscope.nets.disan import DisanConfig, DisanForSequenceClassification, DisanForTokenClassification
from headscope.nets.han import HanConfig, HanForSequenceClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from headscope.nets.tagger import TaggerConfig, TaggerForTokenClassification, spelled
from headscope.text import Document, Segment
from headscope.text.whole import whole
from tests.families import _BART, _BERT, _COMMON, _LLAMA, FAMILIES, small_tokenizer

TEXTS = ("w3 w4 w5 w6 w7 w8", "w8 w9 w10", "w11 w12 w3 w4")
NET_WORDS = [f"w{number}" for number in range(3, 20)]
_NET = {"vocab_size": len(NET_WORDS) + 2, "embedding_size": 8, "hidden_size": 8}


def tagger() -> Any:
    """Its words differ in their vectors and in their characters."""
    net = TaggerForTokenClassification(TaggerConfig(vectors=len(NET_WORDS) + 2, heads=2, **_NET))
    net.tagger.embedding.row.copy_(torch.arange(len(NET_WORDS) + 2))
    net.tagger.embedding.spelling[2:] = torch.tensor([spelled(word, 4096) for word in NET_WORDS])
    return net


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "bert": lambda: tf.BertForSequenceClassification(tf.BertConfig(**_BERT)),
    "distilbert": lambda: tf.DistilBertForSequenceClassification(
        tf.DistilBertConfig(dim=16, n_layers=2, n_heads=4, hidden_dim=20, **_COMMON)
    ),
    "albert": lambda: tf.AlbertForSequenceClassification(tf.AlbertConfig(embedding_size=8, **_BERT)),
    "mpnet": lambda: tf.MPNetForSequenceClassification(tf.MPNetConfig(**_BERT)),
    "llama-classifier": lambda: tf.LlamaForSequenceClassification(tf.LlamaConfig(**_LLAMA)),
    "bart-classifier": lambda: tf.BartForSequenceClassification(tf.BartConfig(**_BART)),
}
TAGGERS: dict[str, Callable[[], Any]] = {
    "roberta-tagger": lambda: tf.RobertaForTokenClassification(tf.RobertaConfig(**_BERT))
}
DECODERS = {name: FAMILIES[name] for name in ("gpt2", "llama", "gpt_neox", "opt", "gemma2")}
TRANSLATORS = {name: FAMILIES[name] for name in ("bart", "t5")}
NETS: dict[str, Callable[[], Any]] = {
    "pooled": lambda: PooledForSequenceClassification(PooledConfig(**_NET)),
    "disan": lambda: DisanForSequenceClassification(DisanConfig(**_NET)),
    "han": lambda: HanForSequenceClassification(HanConfig(**_NET)),
    "tagger": tagger,
    "disan-tagger": lambda: DisanForTokenClassification(DisanConfig(**_NET)),
}
ALL = CLASSIFIERS | TAGGERS | DECODERS | TRANSLATORS | NETS
FEW = ("bert", "llama", "bart", "disan-tagger")
"""One of each shape, which every run asks; the others run with the slow tests."""
SOME = ("bert", "albert", "roberta-tagger", "llama", "bart", "pooled", "disan")


def made(name: str, dtype: torch.dtype = torch.float32) -> Model:
    """A model whose attention is far from even."""
    torch.manual_seed(0)
    module = ALL[name]().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.4) if parameter.ndim > 1 else parameter.add_(
                torch.randn_like(parameter) * 0.1
            )
    sentences = "marks" if name == "han" else None
    tokenizer = word_tokenizer(NET_WORDS, sentences=sentences) if name in NETS else small_tokenizer()
    return on_core(module.to(dtype), tokenizer, name, "memory", None, [])


def segments(model: Model, texts: Sequence[str] = TEXTS) -> list[Segment]:
    return [
        whole(Document.from_text(str(number), text), model.tokenizer) for number, text in enumerate(texts)
    ]


def sides_for(model: Model, texts: Sequence[str] = TEXTS) -> Sides:
    """One batch, the texts in their order."""
    from headscope.text.batches import _collate

    return sides_of(model, _collate(segments(model, texts), model.tokenizer, "cpu"))


def asked_of(name: str, texts: Sequence[str] = TEXTS, dtype: torch.dtype = torch.float32) -> Asked:
    """An answer to each text: a class, the tag of its second piece, the next piece, the third step."""
    model = made(name, dtype)
    return answers(model, sides_for(model, texts))


def answers(model: Model, sides: Sides) -> Asked:
    count = np.arange(len(sides.source.ids))
    name = type(model.module).__name__
    if "SequenceClassification" in name:
        return ask(model, sides)
    if model.shape == "decoder":
        return ask(model, sides, count, sides.source.lengths - 1)
    return ask(model, sides, count, np.full(len(count), 2))
