"""Pooled attention against its formulas: what is read, what is seen, and what each encoder knows of order."""

from __future__ import annotations

import math
from itertools import product

import pytest
import torch
from torch import nn

from headscope.attention import Recorder, attach, find_sites
from headscope.nets.pooled import (
    ENCODERS,
    Attention,
    Pooled,
    PooledConfig,
    PooledForSequenceClassification,
)


def net_of(encoder: str, attention: str = "tanh", texts: int = 1) -> Pooled:
    torch.manual_seed(0)
    sizes = {"vocab_size": 9, "embedding_size": 4, "hidden_size": 8}
    return Pooled(PooledConfig(**sizes, encoder=encoder, attention=attention, texts=texts)).eval()


@pytest.mark.parametrize(("encoder", "attention"), product(ENCODERS, ("tanh", "dot")))
def test_padding_and_the_other_text_change_nothing(encoder: str, attention: str) -> None:
    net = net_of(encoder, attention, texts=2)
    alone = net(torch.tensor([[1, 2, 3]])).pooler_output
    padded = net(torch.tensor([[1, 2, 3, 0]]), attention_mask=torch.tensor([[1, 1, 1, 0]])).pooler_output
    types = {"token_type_ids": torch.tensor([[0, 0, 0, 1, 1]])}
    pair = net(torch.tensor([[1, 2, 3, 4, 5]]), **types).pooler_output
    assert torch.allclose(alone, padded, atol=1e-6) and torch.allclose(alone[:, 0], pair[:, 0], atol=1e-6)
    assert not alone[:, 1].any(), "a text without a word is a vector of zeros"
    second = net(torch.tensor([[4, 5]])).pooler_output
    assert torch.allclose(second[:, 0], pair[:, 1], atol=1e-6)


@pytest.mark.parametrize(("encoder", "knows"), [("average", False), ("cnn", True), ("bilstm", True)])
def test_which_encoders_know_the_order_of_words(encoder: str, knows: bool) -> None:
    net = net_of(encoder)
    one, other = (net(torch.tensor([ids])).pooler_output for ids in ([1, 2, 3], [3, 2, 1]))
    assert torch.allclose(one, other, atol=1e-6) != knows


@pytest.mark.parametrize(
    ("kind", "scores"), [("tanh", (math.tanh(1), math.tanh(2))), ("dot", (2**0.5, 8**0.5))]
)
def test_attention_by_hand(kind: str, scores: tuple[float, float]) -> None:
    """States (1, 1) and (2, 2): tanh reads W h = 1 and 2, dot w h / sqrt 2."""
    attention = Attention(2, kind)
    for name, weight in attention.named_parameters():
        nn.init.constant_(weight, 0.0 if "bias" in name else 0.5 if "hidden" in name else 1.0)
    seen = attention(torch.tensor([[[1.0, 1], [2, 2]]]), torch.ones(1, 1, 1, 2, dtype=torch.bool))
    share = math.exp(scores[1]) / (math.exp(scores[0]) + math.exp(scores[1]))
    assert torch.allclose(seen, torch.full((1, 1, 2), 1 + share), atol=1e-6)


def test_its_weights_are_those_of_the_formulas() -> None:
    config = PooledConfig(vocab_size=3, embedding_size=50, hidden_size=64, num_labels=2)
    net = PooledForSequenceClassification(config)
    counts = {name: sum(w.numel() for w in part.parameters()) for name, part in net.named_modules()}
    assert counts["pooled.encoder"] == 2 * 4 * 64 * (50 + 64 + 2)
    assert counts["pooled.attention"] == 128 * 64 + 64 + 64 and counts["output"] == 128 * 2 + 2


def test_one_head_looks_from_each_text() -> None:
    net = net_of("bilstm", texts=2)
    few = {"input_ids": torch.tensor([[1, 2, 3, 4]])}
    sites, recorder = find_sites(net, few), Recorder()
    with torch.no_grad(), attach(net, sites, [recorder]):
        net(**few, token_type_ids=torch.tensor([[0, 0, 1, 1]]))
    ((site, maps),) = recorder.maps.items()
    assert (site.stack, site.heads, site.queries) == ("pool", 1, "text")
    assert torch.allclose(maps[0].sum(-1), torch.ones(1, 1, 2))
    assert not maps[0][0, 0, 0, 2:].any() and not maps[0][0, 0, 1, :2].any()
