"""What a look says of the output is what a plain pass gives, with and without heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf

from headscope.attention import Ablate
from headscope.heads import Head
from headscope.models import Model
from headscope.questions.maps.looking import look
from headscope.results.look import Output
from tests.tasks.scored import bert

SENTENCE = "The old lighthouse keeper couldn't sleep."
OFF = [Head("encoder", 0, 1), Head("encoder", 1, 2)]


def passes(model: Model, inputs: dict, off: list[Head], number: Callable) -> list[np.ndarray]:
    """What `number` makes of the outputs of a plain pass, with all heads and without some."""
    found = []
    for edits in ([], [Ablate(off)]):
        with torch.no_grad(), model.attached(edits=edits, whole=True) as module:
            found.append(number(module(**inputs)).numpy())
    return found


def output_of(model: Model, off: list[Head], text: str = SENTENCE, **options) -> Output:
    """The output of a look without heads; without `off`, it must be the same but for what comes after."""
    found, alone = (look(model, text, off=one, **options).output for one in (off, []))
    assert found is not None and alone is not None
    assert [row.label for row in alone.rows] == [row.label for row in found.rows]
    assert [row.after for row in alone.rows] == [None] * len(alone.rows)
    np.testing.assert_allclose([r.before for r in alone.rows], [r.before for r in found.rows], atol=1e-9)
    return found


def check(output: Output, before: np.ndarray, after: np.ndarray) -> None:
    np.testing.assert_allclose([row.before for row in output.rows], before, atol=1e-6)
    np.testing.assert_allclose([row.after for row in output.rows], after, atol=1e-6)
    assert np.abs(before - after).max() > 1e-4, "the heads must matter, else nothing is tested"


def test_each_label_of_a_classifier(classifier: Model) -> None:
    output = output_of(classifier, OFF)
    inputs = dict(classifier.tokenizer(SENTENCE, return_tensors="pt"))
    before, after = passes(classifier, inputs, OFF, lambda found: found.logits[0].softmax(-1))
    order = np.argsort(-before)
    assert [row.label for row in output.rows] == [("bad", "even", "good")[place] for place in order]
    check(output, before[order], after[order])
    assert (output.unit, sum(row.after for row in output.rows)) == ("probability", pytest.approx(1))


def test_a_pair_is_classified_as_a_pair(classifier: Model) -> None:
    output = output_of(classifier, OFF, second="He wrote.")
    inputs = dict(classifier.tokenizer(SENTENCE, "He wrote.", return_tensors="pt"))
    before, _ = passes(classifier, inputs, OFF, lambda found: found.logits[0].softmax(-1))
    np.testing.assert_allclose([row.before for row in output.rows], -np.sort(-before), atol=1e-6)


@pytest.mark.parametrize(
    ("problem", "unit", "number"),
    [
        ("multi_label_classification", "probability", lambda found: found.logits[0].sigmoid()),
        ("regression", "value", lambda found: found.logits[0]),
    ],
)
def test_several_labels_and_values(problem: str, unit: str, number: Callable, wordpiece) -> None:
    model = bert(wordpiece, tf.BertForSequenceClassification)
    model.module.config.problem_type = problem
    output = output_of(model, OFF)
    inputs = dict(wordpiece(SENTENCE, return_tensors="pt"))
    before, after = passes(model, inputs, OFF, number)
    order = np.argsort(-before)
    assert output.unit == unit
    check(output, before[order], after[order])


def test_the_label_of_each_word(tagger: Model) -> None:
    off = [Head("encoder", layer, index) for layer in (0, 1) for index in range(4)]
    output = output_of(tagger, off)
    inputs = dict(tagger.tokenizer(SENTENCE, return_tensors="pt"))
    before, after = passes(tagger, inputs, off, lambda found: found.logits[0].softmax(-1))
    axis = look(tagger, SENTENCE).stack().query
    first = [axis.words.index(number) for number in range(1, len(axis.names) - 1)]
    label = before[first].argmax(1)
    names = ["The", "old", "lighthouse", "keeper", "couldn't", "sleep", "."]
    expected = [f"{name}: {('O', 'NAME')[one]}" for name, one in zip(names, label, strict=True)]
    assert [row.label for row in output.rows] == expected
    check(output, before[first, label], after[first, label])
    assert (after[first].argmax(1) != label).any(), (
        "another label must become likelier, else nothing is tested"
    )


def test_fillings_of_the_first_mask(masked: Model) -> None:
    text = "The [MASK] keeper couldn't [MASK]."
    output = output_of(masked, OFF, text)
    inputs = dict(masked.tokenizer(text, return_tensors="pt"))
    place = inputs["input_ids"][0].tolist().index(masked.tokenizer.mask_token_id)
    before, after = passes(masked, inputs, OFF, lambda found: found.logits[0, place].softmax(-1))
    best = np.argsort(-before, kind="stable")[:10]
    assert output.title == "Likeliest fillings of the first [MASK]"
    assert len(output.rows) == 10
    check(output, before[best], after[best])


def test_pieces_at_their_own_place(masked: Model) -> None:
    output = output_of(masked, OFF)
    inputs = dict(masked.tokenizer(SENTENCE, return_tensors="pt"))
    ids = inputs["input_ids"][0]
    place = torch.arange(1, len(ids) - 1)
    number = lambda found: found.logits[0].softmax(-1)[place, ids[place]]  # noqa: E731
    assert "at its own place (no [MASK] in the text)" in output.title
    assert [row.label for row in output.rows] == look(masked, SENTENCE).stack().query.pieces[1:-1]
    check(output, *passes(masked, inputs, OFF, number))


def test_the_next_piece(decoder: Model) -> None:
    off = [Head("decoder", 0, 1), Head("decoder", 1, 2)]
    output = output_of(decoder, off)
    inputs = dict(decoder.tokenizer(SENTENCE, return_tensors="pt"))
    before, after = passes(decoder, inputs, off, lambda found: found.logits[0, -1].softmax(-1))
    best = np.argsort(-before, kind="stable")[:10]
    assert output.title == "Likeliest next pieces"
    check(output, before[best], after[best])
    labels = [row.label for row in output.rows]
    assert len(set(labels)) == 10, "no two rows look the same"


def test_a_continuation_and_how_likely_it_was(decoder: Model) -> None:
    off = [Head("decoder", 0, 1), Head("decoder", 1, 2)]
    output = output_of(decoder, off, generate=4)
    ids = decoder.tokenizer(SENTENCE, return_tensors="pt").input_ids
    made = decoder.module.generate(ids, max_new_tokens=4, do_sample=False, pad_token_id=0)
    size = ids.shape[1]
    wanted = made[0, size:]
    steps = torch.arange(size - 1, made.shape[1] - 1)
    number = lambda found: found.logits[0].softmax(-1)[steps, wanted]  # noqa: E731
    assert output.title == "Probability of each generated piece"
    assert len(output.rows) == len(wanted) == 4
    check(output, *passes(decoder, {"input_ids": made}, off, number))


def target_ids(model: Model, target: str) -> torch.Tensor:
    return model.tokenizer(text_target=target, return_tensors="pt").input_ids


@pytest.mark.parametrize("target", ["He wrote its name.", None])
def test_each_piece_of_a_target(translator: Model, target: str | None) -> None:
    off = [Head("cross", 0, 1), Head("encoder", 0, 2)]
    output = output_of(translator, off, target=target)
    ids = translator.tokenizer(SENTENCE, return_tensors="pt").input_ids
    labels = ids if target is None else target_ids(translator, target)
    places = torch.arange(labels.shape[1])
    number = lambda found: found.logits[0].softmax(-1)[places, labels[0]]  # noqa: E731
    told = "which the decoder reads as its target" if target is None else "each piece of the target"
    assert told in output.title
    check(output, *passes(translator, {"input_ids": ids, "labels": labels}, off, number))


def test_each_piece_that_an_encoder_decoder_writes(translator: Model) -> None:
    off = [Head("cross", 0, 1)]
    output = output_of(translator, off, generate=5)
    ids = translator.tokenizer(SENTENCE, return_tensors="pt").input_ids
    made = translator.module.generate(ids, max_new_tokens=5, do_sample=False)
    steps = torch.arange(made.shape[1] - 1)
    number = lambda found: found.logits[0].softmax(-1)[steps, made[0, 1:]]  # noqa: E731
    check(output, *passes(translator, {"input_ids": ids, "decoder_input_ids": made}, off, number))


def test_without_a_task_head_the_last_vectors_are_compared(encoder: Model) -> None:
    assert look(encoder, SENTENCE).output is None
    output = look(encoder, SENTENCE, off=OFF).output
    inputs = dict(encoder.tokenizer(SENTENCE, return_tensors="pt"))
    one, other = passes(encoder, inputs, OFF, lambda found: found.last_hidden_state[0])
    one, other = (np.vstack([vectors.mean(0), vectors]) for vectors in (one, other))
    cosine = (one * other).sum(1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    assert output is not None and output.unit == "cosine"
    pieces = look(encoder, SENTENCE).stack().query.pieces
    assert [row.label for row in output.rows] == ["mean of all pieces", *pieces]
    check(output, np.ones(len(cosine)), cosine)


def test_a_task_head_with_random_weights_says_nothing(classifier: Model) -> None:
    unsure = replace(classifier, notes=["the checkpoint lacks 2 weights, which are random: classifier"])
    found = look(unsure, SENTENCE, off=OFF)
    assert found.output is not None and found.output.unit == "cosine"
    assert found.notes == unsure.notes


def test_output_can_be_left_out(classifier: Model) -> None:
    assert look(classifier, SENTENCE, off=OFF, output=False).output is None
