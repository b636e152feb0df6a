"""Listening in blocks of query rows: the same maps, and the outputs of the kernel in use."""

from __future__ import annotations

from copy import deepcopy

import pytest
import torch

from headscope.attention import Ablate, Heard, Recorder, RowBlocks, attach
from headscope.attention.blocks import causal_rows, rows_of
from headscope.errors import ModelError
from headscope.heads import Head
from tests.attention.conftest import Case
from tests.families import inputs_for

BUDGETS = [1, 3_000, 7_000, 2**20]  # one row at a time, a few, some, all


class Collector:
    """Keeps blocks by stack and layer."""

    needs = "rows"

    def __init__(self) -> None:
        self.blocks: dict[tuple[str, int], list[Heard]] = {}

    def hear(self, heard: Heard) -> None:
        self.blocks.setdefault((heard.site.stack, heard.site.layer), []).append(heard)

    def rows(self, where: tuple[str, int]) -> torch.Tensor:
        return torch.cat([heard.rows for heard in self.blocks[where]])

    def maps(self, where: tuple[str, int]) -> torch.Tensor:
        return torch.cat([heard.weights for heard in self.blocks[where]], dim=2)


def real_queries(case: Case, where: tuple[str, int]) -> torch.Tensor:
    """(batch, query): kernels differ in what they do with the rows of padding, which never count."""
    if where[0] == "encoder" or "decoder_input_ids" not in case.inputs:
        return case.inputs["attention_mask"].bool()
    return torch.ones_like(case.inputs["decoder_input_ids"], dtype=torch.bool)


@pytest.mark.parametrize("budget", BUDGETS)
def test_blocks_together_are_the_whole_map(shared: Case, budget: int) -> None:
    collector = Collector()
    with attach(shared.model, shared.sites, [collector], blocks=RowBlocks(budget)):
        shared.run()
    assert collector.blocks.keys() == shared.maps.keys()
    for where, expected in shared.maps.items():
        assert collector.rows(where).tolist() == list(range(expected.shape[2]))
        real = real_queries(shared, where)[:, None, :, None]
        assert torch.allclose(collector.maps(where) * real, expected * real, atol=1e-5)
    sizes = {len(heard.rows) for blocks in collector.blocks.values() for heard in blocks}
    assert sizes == {1} if budget == 1 else max(sizes) > 1


def test_outputs_are_those_of_the_kernel_in_use(shared: Case) -> None:
    kernel = shared.model.config._attn_implementation
    assert kernel == ("eager" if shared.family == "gemma2" else "sdpa")
    before = shared.run()
    with attach(shared.model, shared.sites, [Collector()], blocks=RowBlocks(3_000)):
        during = shared.run()
    for name, expected in before.items():
        if kernel == "sdpa":
            assert torch.equal(during[name], expected)
        assert torch.allclose(during[name], expected, atol=1e-5)


def test_a_model_on_eager_attention_stays_on_it(shared: Case) -> None:
    model = deepcopy(shared.model)
    model.set_attn_implementation("eager")
    collector = Collector()
    with torch.no_grad(), attach(model, shared.sites_of(model), [collector], blocks=RowBlocks(3_000)):
        outputs = model(**shared.inputs)
    for name, expected in shared.outputs.items():
        assert torch.allclose(outputs[name], expected, atol=1e-5), name
    for where, expected in shared.maps.items():
        assert torch.allclose(collector.maps(where), expected, atol=1e-5)


@pytest.mark.parametrize("budget", [3_000, 2**20])
@pytest.mark.parametrize("eager", [False, True])
def test_sampled_rows_are_those_rows_of_the_whole(shared: Case, budget: int, eager: bool) -> None:
    model = deepcopy(shared.model)
    if eager:
        model.set_attn_implementation("eager")
    collector = Collector()
    blocks = RowBlocks(budget, rows=4, seed=7)
    with torch.no_grad(), attach(model, shared.sites_of(model), [collector], blocks=blocks):
        model(**shared.inputs)
    for where, expected in shared.maps.items():
        rows = collector.rows(where)
        assert len(rows) == len(set(rows.tolist())) == 4
        assert rows.tolist() == sorted(rows.tolist())
        real = real_queries(shared, where)[:, None, rows, None]
        assert torch.allclose(collector.maps(where) * real, expected[:, :, rows] * real, atol=1e-5)
        for heard in collector.blocks[where]:
            assert heard.visible.shape[2:] == heard.weights.shape[2:]


