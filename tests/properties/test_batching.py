"""How segments are batched and padded, and in which order documents come, changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.models import Model, load
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.gradients import Gradients
from headscope.questions.survey.surface import Surface
from headscope.tasks.losses import own_loss
from headscope.text import Document, Spans
from tests.tokenizers import TEXTS

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}
LIMITED = {**SIZES, "max_position_embeddings": 64, "initializer_range": 0.4}


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    """Documents of very different lengths, from one word to several segments."""
    words = " ".join(TEXTS[name] for name in ("english", "german", "turkish")).split()
    sizes = [1, 2, 3, 5, 8, 13, 21, 40, 4, 30]
    return [Document.from_text(f"d{n}", " ".join(words[n : n + size])) for n, size in enumerate(sizes)]


def bert(tokenizers) -> Model:
    torch.manual_seed(0)
    tokenizer = tokenizers["wordpiece"]
    return load(tf.BertForMaskedLM(tf.BertConfig(**LIMITED, vocab_size=len(tokenizer))).eval(), tokenizer)


def llama(tokenizers) -> Model:
    torch.manual_seed(0)
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(**LIMITED, num_key_value_heads=2, vocab_size=len(tokenizer))
    return load(tf.LlamaForCausalLM(config).eval(), tokenizer)


def arrays(model: Model, documents: list[Document], batch_size: int) -> xr.Dataset:
    """Everything that is measured, without what is drawn from it."""
    setting = Setting(model)
    loss = own_loss(model)
    assert loss is not None
    analyses = [Surface(), Distances(), Gradients(loss)]
    plan = Plan(setting, analyses, 40, batch_size, Spans(model.shape == "encoder"))
    done = run(plan, documents, "survey")
    parts = [one.arrays(done.tallies[one.name], setting) for one in analyses]
    return xr.merge(parts, compat="equals", join="exact").drop_vars(["position", "cluster"])


def check_same(found: xr.Dataset, expected: xr.Dataset) -> None:
    """To a millionth, and of sums over segments, which are larger than 1, to a millionth of themselves."""
    for name, array in expected.data_vars.items():
        assert np.allclose(found[name], array, rtol=1e-6, atol=1e-6, equal_nan=True), name
    assert np.array_equal(found["block_count"], expected["block_count"])


@pytest.fixture(scope="module", params=[bert, llama])
def model(request: pytest.FixtureRequest, tokenizers) -> Model:
    return request.param(tokenizers)


@pytest.fixture(scope="module")
def alone(model: Model, documents: list[Document]) -> xr.Dataset:
    """Every segment by itself, so without any padding."""
    found = arrays(model, documents, 1)
    assert found["entropy"].std() > 0.01
    return found


@pytest.mark.parametrize("batch_size", [3, 16])
def test_batches_and_padding_do_not_matter(model, documents, alone: xr.Dataset, batch_size: int) -> None:
    check_same(arrays(model, documents, batch_size), alone)


def test_the_order_of_documents_does_not_matter(model, documents, alone: xr.Dataset) -> None:
    order = np.random.default_rng(1).permutation(len(documents))
    check_same(arrays(model, [documents[n] for n in order], 3), alone)
