"""How sentences are batched and in which order they come changes no count of relations."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from headscope.engine.running import run
from headscope.models import Model, load
from headscope.questions.syntax.answer import Options, make_plan
from headscope.questions.treebank import count_relations
from headscope.text import Document
from tests.trees import corpus, treebank

SIZES = {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20,
    "max_position_embeddings": 128, "initializer_range": 0.4,
}  # fmt: skip
DOCUMENTS = treebank(30, seed=4)
COUNTS = ("right", "offset_right", "inside_right", "count", "pairs")


def bert(tokenizers) -> Model:
    torch.manual_seed(0)
    tokenizer = tokenizers["wordpiece"]
    return load(tf.BertModel(tf.BertConfig(**SIZES, vocab_size=len(tokenizer))).eval(), tokenizer)


def llama(tokenizers) -> Model:
    torch.manual_seed(0)
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(**SIZES, num_key_value_heads=2, vocab_size=len(tokenizer))
    return load(tf.LlamaForCausalLM(config).eval(), tokenizer)


def counts(model: Model, documents: list[Document], batch_size: int, cut: int | None = None) -> xr.Dataset:
    """Everything that is counted; `cut` is how many characters fill a shard."""
    treebank = corpus(*documents)
    plan, _ = make_plan(model, Options(treebank=treebank), count_relations(treebank))
    shards = {} if cut is None else {"characters": cut}
    done = run(replace(plan, batch_size=batch_size, **shards), treebank, "syntax")
    (analysis,) = plan.analyses
    return analysis.arrays(done.tallies[analysis.name], plan.setting)


def check_same(found: xr.Dataset, expected: xr.Dataset) -> None:
    for name in COUNTS:
        assert np.array_equal(found[name], expected[name]), name
    for name in ("special", "special_all"):
        assert np.allclose(found[name], expected[name], rtol=1e-5, atol=1e-5), name
    assert found.attrs == expected.attrs


@pytest.fixture(scope="module", params=[bert, llama])
def model(request: pytest.FixtureRequest, tokenizers) -> Model:
    return request.param(tokenizers)


@pytest.fixture(scope="module")
def alone(model: Model) -> xr.Dataset:
    """Every sentence by itself, so without any padding."""
    found = counts(model, DOCUMENTS, 1)
    assert found["right"].sum() > 0 and found.attrs["documents"] == len(DOCUMENTS)
    return found


@pytest.mark.parametrize("batch_size", [3, 64])
def test_batches_and_padding_do_not_matter(model: Model, alone: xr.Dataset, batch_size: int) -> None:
    check_same(counts(model, DOCUMENTS, batch_size), alone)


def test_the_order_of_documents_does_not_matter(model: Model, alone: xr.Dataset) -> None:
    shuffled = random.Random(1).sample(DOCUMENTS, len(DOCUMENTS))
    check_same(counts(model, shuffled, 4), alone)


@pytest.mark.parametrize("cut", [1, 300, 10**6])
def test_the_cut_into_shards_does_not_matter(model: Model, alone: xr.Dataset, cut: int) -> None:
    check_same(counts(model, DOCUMENTS, 8, cut), alone)
