"""What heads do behind a first token that is a sink, by hand and planted; and segments that are short."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
import xarray as xr

import headscope
from headscope.attention import Heard, Replace
from headscope.engine.running import run
from headscope.errors import InputError
from headscope.measures.surface import OFFSETS, Lengths, count_queries, surface_sums
from headscope.models import Model
from headscope.questions.survey.answer import make_plan
from headscope.questions.survey.behind import MeasuresBehind, first_is_sink
from headscope.questions.survey.options import Options
from headscope.questions.survey.rules import assign
from headscope.questions.survey.scores import scores
from headscope.questions.survey.tables import heads_dataset
from headscope.text import read

TEXTS = [", the old ship lies in the harbour .", ", a young man reads the book ."]


def test_shares_behind_by_hand() -> None:
    # Kinds: 0 a mark, 1 a word. The text opens with a mark and has another one at its end.
    lengths = Lengths(np.array([3]), np.array([3]), np.array([[0, 1, 0]]), np.array([[0, 1, 0]]), 2)
    maps = torch.tensor([[0.5, 0.25, 0.25], [0.75, 0.0, 0.25], [0.5, 0.375, 0.125]])[None, None]
    measures = MeasuresBehind(["mark", "word"], np.eye(2), "mark")
    sums = surface_sums(maps, torch.arange(3), lengths)
    values, valid = measures.values(sums, count_queries(np.arange(3), lengths, False, True), lengths)
    told = dict(zip(measures.names, values[0, 0].tolist(), strict=True))
    assert told["offset:-1"] == pytest.approx(0.375 / 0.5), (
        "of the last query alone: that of the second is the first"
    )
    assert told["offset:0"] == pytest.approx((0.0 + 0.125) / (0.25 + 0.5))
    assert told["offset:1"] == pytest.approx((0.25 + 0.25) / (0.5 + 0.25))
    assert told["to:mark"] == pytest.approx((0.25 + 0.25 + 0.125) / (0.5 + 0.25 + 0.5))
    assert told["to:word"] == pytest.approx(0.625 / 1.25)
    assert told["opening"] == pytest.approx((0.5 + 0.75 + 0.5) / 3)
    assert valid[0, 0].tolist() == [
        *(abs(offset) <= 1 or offset == 2 for offset in OFFSETS),
        True,
        True,
        True,
    ]


def test_of_a_head_that_leaves_nothing_nothing_is_told() -> None:
    lengths = Lengths(np.array([3]), np.array([3]), np.zeros((1, 3), int), np.zeros((1, 3), int), 1)
    maps = torch.tensor([[1.0, 0.0, 0.0]] * 3)[None, None]
    measures = MeasuresBehind(["word"], np.ones((1, 1)), "word")
    counts = count_queries(np.arange(3), lengths, False, True)
    _, valid = measures.values(surface_sums(maps, torch.arange(3), lengths), counts, lengths)
    assert valid[0, 0].tolist() == [False] * (len(OFFSETS) + 1) + [True]


@pytest.mark.parametrize(
    ("first", "even", "opening", "is_sink"),
    [(0.29, 0.01, 0.0, False), (0.31, 0.01, 0.0, True), (0.5, 0.3, 0.0, False), (0.9, 0.01, np.nan, False)],
)
def test_a_sink_gets_much_and_twice_what_is_even(
    first: float, even: float, opening: float, is_sink: bool
) -> None:
    """Where a mask tells what pieces see, `opening` is not defined, and nothing is a sink."""
    arrays = {"share": first, "share_uniform": even}
    data: dict = {name: (("head", "target"), [[value]]) for name, value in arrays.items()}
    data["opening"] = ("head", [opening])
    assert first_is_sink(xr.Dataset(data, coords={"target": ["first"]})).values.tolist() == [is_sink]


def resting(weights: torch.Tensor, heard: Heard) -> torch.Tensor:
    """Three quarters on the first token, a quarter on the previous one."""
    planted = torch.zeros_like(weights)
    planted[..., 0] = 0.75
    planted[:, :, torch.arange(len(heard.rows)), (heard.rows - 1).clamp_min(0)] += 0.25
    return planted


def even_in_short_texts(weights: torch.Tensor, heard: Heard) -> torch.Tensor:
    """All on the first token in long texts; the same on all that is seen in short ones."""
    seen = (weights > 0).to(weights)
    if weights.shape[-1] > 20:
        seen[..., 1:] = 0.0
    return seen / seen.sum(-1, keepdim=True)


def planted(model: Model, texts: list[str], edit: Callable = resting) -> xr.Dataset:
    options = Options(model=model, text=texts, distances=False, gradients=False, made=0, batch_size=1)
    plan, _ = make_plan(model, options)
    plan = replace(plan, edits=[Replace(["L0H0"], edit)])
    return heads_dataset(plan.arrays(run(plan, read(texts), "survey")), plan.setting)


@pytest.mark.parametrize("shape", ["encoder", "decoder"])
def test_a_head_that_rests_is_seen_to_look_back(shape: str, request: pytest.FixtureRequest) -> None:
    heads = planted(request.getfixturevalue(shape), TEXTS).sel(head="L0H0")
    assert bool(heads["first_is_sink"])
    previous = {name: float(heads[name].sel(target="previous")) for name in ("share", "share_behind")}
    assert previous["share_behind"] == pytest.approx(1.0) and previous["share"] < 0.5
    assert float(heads["offset"].sel(distance=-4)) > 0.03, "the first token as a distance"
    assert float(heads["offset_behind"].sel(distance=-4)) == 0.0
    assert np.isnan(float(heads["share_behind"].sel(target="first")))
    if shape == "decoder":
        both = (
            heads["share_behind"].sel(target="previous"),
            heads["running_behind"].sel(running_pattern="previous"),
        )
        assert float(both[0]) == pytest.approx(float(both[1]))


def test_what_is_even_behind_is_told_of_the_same_texts(decoder: Model) -> None:
    """Where a head leaves nothing, nothing is told of it, nor of even attention beside it."""
    heads = planted(decoder, ["the old ship .", " ".join(TEXTS * 2)], even_in_short_texts).sel(head="L0H0")
    for name in ("share_behind", "offset_behind", "running_behind"):
        told, even = heads[name].values, heads[f"{name}_uniform"].values
        assert np.isfinite(told).any()
        np.testing.assert_allclose(told, even, atol=1e-6, err_msg=name)


def test_a_sink_that_is_a_mark_makes_no_head_of_punctuation(decoder: Model) -> None:
    heads = planted(decoder, TEXTS)
    # As where all texts open with a mark: 0.8 of the attention is on that, 0.15 on others.
    heads["share"].loc[{"target": "first", "head": "L0H0"}] = 0.8
    heads["share"].loc[{"target": "all punctuation", "head": "L0H0"}] = 0.95
    heads["opening"].loc[{"head": "L0H0"}] = 0.8
    assert float(scores(heads)["punctuation"].sel(head="L0H0")) == pytest.approx(0.15)
    assert str(assign(heads)["role"].sel(head="L0H0").values) == "first-token sink"
    heads["first_is_sink"].loc[{"head": "L0H0"}] = False
    assert str(assign(heads)["role"].sel(head="L0H0").values) == "punctuation"


def test_tables_keep_both_numbers(encoder: Model) -> None:
    result = headscope.survey(encoder, TEXTS, distances=False, gradients=False)
    for name in ("shares", "offsets"):
        assert {"share", "se", "uniform", "behind", "behind_se", "behind_uniform"} <= set(result.table(name))
    assert result.table("heads")["first_is_sink"].dtype == bool


LONG = "The old ship lies in the harbour and the young man reads the book ."


def test_short_segments_are_told_and_can_be_left_out(encoder: Model) -> None:
    texts = ["The ship", LONG, "A man", LONG]
    told = headscope.survey(encoder, texts, distances=False, gradients=False)
    assert any(note.startswith("2 of 4 segments under 10 pieces") for note in told.notes)
    without = headscope.survey(encoder, texts, distances=False, gradients=False, shortest=10)
    assert without.arrays["heads"].attrs["segments"] == 2
    assert "4 words are skipped: in segments of fewer than 10 pieces" in without.notes
    assert not any("under 10" in note for note in without.notes)
    alone = headscope.survey(encoder, [LONG, LONG], distances=False, gradients=False)
    np.testing.assert_array_equal(without.arrays["heads"]["share"], alone.arrays["heads"]["share"])
    with pytest.raises(InputError, match="8 words are skipped, in segments of fewer than 100 pieces"):
        headscope.survey(encoder, ["The ship", "A man", "The old ship lies"], shortest=100)
