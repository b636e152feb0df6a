"""Which task a model is given, and which it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
import transformers as tf

from headscope.errors import ModelError, OptionError
from headscope.tasks.choice import KINDS, METRICS, task_for
from tests.tasks.scored import bert, gpt2, t5

MODELS = {
    "classification": lambda t: bert(t["wordpiece"], tf.BertForSequenceClassification),
    "tagging": lambda t: bert(t["wordpiece"], tf.BertForTokenClassification, ("O", "B-NP")),
    "masked": lambda t: bert(t["wordpiece"], tf.BertForMaskedLM),
    "causal": lambda t: gpt2(t["gpt2"], tf.GPT2LMHeadModel),
    "translation": lambda t: t5(t["unigram"]),
}


@pytest.fixture(scope="module")
def models(tokenizers) -> dict:
    return {kind: build(tokenizers) for kind, build in MODELS.items()}


@pytest.mark.parametrize("kind", MODELS)
def test_the_class_of_the_model_decides(models, kind: str) -> None:
    task = task_for(models[kind])
    assert task.name == kind and task.metric is METRICS[kind][0]


def test_pairs_are_asked_for(models) -> None:
    assert task_for(models["classification"], "pairs").name == "pairs"
    assert set(METRICS) == set(KINDS) == {*MODELS, "pairs"}


@pytest.mark.parametrize("asked", KINDS)
@pytest.mark.parametrize("kind", MODELS)
def test_other_heads_are_refused(models, kind: str, asked: str) -> None:
    if asked == kind or (asked, kind) == ("pairs", "classification"):
        return
    with pytest.raises(ModelError, match=r"has no .*; (train one: headscope finetune|load a model)"):
        task_for(models[kind], asked)


def test_what_to_do_without_a_head(tokenizers) -> None:
    bare = bert(tokenizers["wordpiece"], tf.BertModel)
    with pytest.raises(
        ModelError,
        match=r"answers nothing: BertModel has no classifier, .* on top; train one",
    ):
        task_for(bare)
    problem = "BertModel has no classification head; train one: headscope finetune MODEL DATA"
    with pytest.raises(ModelError, match=problem):
        task_for(bare, "classification")


def test_random_weights_are_refused(models) -> None:
    note = "the checkpoint lacks 2 weights, which are random: classifier.bias, classifier.weight"
    with pytest.raises(ModelError, match=f"would answer at random: {note}; train one"):
        task_for(replace(models["classification"], notes=[note]))


def test_names_that_do_not_exist(models) -> None:
    with pytest.raises(OptionError, match="unknown task 'taging'; did you mean 'tagging'"):
        task_for(models["tagging"], "taging")
    with pytest.raises(OptionError, match=r"unknown metric of causal 'BLEU'. Available: piece accuracy"):
        task_for(models["causal"], None, "BLEU")
    tagger = models["tagging"]
    assert task_for(tagger, None, "f1").metric.name == "F1"


def test_f1_needs_chunks(tokenizers) -> None:
    model = bert(tokenizers["wordpiece"], tf.BertForTokenClassification, ("NOUN", "VERB"))
    with pytest.raises(OptionError, match=r"metric of tagging 'F1'. Available: word accuracy"):
        task_for(model, "tagging", "F1")


def test_numbers_and_several_labels_are_no_class(tokenizers) -> None:
    one = bert(tokenizers["wordpiece"], tf.BertForSequenceClassification, ("score",))
    with pytest.raises(ModelError, match="one label of several is needed"):
        task_for(one)
    several = bert(tokenizers["wordpiece"], tf.BertForSequenceClassification)
    several.module.config.problem_type = "multi_label_classification"
    with pytest.raises(ModelError, match="one label of several is needed"):
        task_for(several)


def test_a_decoder_must_know_its_padding(tokenizers) -> None:
    end = tokenizers["gpt2"].eos_token_id
    with pytest.raises(ModelError, match=rf"its pad_token_id is None and the tokenizer pads with {end}"):
        task_for(gpt2(tokenizers["gpt2"], tf.GPT2ForSequenceClassification))
    assert task_for(gpt2(tokenizers["gpt2"], tf.GPT2ForSequenceClassification, pad_token_id=end))
