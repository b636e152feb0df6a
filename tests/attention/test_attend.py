"""What our nets attend with is heard and edited like all other attention, at the sites that they declare."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import Ablate, Heard, Recorder, Replace, RowBlocks, Uniform, attach, find_sites
from headscope.attention.function import sessions
from headscope.attention.listen import Need
from headscope.errors import ModelError
from headscope.nets.disan import Disan, DisanConfig

IDS = torch.tensor([[3, 5, 4, 6, 2], [7, 3, 0, 0, 0]])
REAL = torch.tensor([[1] * 5, [1, 1, 0, 0, 0]])
FEW = {"input_ids": IDS[:1]}


@pytest.fixture
def net() -> Disan:
    torch.manual_seed(1)
    return Disan(DisanConfig(vocab_size=9, embedding_size=6, hidden_size=4, layers=2)).eval()


def read(net: Disan) -> torch.Tensor:
    with torch.no_grad():
        return net(IDS, attention_mask=REAL).pooler_output


def test_sites_are_those_that_are_declared(net: Disan) -> None:
    sites = find_sites(net, FEW).sites
    assert [(site.stack, site.layer, site.heads, site.queries, site.causal) for site in sites] == [
        ("sees_earlier", 0, 4, "piece", False),
        ("sees_earlier", 1, 4, "piece", False),
        ("sees_later", 0, 4, "piece", False),
        ("sees_later", 1, 4, "piece", False),
        ("pool", 0, 8, "text", False),
    ]
    assert find_sites(net, FEW).facts.notes == [], "a query that sees nothing needs no note"


def test_listening_changes_nothing_and_nothing_stays(net: Disan) -> None:
    sites, recorder, plain = find_sites(net, FEW), Recorder(), read(net)
    with attach(net, sites, [recorder]):
        assert torch.equal(read(net), plain)
    assert torch.equal(read(net), plain) and not any(part in sessions for part in net.modules())
    shapes = {site.stack: maps[0].shape for site, maps in recorder.maps.items()}
    assert shapes == {"sees_earlier": (2, 4, 5, 5), "sees_later": (2, 4, 5, 5), "pool": (2, 8, 1, 5)}


def test_what_is_hidden_has_no_weight_and_a_blind_query_a_row_of_zeros(net: Disan) -> None:
    recorder = Recorder(layers=[0])
    with attach(net, find_sites(net, FEW), [recorder]):
        read(net)
    maps = {site.stack: maps[0] for site, maps in recorder.maps.items()}
    assert not maps["sees_earlier"].triu().any() and not maps["sees_later"].tril().any()
    assert torch.allclose(maps["sees_earlier"][0].sum(-1), torch.tensor([0.0, 1, 1, 1, 1]))
    assert torch.allclose(maps["sees_later"][1].sum(-1), torch.tensor([1.0, 0, 0, 0, 0])), "nor is padding"
    assert not maps["pool"][1, :, :, 2:].any()
    assert torch.allclose(maps["pool"].sum(-1), torch.ones(2, 8, 1))


def test_a_removed_feature_mixes_nothing(net: Disan) -> None:
    """The same as weights of zero, which are edited on another way."""
    sites, head = find_sites(net, FEW), "sees_later:L1H2"
    with attach(net, sites, edits=[Ablate([head])]):
        ablated = read(net)
    with attach(net, sites, edits=[Replace([head], lambda weights, heard: torch.zeros_like(weights))]):
        assert torch.equal(read(net), ablated)
    assert not torch.equal(read(net), ablated)


def test_even_attention_is_that_of_a_net_whose_scores_are_zero(net: Disan) -> None:
    sites, recorder = find_sites(net, FEW), Recorder()
    every = [head for site in sites.sites if site.stack != "pool" for head in site]
    with attach(net, sites, [recorder], [Uniform(every)]):
        even = read(net)
    for part in net.modules():
        for name in ("seen", "seeing"):
            if hasattr(part, name):
                getattr(part, name).weight.data.zero_()
    assert torch.allclose(read(net), even, atol=1e-6)
    earlier = next(maps[0] for site, maps in recorder.maps.items() if site.stack == "sees_earlier")
    assert torch.allclose(earlier[0, 0, 3], torch.tensor([1.0, 1, 1, 0, 0]) / 3)


class Rows:
    """Keeps which rows it hears."""

    needs: Need = "rows"

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def hear(self, heard: Heard) -> None:
        self.heard.append(heard)


def test_blocks_are_the_sampled_rows_of_the_whole_map(net: Disan) -> None:
    sites, rows, whole = find_sites(net, FEW), Rows(), Recorder()
    with attach(net, sites, [whole]):
        plain = read(net)
    with attach(net, sites, [rows], blocks=RowBlocks(rows=2)):
        assert torch.equal(read(net), plain)
    first = rows.heard[0]
    assert first.rows.shape == (2,) and first.visible.shape == (2, 1, 2, 5)
    assert torch.equal(first.weights, whole.maps[first.site][0][:, :, first.rows])
    with (
        pytest.raises(ModelError, match="whole maps"),
        attach(net, sites, edits=[Ablate(["L0H0"])], blocks=RowBlocks()),
    ):
        pass


def test_maps_can_be_differentiated(net: Disan) -> None:
    recorder = Recorder(gradient=True)
    with attach(net, find_sites(net, FEW), [recorder], gradients=True):
        total = net(IDS, attention_mask=REAL).pooler_output.sum()
    maps = [maps[0] for maps in recorder.maps.values()]
    assert all(slope.abs().sum() > 0 for slope in torch.autograd.grad(total, maps))
