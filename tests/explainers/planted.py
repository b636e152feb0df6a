"""A classifier whose answer comes from one key word by construction, through attention or through values."""

from __future__ import annotations

import numpy as np
import torch
import transformers as tf

from headscope.models import Model
from headscope.models.load import on_core
from tests.families import _BERT, VOCABULARY, small_tokenizer

KEYS = ("w48", "w49")
"""The words that decide for class 0 and class 1."""

MARK, SIDE, MADE = 0, 1, 2
"""Numbers of a vector: that a word is a key word, which one, and where the answer is gathered."""


def planted(looks: bool) -> Model:
    """Two layers in which every query takes the key word's side; looks: by attention, or by values alone."""
    torch.manual_seed(0)
    module = tf.BertForSequenceClassification(tf.BertConfig(**_BERT)).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.zero_()
        for each in module.modules():
            if isinstance(each, torch.nn.LayerNorm):
                each.weight.fill_(1.0)
        vectors = module.bert.embeddings.word_embeddings.weight
        vectors[:, 3:] = torch.randn(VOCABULARY, 13) * 0.5
        vectors[0] = 0.0
        # Something beside the word, or the first layer norm would make its length meaningless.
        module.bert.embeddings.token_type_embeddings.weight[0, 4:] = torch.tensor([1.5, -1.5] * 6)
        for number, word in enumerate(KEYS):
            vectors[int(word[1:])] = 0.0
            vectors[int(word[1:]), [MARK, SIDE]] = torch.tensor([3.0, 3.0 - 6.0 * number])
        vectors[:, 3:] -= vectors.sum(1, keepdim=True) / 13  # so that layer norms take no mean away
        for layer in module.bert.encoder.layer:
            own = layer.attention.self
            own.query.bias[::4] = 2.0 if looks else 0.0
            own.key.weight[::4, MARK] = 4.0
            own.value.weight[::4, SIDE] = 1.0
            layer.attention.output.dense.weight[MADE, ::4] = 1.0
        module.bert.pooler.dense.weight[0, MADE] = 0.5
        module.classifier.weight[:, 0] = torch.tensor([2.0, -2.0])
        module.classifier.bias[0] = 0.1  # what it answers to a text without a key word
    return on_core(module, small_tokenizer(), "planted", "memory", None, [])


def texts(count: int, seed: int = 0) -> tuple[list[str], np.ndarray]:
    """Texts of 5 to 12 words with one key word each, and the place of it among the pieces, (text,)."""
    random = np.random.default_rng(seed)
    made, places = [], []
    for _ in range(count):
        words = [f"w{number}" for number in random.integers(3, 48, random.integers(5, 13))]
        place = int(random.integers(len(words)))
        words[place] = KEYS[int(random.integers(2))]
        made.append(" ".join(words))
        places.append(place + 1)
    return made, np.array(places)
