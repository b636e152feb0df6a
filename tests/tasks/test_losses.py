"""Losses on toy logits by hand, and which pieces are hidden from a masked model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf

from headscope.errors import ModelError
from headscope.models import Model, Sides, load
from headscope.models.sides import Side
from headscope.tasks.losses import Loss, own_loss, why_no_loss

LN = np.log
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 20}


def bert(tokenizer, cls=tf.BertForMaskedLM) -> Model:
    return load(cls(tf.BertConfig(**SIZES, vocab_size=len(tokenizer))).eval(), tokenizer)


def decoder(tokenizer, cls=tf.GPT2LMHeadModel) -> Model:
    return load(
        cls(tf.GPT2Config(n_embd=16, n_layer=1, n_head=4, vocab_size=len(tokenizer))).eval(), tokenizer
    )


def t5(tokenizer, cls=tf.T5ForConditionalGeneration) -> Model:
    config = tf.T5Config(
        d_model=16,
        d_kv=4,
        num_layers=1,
        num_heads=4,
        d_ff=20,
        vocab_size=len(tokenizer),
        decoder_start_token_id=0,
    )
    return load(cls(config).eval(), tokenizer)


def sides(ids: list[list[int]], mask: list[list[int]], labels: list[list[int]] | None = None) -> Sides:
    inputs = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
    array = np.array(ids)
    source = Side(array, np.array(mask).sum(1), np.zeros_like(array))
    return Sides(inputs, None if labels is None else torch.tensor(labels), source, None, 1)


class Toy:
    """Gives logits that were worked out beforehand."""

    def __init__(self, logits: torch.Tensor) -> None:
        self.logits = logits

    def __call__(self, **inputs: torch.Tensor) -> dict:
        class Output(dict):
            logits = self.logits

        return Output(logits=self.logits)


def found(loss: Loss | None, logits: torch.Tensor, batch: Sides) -> list[float]:
    assert loss is not None
    return loss.per_example(Toy(logits), batch).tolist()


def probabilities(rows: list[list[list[float]]]) -> torch.Tensor:
    """Logits that give these probabilities."""
    return torch.tensor(rows).log()


def test_the_masked_loss_by_hand(wordpiece) -> None:
    logits = probabilities([[[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]], [[0.2, 0.8], [0.5, 0.5], [0.5, 0.5]]])
    batch = sides([[0, 0, 0]] * 2, [[1, 1, 1]] * 2, [[-100, 0, 1], [1, -100, -100]])
    expected = [(-LN(0.25) - LN(0.1)) / 2, -LN(0.8)]
    assert found(own_loss(bert(wordpiece)), logits, batch) == pytest.approx(expected)


def test_the_causal_loss_by_hand(tokenizers) -> None:
    logits = probabilities([[[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]], [[0.2, 0.8], [0.5, 0.5], [0.5, 0.5]]])
    # Piece 1 is predicted from piece 0, piece 2 from piece 1; the second example has one piece of padding.
    batch = sides([[1, 0, 1], [0, 1, 0]], [[1, 1, 1], [1, 1, 0]])
    expected = [(-LN(0.5) - LN(0.75)) / 2, -LN(0.8)]
    assert found(own_loss(decoder(tokenizers["gpt2"])), logits, batch) == pytest.approx(expected)


def test_the_sequence_to_sequence_loss_by_hand(tokenizers) -> None:
    logits = probabilities([[[0.5, 0.5], [0.25, 0.75]], [[0.2, 0.8], [0.5, 0.5]]])
    batch = sides([[1, 0], [0, 1]], [[1, 1], [1, 1]], [[0, 1], [0, -100]])
    expected = [(-LN(0.5) - LN(0.75)) / 2, -LN(0.2)]
    assert found(own_loss(t5(tokenizers["unigram"])), logits, batch) == pytest.approx(expected)


def test_a_classifier_is_held_to_its_own_answer(wordpiece) -> None:
    loss = own_loss(bert(wordpiece, tf.BertForSequenceClassification))
    batch = sides([[0], [0]], [[1], [1]])
    logits = torch.tensor([[0.7, 0.3], [0.1, 0.9]]).log()
    assert loss is not None and loss.name == "own prediction"
    assert found(loss, logits, batch) == pytest.approx([-LN(0.7), -LN(0.9)])


def test_an_example_with_nothing_to_predict_costs_nothing(tokenizers) -> None:
    batch = sides([[1]], [[1]])
    assert found(own_loss(decoder(tokenizers["gpt2"])), torch.zeros(1, 1, 2), batch) == [0.0]


def test_models_without_a_head_have_no_loss(tokenizers) -> None:
    for model in (
        bert(tokenizers["wordpiece"], tf.BertModel),
        decoder(tokenizers["gpt2"], tf.GPT2Model),
        t5(tokenizers["unigram"], tf.T5Model),
    ):
        assert own_loss(model) is None
        assert "has no language-model or classification head" in why_no_loss(model)


def test_random_weights_have_no_loss(wordpiece) -> None:
    model = replace(bert(wordpiece), notes=["the checkpoint lacks 2 weights, which are random: a, b"])
    assert own_loss(model) is None
    assert "does not hold all weights" in why_no_loss(model)


def test_a_wrong_rate_is_refused(wordpiece) -> None:
    for rate in (0.0, 1.0, -0.1):
        with pytest.raises(ModelError, match=r"must lie between 0 and 1"):
            own_loss(bert(wordpiece), masking=rate)


# Masking


def ordinary(model: Model, count: int, seed: int = 0) -> list[int]:
    special = set(model.tokenizer.all_special_ids)
    allowed = [piece for piece in range(len(model.tokenizer)) if piece not in special]
    return np.random.default_rng(seed).choice(allowed, count).tolist()


def hide(model: Model, rows: list[list[int]], rate: float = 0.15, seed: int = 0) -> Sides:
    loss = own_loss(model, rate, seed)
    assert loss is not None
    width = max(len(row) for row in rows)
    pad = model.tokenizer.pad_token_id
    ids = [row + [pad] * (width - len(row)) for row in rows]
    return loss.prepare(sides(ids, [[1] * len(row) + [0] * (width - len(row)) for row in rows]))


def hidden(found: Sides) -> torch.Tensor:
    assert found.labels is not None
    return found.labels != -100


@pytest.mark.parametrize(
    ("count", "rate", "expected"), [(100, 0.15, 15), (40, 0.5, 20), (20, 0.9, 18), (10, 0.04, 1)]
)
def test_the_rate_of_masking(wordpiece, count: int, rate: float, expected: int) -> None:
    model = bert(wordpiece)
    assert hidden(hide(model, [ordinary(model, count)], rate)).sum() == expected


def test_hidden_pieces_show_the_mask_and_labels_keep_what_they_were(wordpiece) -> None:
    model = bert(wordpiece)
    row = ordinary(model, 50)
    found = hide(model, [row])
    where = hidden(found)[0]
    ids = found.inputs["input_ids"][0]
    assert (ids[where] == wordpiece.mask_token_id).all()
    assert ids[~where].tolist() == torch.tensor(row)[~where].tolist()
    assert found.labels[0][where].tolist() == torch.tensor(row)[where].tolist()
    kind = model.kinds.names.index("other special")
    assert (found.source.kinds[0] == kind).tolist() == where.tolist(), "a hidden piece is no word"


def test_special_pieces_and_padding_are_never_hidden(wordpiece) -> None:
    model = bert(wordpiece)
    ends = [wordpiece.cls_token_id], [wordpiece.sep_token_id]
    rows = [ends[0] + ordinary(model, size, size) + ends[1] for size in (1, 3, 12, 30)]
    for seed in range(5):
        found = hide(model, rows, rate=0.9, seed=seed)
        for row, where in zip(rows, hidden(found), strict=True):
            assert not where[0] and not where[len(row) - 1 :].any()


def test_at_least_one_piece_is_hidden_where_there_is_one(wordpiece) -> None:
    model = bert(wordpiece)
    assert hidden(hide(model, [ordinary(model, 1)])).sum() == 1
    only_special = [[wordpiece.cls_token_id, wordpiece.sep_token_id]]
    assert not hidden(hide(model, only_special)).any()


def test_masking_is_seeded_and_does_not_depend_on_the_batch(wordpiece) -> None:
    model = bert(wordpiece)
    rows = [ordinary(model, 40, seed) for seed in range(3)]
    together = hidden(hide(model, rows))
    assert torch.equal(together, hidden(hide(model, rows)))
    for number, row in enumerate(rows):
        assert torch.equal(hidden(hide(model, [row]))[0], together[number])
    longer = hidden(hide(model, [rows[0], ordinary(model, 60)]))[0, :40]
    assert torch.equal(longer, together[0])
    assert not torch.equal(hidden(hide(model, rows, seed=1)), together)
    assert not torch.equal(together[0], together[1])


def test_losses_reach_the_real_model(wordpiece) -> None:
    """The loss of our function is the one that the model itself reports for the same labels."""
    model = bert(wordpiece)
    loss = own_loss(model)
    assert loss is not None
    found = hide(model, [ordinary(model, 30)])
    with torch.no_grad():
        expected = model.module(**found.inputs, labels=found.labels).loss
        mine = loss.per_example(model.module, found)
    assert mine.tolist() == pytest.approx([expected.item()], rel=1e-5)
