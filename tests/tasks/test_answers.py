"""Losses and statistics of answers that were written down beforehand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers as tf

from headscope.models import Model, Sides, sides_of
from headscope.tasks.choice import task_for
from headscope.tasks.metrics import BLEU
from headscope.tasks.task import Scores, Task
from headscope.text import Document, batches
from tests.tasks.scored import bert, t5

LN = np.log


class Told:
    """A module that gives logits, and writes pieces, which it was told."""

    def __init__(self, logits: torch.Tensor, written: torch.Tensor | None = None) -> None:
        self.logits, self.written = logits, written
        self.asked: dict = {}

    def __call__(self, **inputs: torch.Tensor) -> SimpleNamespace:
        return SimpleNamespace(logits=self.logits)

    def generate(self, **asked) -> torch.Tensor:
        self.asked = asked
        return self.written


def prepared(model: Model, task: Task, documents: list[Document]) -> Sides:
    """One batch; batches of unequal length come back sorted by it."""
    segments = [part for one in documents for part in task.cutter(one, model.tokenizer, 64)]
    (batch,) = batches(segments, model.tokenizer, len(segments))
    return task.prepare(sides_of(model, batch))


def answered(task: Task, sides: Sides, logits: torch.Tensor) -> Scores:
    return task.score(Told(logits), sides)


def test_classification(wordpiece) -> None:
    model = bert(wordpiece, tf.BertForSequenceClassification, ("bad", "fair", "good"))
    task = task_for(model)
    assert (task.name, task.metric.name, task.replayable) == ("classification", "accuracy", True)
    texts = [Document.from_text(str(number), "why") for number in range(2)]
    labelled = [replace(one, label=label) for one, label in zip(texts, ("GOOD", "bad"), strict=True)]
    sides = prepared(model, task, labelled)
    assert sides.labels.tolist() == [2, 0]
    found = answered(task, sides, torch.tensor([[0.1, 0.2, 0.7], [0.3, 0.5, 0.2]]).log())
    assert found.loss.tolist() == pytest.approx([-LN(0.7), -LN(0.3)])
    assert found.statistics.tolist() == [[1, 1], [0, 1]]


TAGS = ("O", "B-NP", "I-NP", "B-LST")


def tagger(tokenizer, metric: str | None = None, tags: tuple[str, ...] = TAGS) -> tuple[Model, Task]:
    model = bert(tokenizer, tf.BertForTokenClassification, tags)
    return model, task_for(model, None, metric)


def sentence(text: str, tags: str) -> Document:
    return replace(Document.from_words("a.iob:1", text.split(" ")), tags=tuple(tags.split()))


def said(sides: Sides, answers: list[str | None], tags: tuple[str, ...] = TAGS) -> torch.Tensor:
    """Logits that give each answer a probability of 0.5 at the first piece of a word, 1/2 to the others."""
    (segment,) = sides.segments
    share = torch.full((1, len(segment), len(tags)), 0.5 / (len(tags) - 1))
    for word, answer in enumerate(answers):
        if answer is not None:
            share[0, np.flatnonzero(segment.word == word)[0], tags.index(answer)] = 0.5
    return share.log()


def test_tagging_asks_at_the_first_piece_of_each_word(wordpiece) -> None:
    model, task = tagger(wordpiece)
    assert (task.name, task.metric.name) == ("tagging", "F1")
    sides = prepared(model, task, [sentence("lighthouses sleep nightly", "B-NP I-NP O")])
    (segment,) = sides.segments
    firsts = [int(np.flatnonzero(segment.word == word)[0]) for word in range(3)]
    assert len(segment) > 5, "some word has several pieces"
    labels = sides.labels[0].tolist()
    assert [labels[place] for place in firsts] == [1, 2, 0]
    assert sum(label != -100 for label in labels) == 3
    found = answered(task, sides, said(sides, ["B-NP", "I-NP", "B-NP"]))
    # Two answers have a share of 0.5; the true one of the third has a third of the rest.
    assert found.loss.tolist() == pytest.approx([(2 * -LN(1 / 2) - LN(1 / 6)) / 3])
    assert found.statistics.tolist() == [[1, 2, 1]]


def test_words_without_a_piece_are_outside_of_chunks(wordpiece) -> None:
    """The middle word is nothing but a soft hyphen, which the tokenizer takes away."""
    model, task = tagger(wordpiece)
    sides = prepared(model, task, [sentence("old \u00ad ship", "B-NP I-NP I-NP")])
    assert (sides.segments[0].word != 1).all()
    found = answered(task, sides, said(sides, ["B-NP", None, "I-NP"]))
    assert found.statistics.tolist() == [[0, 2, 1]], "the gap parts what was one chunk"
    _, by_word = tagger(wordpiece, "Word accuracy")
    found = answered(by_word, sides, said(sides, ["B-NP", None, "I-NP"]))
    assert found.statistics.tolist() == [[2, 3]]
    outside = prepared(model, by_word, [sentence("old \u00ad ship", "B-NP O I-NP")])
    found = answered(by_word, outside, said(outside, ["B-NP", None, "I-NP"]))
    assert found.statistics.tolist() == [[2, 3]], "no answer is not a right one"


def test_a_true_tag_that_the_model_lacks_is_never_found(wordpiece) -> None:
    model, task = tagger(wordpiece)
    document = sentence("old ship", "B-LST I-LST")
    task.check(document)
    sides = prepared(model, task, [document])
    found = answered(task, sides, said(sides, ["B-LST", "O"]))
    assert found.statistics.tolist() == [[0, 1, 1]]
    assert found.loss.tolist() == pytest.approx([-LN(1 / 2)]), "the loss is of the other word alone"


def test_tags_that_mark_no_chunks_count_words(wordpiece) -> None:
    tags = ("NOUN", "VERB")
    model, task = tagger(wordpiece, tags=tags)
    assert task.metric.name == "word accuracy"
    sides = prepared(model, task, [sentence("old ship", "VERB NOUN")])
    found = answered(task, sides, said(sides, ["NOUN", "NOUN"], tags))
    assert found.statistics.tolist() == [[1, 2]]


def test_pieces_of_a_translation(tokenizers) -> None:
    model = t5(tokenizers["unigram"])
    task = task_for(model)
    assert (task.name, task.metric.name, task.replayable) == ("translation", "piece accuracy", True)
    sides = prepared(model, task, [Document.from_text("a", "why", target="every night")])
    size = sides.labels.shape[1]
    logits = torch.nn.functional.one_hot(sides.labels, len(model.tokenizer)).float() * 9
    logits[0, 0] = 0
    logits[0, 0, (sides.labels[0, 0] + 1) % logits.shape[-1]] = 9
    found = answered(task, sides, logits)
    assert found.statistics.tolist() == [[size - 1, size]]


def test_bleu_of_what_the_model_writes(tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    model = t5(tokenizer)
    task = task_for(model, "translation", "bleu")
    assert task.metric is BLEU and not task.replayable
    source, target = "why he never said its name", "the old keeper wrote a book"
    sides = prepared(model, task, [Document.from_text("a", source, target)])
    written = tokenizer("the old keeper wrote his book")["input_ids"]
    logits = torch.zeros(1, sides.labels.shape[1], len(tokenizer))
    # Written behind the start token; what comes behind its own limit of 2 * source + 10 is not looked at.
    limit = 2 * int(sides.source.lengths[0]) + 10
    assert limit > len(written)
    row = [0, *written, *[tokenizer.pad_token_id] * (limit - len(written)), *written]
    module = Told(logits, torch.tensor([row]))
    found = task.score(module, sides)
    assert found.statistics.tolist() == [[5, 3, 2, 1, 6, 5, 4, 3, 6, 6]]
    assert found.loss.tolist() == pytest.approx([LN(len(tokenizer))])
    assert (module.asked["do_sample"], module.asked["num_beams"]) == (False, 1)
    assert module.asked["max_new_tokens"] == limit
