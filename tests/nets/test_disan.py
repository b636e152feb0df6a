"""DiSAN against its equations, its published number of weights, and a task that it learns in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from headscope.errors import ModelError
from headscope.models import load
from headscope.models.twin import random_twin
from headscope.nets.disan import (
    ALIASES,
    Disa,
    Disan,
    DisanConfig,
    DisanForCausalLM,
    DisanForSequenceClassification,
    DisanForTokenClassification,
    Source2Token,
)
from tests.nets.made import save_disan


def weights_of(module: nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())


@pytest.mark.parametrize(
    ("size", "block", "pool", "classifier", "total"),
    [(300, 451_500, 721_200, 721_203, 2_345_403), (50, 12_750, 20_200, 20_203, 65_903)],
)
def test_it_has_as_many_weights_as_published(
    size: int, block: int, pool: int, classifier: int, total: int
) -> None:
    config = DisanConfig(vocab_size=3, embedding_size=size, hidden_size=size, texts=2, num_labels=3)
    net = DisanForSequenceClassification(config)
    assert weights_of(net.disan.blocks["sees_earlier"]) == block
    assert weights_of(net.disan.pool) == pool
    assert weights_of(net.hidden) + weights_of(net.output) == classifier
    assert weights_of(net) - weights_of(net.disan.embedding) == 2 * block + pool + classifier == total


def test_a_block_by_hand() -> None:
    """One feature, three words. h = (1, 2, 4); scores 5 tanh((h_i + h_j) / 5); the gate is even."""
    block = Disa(DisanConfig(embedding_size=1, hidden_size=1, dropout=0.0), "sees_earlier", 0).eval()
    for name, weight in block.named_parameters():
        value = 1.0 if name in ("hidden.weight", "seen.weight", "seeing.weight") else 0.0
        nn.init.constant_(weight, value)
    visible = torch.ones(3, 3, dtype=torch.bool).tril(-1)[None, None]
    u = block(torch.tensor([[[1.0], [2.0], [4.0]]]), visible)[0, :, 0]
    # The third word sees the first with 5 tanh(1) = 3.80797 and the second with 5 tanh(1.2) = 4.16827:
    # weights .41089 and .58911, so s = 1.58911; the first word sees nothing, so s = 0.
    assert torch.allclose(u, torch.tensor([0.5, 1.5, (4 + 1.58911) / 2]), atol=1e-5)


def test_a_pool_by_hand() -> None:
    """Scores elu(u): weights of 1 and 2 are .26894 and .73106; a text without a word is zero."""
    pool = Source2Token(DisanConfig(hidden_size=1, dropout=0.0), size=1).eval()
    for name, weight in pool.named_parameters():
        nn.init.constant_(weight, 1.0 if "weight" in name else 0.0)
    visible = torch.tensor([[True, True], [False, False]])[None, None]
    pooled = pool(torch.tensor([[[1.0], [2.0]]]), visible)
    assert torch.allclose(pooled, torch.tensor([[[1.73106], [0.0]]]), atol=1e-5)


def test_texts_of_a_pair_do_not_see_each_other_and_padding_does_not_count() -> None:
    torch.manual_seed(0)
    net = Disan(DisanConfig(vocab_size=9, embedding_size=4, hidden_size=4, texts=2)).eval()
    pair = {"token_type_ids": torch.tensor([[0, 0, 0, 1, 1]])}
    one = net(torch.tensor([[1, 2, 3, 4, 5]]), **pair)
    other = net(torch.tensor([[1, 2, 3, 7, 8]]), **pair)
    assert torch.equal(one.pooler_output[:, 0], other.pooler_output[:, 0])
    assert not torch.equal(one.pooler_output[:, 1], other.pooler_output[:, 1])
    alone = net(torch.tensor([[4, 5]]))
    assert torch.allclose(alone.pooler_output[:, 0], one.pooler_output[:, 1], atol=1e-6)
    assert not alone.pooler_output[:, 1].any(), "there is no second text"
    longer = net(torch.tensor([[4, 5, 0, 0]]), attention_mask=torch.tensor([[1, 1, 0, 0]]))
    assert torch.allclose(longer.pooler_output, alone.pooler_output, atol=1e-6)
    assert not longer.last_hidden_state[:, 2:].any()


def test_the_next_word_is_told_from_earlier_ones_alone() -> None:
    torch.manual_seed(0)
    net = DisanForCausalLM(DisanConfig(vocab_size=9, embedding_size=4, hidden_size=4, layers=2)).eval()
    assert [*net.disan.blocks] == [ALIASES["Shen et al. 2018"]["forward"]] and net.disan.pool is None
    one, other = net(torch.tensor([[1, 2, 3, 4]])).logits, net(torch.tensor([[1, 2, 7, 8]])).logits
    assert torch.equal(one[:, :2], other[:, :2]) and not torch.equal(one[:, 2:], other[:, 2:])


def test_a_tagger_sees_both_sides() -> None:
    torch.manual_seed(0)
    net = DisanForTokenClassification(DisanConfig(vocab_size=9, embedding_size=4, hidden_size=4)).eval()
    one, other = net(torch.tensor([[1, 2, 3]])).logits, net(torch.tensor([[1, 2, 7]])).logits
    assert one.shape == (1, 3, 2) and not torch.isclose(one, other).all(-1).any()


def test_it_learns_which_of_two_words_comes_first() -> None:
    """An order that no bag of words has: right after a few seconds, also on texts that were not shown."""
    torch.manual_seed(0)
    config = DisanConfig(vocab_size=12, embedding_size=8, hidden_size=8, dropout=0.0)
    net = DisanForSequenceClassification(config)
    texts = torch.stack([torch.randperm(12)[:6] for _ in range(1200)])
    place = [(texts == word).float().argmax(1) for word in (1, 2)]
    both = ((texts == 1) | (texts == 2)).sum(1) == 2
    texts, labels = texts[both], (place[0] < place[1])[both].long()
    optimiser = torch.optim.Adam(net.parameters(), 1e-2)
    shown = len(texts) * 3 // 4
    for _ in range(60):
        loss = nn.functional.cross_entropy(net(texts[:shown]).logits, labels[:shown])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    right = net.eval()(texts[shown:]).logits.argmax(-1) == labels[shown:]
    assert right.float().mean() > 0.95


def test_a_folder_is_a_model_and_has_a_random_twin(tmp_path: Path) -> None:
    folder = save_disan(tmp_path / "net", 4)
    model = load(folder)
    assert (model.shape, model.stacks()) == ("encoder", ["sees_earlier", "sees_later", "pool"])
    assert (len(model.heads()), model.notes, model.sees_padding) == (16, [], False)
    assert model.label(model.head("sees_later:L0H3")) == "sees_later:L0H3"
    first, second = random_twin(model, 1).module, random_twin(model, 1).module
    for (name, weight), again in zip(first.named_parameters(), second.parameters(), strict=True):
        assert torch.equal(weight, again), name
    assert torch.equal(first.disan.embedding.weight, model.module.disan.embedding.weight)
    block, own = (net.disan.blocks["sees_later"][0] for net in (first, model.module))
    assert not torch.equal(block.seen.weight, own.seen.weight)


def test_weights_of_another_size_are_refused(tmp_path: Path) -> None:
    folder = save_disan(tmp_path / "net", 4)
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"hidden_size": 4', '"hidden_size": 5'))
    with pytest.raises(ModelError, match=r"cannot load the model '.*net'"):
        load(folder)
