"""Mean outputs of heads: by hand, against texts one at a time, over any shards, stopped and gone on with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from headscope import mean_outputs
from headscope.analyses.analysis import Setting
from headscope.analyses.outputs import MeanOutputs, vectors_of
from headscope.attention import Heard
from headscope.engine.running import run
from headscope.engine.work import Plan, run_segment
from headscope.heads import Head
from headscope.models import Model, Sides, sides_of
from headscope.results.folder import RunFolder
from headscope.text import Spans, batches, read
from tests.stops import Stop

STACKS = ("bert", "llama", "t5", "bart")
Means = dict[Head, torch.Tensor]


def plan_of(model: Model, **options: object) -> Plan:
    plan = Plan(Setting(model), [MeanOutputs()], 32, 2, Spans(model.shape == "encoder"))
    return replace(plan, **options)


def means(plan: Plan, texts: list[str], store: RunFolder | None = None, stop: Stop | None = None) -> Means:
    (outputs,) = plan.arrays(run(plan, read(texts), "ablate/means", store, stop))
    return vectors_of(outputs)


def check_same(found: Means, expected: Means, compare: Callable[..., bool] = torch.equal) -> None:
    assert found.keys() == expected.keys()
    assert all(compare(found[head], expected[head]) for head in expected)


@pytest.mark.parametrize("rows", [[[0, 1, 2, 3, 4, 5]], [[0, 1], [2, 3, 4], [5]]])
def test_by_hand(bert: Model, rows: list[list[int]]) -> None:
    """Where each piece attends to itself, a head hands on its values: of texts of 4 and 6 pieces, 3 and 1."""
    plan = plan_of(bert, setting=Setting(bert, layers=[1], heads=[2]), cutter=Spans(pair=False))
    segments = [next(plan.segments(read([text]))) for text in ("a ship", "a ship passed by")]
    (batch,) = batches(segments, bert.tokenizer, 2)
    sides = sides_of(bert, batch)
    assert [len(segment) for segment in segments] == [4, 6] and sides.source.ids.shape == (2, 6)
    values = torch.tensor([3.0, 1.0])[:, None, None, None].repeat(1, 4, 6, 4)
    values[0, :, 4:] = 1000  # padding, which must not count
    values *= torch.tensor([1.0, 2.0, 3.0, 4.0])[:, None, None]  # the heads
    means = vectors_of(heard_by(plan, sides, values, rows))
    assert means.keys() == {Head("encoder", 1, index) for index in range(4)}, "also of heads not in question"
    for index in range(4):
        expected = torch.full((4,), (4 * 3 + 6 * 1) / 10 * (index + 1), dtype=torch.float64)
        assert torch.equal(means[Head("encoder", 1, index)], expected)


def heard_by(plan: Plan, sides: Sides, values: torch.Tensor, rows: list[list[int]]):
    (site,) = plan.setting.sites()
    (analysis,) = plan.analyses
    work = analysis.work(plan.setting)
    work.begin(sides)
    for some in rows:
        weights = torch.eye(6)[some].expand(2, 4, -1, -1)
        for listener in work.listeners():
            listener.hear(Heard(site, weights, torch.tensor(some), values, None))
    work.end(["a", "b"])
    return analysis.arrays(work.tallies, plan.setting)


class _Summing:
    """Sums what every head hands on over one text without padding, in float64."""

    needs = "map"

    def __init__(self) -> None:
        self.sums: Means = {}
        self.counts: dict[Head, int] = {}

    def hear(self, heard: Heard) -> None:
        for head in heard.site:
            vectors = heard.outputs[0, :, head.index].double()
            self.sums[head] = self.sums.get(head, 0) + vectors.sum(0)
            self.counts[head] = self.counts.get(head, 0) + len(vectors)


@pytest.mark.parametrize("family", STACKS)
def test_against_one_text_at_a_time(family: str, request, texts: list[str]) -> None:
    """Also where stacks differ in their number of heads, and so in the length of their vectors (bart)."""
    model = request.getfixturevalue(family)
    summing, plan = _Summing(), plan_of(model)
    for segment in plan.segments(read(texts)):
        run_segment(plan, segment, summing)
    expected = {head: summing.sums[head] / summing.counts[head] for head in summing.sums}
    assert len(expected) == len(model.heads())
    if family == "bart":
        assert {len(vector) for vector in expected.values()} == {4, 8}
    close = lambda found, by_hand: torch.allclose(found, by_hand, rtol=0, atol=1e-6)  # noqa: E731
    check_same(means(plan, texts), expected, close)
    check_same(mean_outputs(model, texts, pieces=32, batch_size=2), means(plan, texts))


def test_shards_and_blocks_of_rows_change_nothing_but_rounding(bert: Model, texts: list[str]) -> None:
    close = lambda found, whole: torch.allclose(found, whole, rtol=0, atol=1e-6)  # noqa: E731
    check_same(means(plan_of(bert, characters=10), texts), means(plan_of(bert), texts), close)


@pytest.mark.parametrize("stops", [[2], [4], [1, 3]])
def test_a_stopped_pass_goes_on_to_the_same_bits(
    bert: Model, texts: list[str], tmp_path: Path, stops: list[int]
) -> None:
    plan = plan_of(bert, characters=10, batch_size=1)
    whole = means(plan, texts)
    with RunFolder.claim(tmp_path / "run", "ablate", {"identity": {}}) as store:
        for after in stops:
            with pytest.raises(KeyboardInterrupt):
                means(plan, texts, store, Stop(after))
        finished = len(store.part("ablate/means").numbers())
        passes: list[object] = []
        handle = bert.backbone.register_forward_hook(lambda *_: passes.append(None))
        again = means(plan, texts, store)
        handle.remove()
    check_same(again, whole)
    assert 0 < finished < len(texts) and len(passes) <= sum(1 for _ in plan.segments(read(texts))) - finished
