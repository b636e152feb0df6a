"""Nets that must remember: their sizes, what they see, what they carry on, and a task that they learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import headscope
from headscope.attention import Recorder, attach, find_sites
from headscope.nets.memory import LookingBack, MemoryConfig, MemoryForTokenClassification
from headscope.questions.memory.learning import Kind, batches, build, losses, train
from headscope.questions.memory.making import Vocabulary, classes_of
from headscope.questions.memory.nets import OfNets, right_by_delay
from headscope.questions.memory.options import Options
from headscope.tasks.checkpoints import Memory as Kept
from tests.nets.made import WORDS, save_net

SIZES = {"vocab_size": len(WORDS) + 2, "embedding_size": 3, "hidden_size": 8, "num_labels": 4}


def made(name: str) -> MemoryForTokenClassification:
    memory, _, attention = name.partition("-")
    torch.manual_seed(0)
    return MemoryForTokenClassification(
        MemoryConfig(**SIZES, memory=memory, attention=attention or "none", feed_forward=5)
    ).eval()


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("gru", 14 * 3 + 3 * 8 * (3 + 8 + 2) + 9 * 4),
        ("lstm", 14 * 3 + 4 * 8 * (3 + 8 + 2) + 9 * 4),
        ("gru-words", 14 * 3 + 3 * 8 * (3 + 8 + 2) + 8 * (8 + 3 + 3) + 9 * 4),
        ("lstm-states", 14 * 3 + 4 * 8 * (3 + 8 + 2) + 3 * 8 * 8 + 9 * 4),
        # of a layer: four matrices, two norms, and 8 to 5 to 8; then a norm
        ("transformer", 14 * 3 + 3 * 8 + 2 * (4 * 64 + 2 * 16 + 9 * 5 + 6 * 8) + 16 + 9 * 4),
    ],
)
def test_exact_sizes(name: str, parameters: int) -> None:
    assert made(name).num_parameters() == parameters


@pytest.mark.parametrize("name", ["gru", "lstm", "gru-words", "lstm-states", "transformer"])
def test_what_comes_later_and_padding_change_nothing(name: str) -> None:
    one = made(name)
    alone = one(torch.tensor([[2, 3, 4]])).logits
    longer = one(torch.tensor([[2, 3, 4, 5]])).logits
    padded = one(
        torch.tensor([[2, 3, 4, 0], [2, 3, 4, 6]]), attention_mask=torch.tensor([[1, 1, 1, 0], [1] * 4])
    )
    assert torch.allclose(alone, longer[:, :3], atol=1e-6)
    assert torch.allclose(alone, padded.logits[:1, :3], atol=1e-6)


@pytest.mark.parametrize("name", ["gru", "lstm"])
def test_what_is_carried_on_is_all_that_counts(name: str) -> None:
    """Reading in two goes equals reading in one."""
    recurrence, x = made(name).memory.recurrence, torch.randn(2, 5, 3)
    states, last = recurrence(x)
    _, carried = recurrence(x[:, :2])
    rest, end = recurrence(x[:, 2:], carried)
    assert torch.allclose(states[:, 2:], rest, atol=1e-6) and torch.allclose(last, end, atol=1e-6)
    assert recurrence.seen(last).shape == last.shape
    assert torch.equal(recurrence.seen(last)[:, :8], states[:, -1])


def test_no_number_of_a_state_is_beyond_one() -> None:
    """The state h of either; the cell of an LSTM adds up without an end."""
    carried = torch.tensor([[1.5] * 8 + [-2.5] * 8])
    assert made("lstm").memory.recurrence.nearest(carried).tolist() == [[1.0] * 8 + [-2.5] * 8]
    assert made("gru").memory.recurrence.nearest(-carried[:, :8]).tolist() == [[-1.0] * 8]


def test_gates_begin_by_keeping() -> None:
    gru, lstm = (made(name).memory.recurrence.cell for name in ("gru", "lstm"))
    assert gru.bias_hh_l0.tolist() == [1.0] * 16 + [0.0] * 8 and not gru.bias_ih_l0.any()
    assert lstm.bias_hh_l0.tolist() == [0.0] * 8 + [1.0] * 8 + [0.0] * 16


def test_attention_by_hand() -> None:
    """States 1 and 2 over words 3 and 4, weights of 1: the second scores 6 and 8, the first sees itself."""
    looking = LookingBack(1, 1)
    for weight in looking.parameters():
        torch.nn.init.ones_(weight)
    earlier = torch.ones(2, 2, dtype=torch.bool).tril()[None, None]
    with torch.no_grad():
        seen = looking(torch.tensor([[[1.0], [2.0]]]), torch.tensor([[[3.0], [4.0]]]), earlier)
    share = np.exp(8) / (np.exp(6) + np.exp(8))
    assert seen[0, :, 0].tolist() == pytest.approx([3.0, 3 + share], abs=1e-6)


@pytest.mark.parametrize(("name", "maps"), [("gru-words", 1), ("transformer", 2)])
def test_attention_is_heard(name: str, maps: int) -> None:
    one, ids = made(name), torch.tensor([[2, 3, 4]])
    recorder, sites = Recorder(), find_sites(one, {"input_ids": ids})
    with torch.no_grad(), attach(one, sites, [recorder]):
        one(ids)
    assert [site.stack for site in sites.sites] == ["decoder"] * maps
    weights = [weights for (weights,) in recorder.maps.values()]
    assert all(torch.allclose(own.sum(-1), torch.ones(own.shape[:-1])) for own in weights)
    assert all(not own.triu(1).any() for own in weights)


def test_it_is_a_model_like_others(tmp_path: Path) -> None:
    folder = save_net(tmp_path / "gru", made("gru-states"))
    model = headscope.load(folder)
    ids = torch.tensor([[2, 3, 4]])
    assert torch.allclose(model.module(ids).logits, made("gru-states")(ids).logits, atol=1e-6)
    assert model.shape == "decoder"


@pytest.mark.parametrize("name", ["gru", "gru-attention"])
def test_a_word_is_learned_in_seconds(name: str) -> None:
    """Two words, asked for after four to six others; by attention, too."""
    options: dict[str, Any] = {"classes": 2, "words": 2, "delay": 6, "delays": (4, 6), "steps": 200}
    asked = Options(model=name, **options, batch_size=32, hidden=16, rate=0.02, tested=100)
    vocabulary, kind = Vocabulary(classes_of(asked)), Kind(name, "delay", 0)
    one = build(kind, asked, vocabulary)
    before = right_by_delay(one, OfNets(asked, vocabulary)).mean()
    train(
        one,
        lambda batch, step: losses(one, batch),
        lambda: batches(kind, asked, vocabulary),
        200,
        0.02,
        0,
        Kept(),
    )
    after = right_by_delay(one, OfNets(asked, vocabulary))
    assert before < 0.7 and after.min() > 0.95
