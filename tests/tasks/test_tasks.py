"""Laws of every task: an example's scores are its own, and the loss can be differentiated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headscope.attention import Ablate
from headscope.heads import Head
from headscope.models import Model, sides_of
from headscope.tasks.choice import task_for
from headscope.tasks.task import Task
from headscope.text import Document, batches
from tests.tasks.scored import bert, gpt2, scores, t5

WORDS = ["the", "old", "lighthouse", "keeper", "wrote", "its", "name", "every", "night", "why"]
TAGS = ["O", "B-NP", "I-NP", "B-VP"]


def documents() -> list[Document]:
    """Short and long ones, with everything that any task may need."""
    random = np.random.default_rng(0)
    made = []
    for number, size in enumerate((1, 3, 4, 9, 14)):
        words, other = (random.choice(WORDS, size).tolist() for _ in range(2))
        made.append(
            replace(
                Document.from_words(f"d{number}", words, target=" ".join(other)),
                label=("bad", "good")[number % 2],
                second=" ".join(other[: 1 + size // 2]),
                tags=tuple(random.choice(TAGS, size)),
            )
        )
    return made


DOCUMENTS = documents()
MADE: dict[str, Callable[[dict], tuple[Model, Task]]] = {}


def made(name: str, build: Callable[[dict], Model], kind: str, metric: str | None = None) -> None:
    def make(tokenizers: dict) -> tuple[Model, Task]:
        model = build(tokenizers)
        return model, task_for(model, kind, metric)

    MADE[name] = make


for kind in ("classification", "pairs"):
    made(f"bert {kind}", lambda t: bert(t["wordpiece"], tf.BertForSequenceClassification), kind)
made(
    "gpt2 classification",
    lambda t: gpt2(
        t["gpt2"],
        tf.GPT2ForSequenceClassification,
        pad_token_id=t["gpt2"].eos_token_id if t["gpt2"].pad_token_id is None else t["gpt2"].pad_token_id,
        id2label={0: "bad", 1: "good"},
    ),
    "classification",
)
for metric in ("F1", "word accuracy"):
    made(
        f"tagging {metric}",
        lambda t: bert(t["wordpiece"], tf.BertForTokenClassification, TAGS),
        "tagging",
        metric,
    )
made("masked", lambda t: bert(t["wordpiece"], tf.BertForMaskedLM), "masked")
made("causal", lambda t: gpt2(t["gpt2"], tf.GPT2LMHeadModel), "causal")
for metric in ("piece accuracy", "BLEU"):
    made(f"translation {metric}", lambda t: t5(t["unigram"]), "translation", metric)


@pytest.fixture(scope="module", params=MADE)
def scored(request, tokenizers) -> tuple[Model, Task, dict]:
    """A model, its task, and the scores of each document in a batch of its own."""
    model, task = MADE[request.param](tokenizers)
    return model, task, scores(model, task, DOCUMENTS, batch_size=1)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(len(DOCUMENTS))), count=st.integers(2, 5), size=st.integers(1, 5))
def test_scores_do_not_depend_on_the_batch(scored, order: list[int], count: int, size: int) -> None:
    model, task, alone = scored
    found = scores(model, task, [DOCUMENTS[number] for number in order[:count]], size)
    assert len(found) == count
    for key, (loss, statistics) in found.items():
        assert loss == pytest.approx(alone[key][0], rel=1e-4, abs=1e-6)
        assert statistics.tolist() == alone[key][1].tolist()


def test_losses_differ_and_scores_are_possible(scored) -> None:
    _, task, alone = scored
    losses = [loss for loss, _ in alone.values()]
    assert len({round(loss, 6) for loss in losses if loss}) > 2
    sums = np.sum([statistics for _, statistics in alone.values()], axis=0)
    assert 0 <= task.metric.value(sums) <= 1
    assert sums.max() > 0


def test_gradients_reach_the_weights_and_ablation_changes_the_loss(scored) -> None:
    model, task, _ = scored
    segments = [part for one in DOCUMENTS[1:4] for part in task.cutter(one, model.tokenizer, 64)]
    (batch,) = batches(segments, model.tokenizer, 8)
    sides = task.prepare(sides_of(model, batch))
    with model.attached(whole=True) as module:
        base = task.score(module, sides)
    weight = next(model.module.parameters())
    (gradient,) = torch.autograd.grad(base.loss.sum(), [weight])
    assert gradient.abs().sum() > 0
    stack = model.stacks()[0]
    heads = [Head(stack, 0, index) for index in range(4)]
    with torch.no_grad(), model.attached(edits=[Ablate(heads)], whole=True) as module:
        changed = task.score(module, sides)
    assert not torch.allclose(base.loss.detach(), changed.loss)


def test_checking_takes_documents_that_have_everything(scored) -> None:
    _, task, _ = scored
    for document in DOCUMENTS:
        task.check(document)