def test_the_sample_is_seeded() -> None:
    draws = [RowBlocks(rows=5, seed=seed).sample(50).tolist() for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    assert RowBlocks(rows=50).sample(50) is None
    assert RowBlocks().sample(50) is None


def test_blocks_end_where_they_may() -> None:
    query = torch.zeros(1, 1, 10, 4)
    # A row takes 3 x 10 x 4 = 120 bytes, so 480 bytes hold four rows.
    ends = torch.tensor([3, 4, 9, 10])
    blocks = [rows.tolist() for rows in RowBlocks(480, ends=ends).over(query, query)]
    assert blocks == [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9]]
    free = [rows.tolist() for rows in RowBlocks(480).over(query, query)]
    assert free == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    sampled = RowBlocks(480, rows=5, seed=1, ends=ends)
    kept = torch.cat(list(sampled.over(query, query))).tolist()
    assert kept == sampled.sample(10).tolist()


def test_masks_of_rows_by_hand() -> None:
    query = torch.zeros(1, 1, 4, 2)
    hidden = torch.finfo(torch.float32).min
    mask = causal_rows(query, query, None, torch.tensor([1, 3]), causal=True, window=2)
    expected = torch.tensor([[0, 0, hidden, hidden], [hidden, hidden, 0, 0]])
    assert torch.equal(mask, expected[None, None])
    padded = causal_rows(query, query, torch.tensor([[1, 1, 1, 0]]), torch.tensor([3]), False, None)
    assert torch.equal(padded, torch.tensor([0, 0, 0, hidden])[None, None, None])
    assert causal_rows(query, query, None, torch.tensor([0]), False, None) is None


def test_only_query_by_key_options_are_cut() -> None:
    bias, other = torch.arange(12.0).reshape(1, 1, 3, 4), torch.zeros(1, 1, 4, 3)
    cut = rows_of({"bias": bias, "other": other, "scale": 2.0}, torch.tensor([2]), 3, 4)
    assert torch.equal(cut["bias"], bias[:, :, [2]])
    assert cut["other"] is other and cut["scale"] == 2.0


def test_families_outside_the_shared_function_refuse(bypassing: Case) -> None:
    with (
        pytest.raises(ModelError, match=r"computes attention outside the shared function.*blocks"),
        attach(bypassing.model, bypassing.sites, [Collector()], blocks=RowBlocks()),
    ):
        pass


@pytest.mark.parametrize(
    "attachment",
    [
        {"listeners": [Recorder()]},
        {"edits": [Ablate([Head("encoder", 0, 0)])]},
        {"gradients": True},
    ],
)
def test_what_needs_whole_maps_is_refused(bert: Case, attachment: dict) -> None:
    before = bert.run()
    with (
        pytest.raises(ModelError, match=r"need whole maps, not blocks"),
        attach(bert.model, bert.sites, **attachment, blocks=RowBlocks()),
    ):
        pass
    assert torch.equal(bert.run()["last_hidden_state"], before["last_hidden_state"])


@pytest.mark.parametrize("outer", [None, RowBlocks()])
def test_whole_maps_and_blocks_do_not_nest(bert: Case, outer: RowBlocks | None) -> None:
    inner = RowBlocks() if outer is None else None
    with (
        attach(bert.model, bert.sites, [Collector()], blocks=outer),
        pytest.raises(ModelError, match=r"attached already, the other way"),
        attach(bert.model, bert.sites, [Collector()], blocks=inner),
    ):
        pass


def test_nested_blocks_both_hear(bert: Case) -> None:
    outer, inner = Collector(), Collector()
    with (
        attach(bert.model, bert.sites, [outer], blocks=RowBlocks()),
        attach(bert.model, bert.sites, [inner], blocks=RowBlocks()),
    ):
        bert.run()
    assert torch.equal(outer.maps(("encoder", 1)), inner.maps(("encoder", 1)))


def test_blocks_without_padding_where_kernels_get_no_mask(shared: Case) -> None:
    inputs = inputs_for(shared.family, batch=1, seed=3)
    recorder, collector = Recorder(), Collector()
    with torch.no_grad():
        with attach(shared.model, shared.sites, [recorder]):
            shared.model(**inputs)
        with attach(shared.model, shared.sites, [collector], blocks=RowBlocks(1_000)):
            shared.model(**inputs)
    for site, maps in recorder.maps.items():
        assert torch.allclose(collector.maps((site.stack, site.layer)), maps[0], atol=1e-5)
