"""Tiny models in memory, one of each kind, made once and not to be changed."""

from __future__ import annotations

import pytest
import transformers as tf

from headscope.models import Model
from tests.tasks.scored import bert, gpt2, t5
from tests.threads import one_thread  # noqa: F401


@pytest.fixture(scope="session")
def encoder(tokenizers) -> Model:
    """A BERT without a task head, of 2 layers with 4 heads."""
    return bert(tokenizers["wordpiece"], tf.BertModel)


@pytest.fixture(scope="session")
def masked(tokenizers) -> Model:
    return bert(tokenizers["wordpiece"], tf.BertForMaskedLM)


@pytest.fixture(scope="session")
def classifier(tokenizers) -> Model:
    return bert(tokenizers["wordpiece"], tf.BertForSequenceClassification, ("bad", "even", "good"))


@pytest.fixture(scope="session")
def tagger(tokenizers) -> Model:
    return bert(tokenizers["wordpiece"], tf.BertForTokenClassification, ("O", "NAME"))


@pytest.fixture(scope="session")
def decoder(tokenizers) -> Model:
    return gpt2(tokenizers["gpt2"], tf.GPT2LMHeadModel)


@pytest.fixture(scope="session")
def translator(tokenizers) -> Model:
    return t5(tokenizers["unigram"])
