"""Tiny random models with task heads, and documents scored with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import transformers as tf

from headscope.models import Model, load, sides_of
from headscope.tasks.task import Task
from headscope.text import Document, Segment, batches

BERT = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}
GPT2 = {"n_embd": 16, "n_layer": 2, "n_head": 4}
T5 = {"d_model": 16, "d_kv": 4, "num_layers": 2, "num_heads": 4, "d_ff": 20, "decoder_start_token_id": 0}


def bert(tokenizer, cls, labels: Sequence[str] = ("bad", "good")) -> Model:
    names = dict(enumerate(labels))
    config = tf.BertConfig(
        **BERT, vocab_size=len(tokenizer), id2label=names, label2id={name: n for n, name in names.items()}
    )
    return load(_lively(cls(config)), tokenizer)


def gpt2(tokenizer, cls, **options) -> Model:
    return load(_lively(cls(tf.GPT2Config(**GPT2, vocab_size=len(tokenizer), **options))), tokenizer)


def t5(tokenizer, cls=tf.T5ForConditionalGeneration) -> Model:
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    return load(_lively(cls(tf.T5Config(**T5, vocab_size=len(tokenizer), **ends))), tokenizer)


def _lively(module: torch.nn.Module) -> torch.nn.Module:
    """Weights so large that answers differ from text to text."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.copy_(0.4 * torch.randn(parameter.shape, generator=generator))
    return module.eval()


def scores(
    model: Model, task: Task, documents: Sequence[Document], batch_size: int = 8, pieces: int = 64
) -> dict[tuple[str, int], tuple[float, np.ndarray]]:
    """Loss and statistics of each example, by document and number."""
    cut = [part for one in documents for part in task.cutter(one, model.tokenizer, pieces)]
    found = {}
    for batch in batches([part for part in cut if isinstance(part, Segment)], model.tokenizer, batch_size):
        sides = task.prepare(sides_of(model, batch))
        with torch.no_grad(), model.attached(whole=True) as module:
            answer = task.score(module, sides)
        assert answer.statistics.shape == (len(batch.segments), len(task.metric.statistics))
        assert answer.statistics.dtype == np.float64 and answer.loss.shape == (len(batch.segments),)
        for row, segment in enumerate(batch.segments):
            found[segment.document, segment.index] = float(answer.loss[row]), answer.statistics[row]
    return found
