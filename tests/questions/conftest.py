"""Tiny models in memory, one of each kind, made once and not to be changed."""

from __future__ import annotations

import pytest
import transformers as tf

from headscope.models import Model
from tests.pictured import png_alone
from tests.shapes import bart, bert, llama, t5, texts
from tests.tasks import scored
from tests.threads import one_thread

__all__ = ["bart", "bert", "llama", "one_thread", "png_alone", "t5", "texts"]


@pytest.fixture(scope="session")
def encoder(tokenizers) -> Model:
    """A BERT without a task head, of 2 layers with 4 heads."""
    return scored.bert(tokenizers["wordpiece"], tf.BertModel)


@pytest.fixture(scope="session")
def masked(tokenizers) -> Model:
    return scored.bert(tokenizers["wordpiece"], tf.BertForMaskedLM)


@pytest.fixture(scope="session")
def classifier(tokenizers) -> Model:
    return scored.bert(tokenizers["wordpiece"], tf.BertForSequenceClassification, ("bad", "even", "good"))


@pytest.fixture(scope="session")
def tagger(tokenizers) -> Model:
    return scored.bert(tokenizers["wordpiece"], tf.BertForTokenClassification, ("O", "NAME"))


@pytest.fixture(scope="session")
def decoder(tokenizers) -> Model:
    return scored.gpt2(tokenizers["gpt2"], tf.GPT2LMHeadModel)


@pytest.fixture(scope="session")
def translator(tokenizers) -> Model:
    return scored.t5(tokenizers["unigram"])
