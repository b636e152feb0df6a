"""Networks for given maps: what they mix, that they need the maps, and how many weights they have."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import headscope
from headscope.attention import Freeze, attach, find_sites
from headscope.heads import Head
from headscope.models import load
from headscope.nets.plain import PlainConfig, PlainForTokenClassification
from headscope.nets.pooled import PooledConfig, PooledForSequenceClassification
from tests.cli.labelled import write_tags
from tests.nets.made import save_plain

IDS = {"input_ids": torch.tensor([[1, 2, 3]])}
SIZES = {"vocab_size": 9, "vectors": 9, "embedding_size": 4, "characters": 0, "hidden_size": 5}


def plain(own: bool, heads: int = 2) -> PlainForTokenClassification:
    torch.manual_seed(0)
    config = PlainConfig(**SIZES, own=own, heads=heads, num_labels=3, dropout=0.0)
    net = PlainForTokenClassification(config).eval()
    net.plain.embedding.row.copy_(torch.arange(9))
    return net


def states(net: nn.Module, given: dict[Head, torch.Tensor]) -> torch.Tensor:
    with attach(net, find_sites(net, IDS), edits=[Freeze(given)]):
        return net.plain(**IDS).last_hidden_state


@pytest.mark.parametrize("own", [True, False])
def test_each_map_mixes_the_whole_vector(own: bool) -> None:
    """The first head looks at the word before, the second at all; then comes the word itself."""
    net = plain(own)
    before = torch.eye(3).roll(-1, 1)
    h = torch.relu(net.plain.hidden(net.plain.embedding(IDS["input_ids"])))
    mixed = states(net, {Head("encoder", 0, 0): before, Head("encoder", 0, 1): torch.full((3, 3), 1 / 3)})
    parts = [h[:, [2, 0, 1]], h.mean(1, keepdim=True).expand_as(h), *([h] if own else [])]
    assert torch.allclose(mixed, torch.cat(parts, -1), atol=1e-6)
    count = sum(weight.numel() for weight in net.parameters())
    assert count == 9 * 4 + (4 * 5 + 5) + (5 * (3 if own else 2) * 3 + 3)


def test_without_maps_it_looks_evenly_and_not_at_padding() -> None:
    net = plain(own=False)
    alone = net(**IDS).logits
    padded = net(torch.tensor([[1, 2, 3, 0]]), attention_mask=torch.tensor([[1, 1, 1, 0]])).logits
    assert torch.allclose(alone, padded[:, :3], atol=1e-6)
    assert torch.allclose(alone[:, 0], alone[:, 2], atol=1e-6), "no word has anything of its own"


def test_maps_of_a_batch_are_its_own() -> None:
    net = plain(own=False, heads=1)
    ids = {"input_ids": torch.tensor([[1, 2, 3], [1, 2, 3]])}
    maps = torch.stack([torch.eye(3), torch.eye(3).roll(1, 1)])
    with attach(net, find_sites(net, IDS), edits=[Freeze({Head("encoder", 0, 0): maps})]):
        logits = net(**ids).logits
    assert torch.allclose(logits[0, [1, 2, 0]], logits[1]) and not torch.allclose(logits[0], logits[1])


def test_it_learns_what_the_maps_bring() -> None:
    """The tag of a word is that of its neighbour: learned with maps to it, and not without."""
    texts = torch.randint(1, 9, (120, 6), generator=torch.Generator().manual_seed(0))
    tags = (texts.roll(1, 1) > 4).long()
    given = {Head("encoder", 0, 0): torch.eye(6).roll(-1, 1)}
    right = {}
    for name, edits in {"given": [Freeze(given)], "even": []}.items():
        net = plain(own=True, heads=1).train()
        optimiser = torch.optim.Adam(net.parameters(), 2e-2)
        with attach(net, find_sites(net, IDS), edits=edits):
            for _ in range(100):
                logits = net(texts).logits
                optimiser.zero_grad()
                nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten()).backward()
                optimiser.step()
        right[name] = float((logits.argmax(-1) == tags).float().mean())
    assert right["given"] > 0.98 and right["even"] < 0.8


def test_a_classifier_of_single_words_takes_given_maps() -> None:
    """The MLP of Wiegreffe and Pinter 2019: its own attention neither counts nor learns."""
    torch.manual_seed(0)
    config = PooledConfig(vocab_size=9, embedding_size=4, hidden_size=5, encoder="average", num_labels=2)
    net = PooledForSequenceClassification(config).eval()
    weights = torch.tensor([[[0.7, 0.3, 0.0]]])
    with attach(net, find_sites(net, IDS), edits=[Freeze({Head("pool", 0, 0): weights})]):
        logits = net(**IDS).logits
    h = torch.tanh(net.pooled.encoder.linear(net.pooled.embedding(IDS["input_ids"])))
    assert torch.allclose(logits, net.output(weights[0] @ h[0]), atol=1e-6)
    logits.sum().backward()
    assert not any(
        weight.grad is not None and weight.grad.any() for weight in net.pooled.attention.parameters()
    )
    assert net.pooled.encoder.linear.weight.grad.any() and net.output.weight.grad.any()


def test_a_folder_is_a_model(tmp_path: Path) -> None:
    """It is heard, though it attends evenly, and scored as others are."""
    tags = write_tags(tmp_path / "tags.iob", 8)
    folder = save_plain(tmp_path / "net")
    model = load(folder)
    assert (model.shape, model.stacks(), len(model.heads())) == ("encoder", ["encoder"], 4)
    maps = headscope.maps(model, "the old Keeper wrote")
    assert maps.shape[-2:] == (4, 4) and (abs(maps.values - 0.25) < 1e-6).all()
    assert len(headscope.ablate(folder, tags).table("ablation")) == 4
