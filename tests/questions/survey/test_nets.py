"""A survey of DiSAN: queries that see nothing are left out of every mean."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

import headscope
from headscope.models import Model
from headscope.models.forecast import distance_rows
from headscope.questions.pictures import available
from headscope.questions.survey.findings import findings
from headscope.results.result import Result
from tests.nets.made import save_disan

TEXT = "the old keeper\n"


@pytest.fixture
def model(tmp_path: Path) -> Model:
    """Attention of all features is even, but for feature 1: of what it sees, it looks at `old` alone."""
    loaded = headscope.load(save_disan(tmp_path / "net", 4))
    old = loaded.tokenizer.convert_tokens_to_ids("old")
    with torch.no_grad():
        loaded.module.get_input_embeddings().weight.zero_()[old, 0] = 20.0
        for blocks in loaded.module.disan.blocks.values():
            for name in ("hidden", "seen", "seeing"):
                getattr(blocks[0], name).weight.zero_()
            blocks[0].hidden.weight[0, 0] = blocks[0].seen.weight[1, 0] = 20.0
            blocks[0].scale = 50.0
    return loaded


@pytest.fixture
def result(model: Model, tmp_path: Path) -> Result:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    return headscope.survey(model, text, gradients=False)


def test_blind_queries_do_not_count(result: Result) -> None:
    """Of three words, sees_earlier: the second sees one, the third two; so sees_later, mirrored."""
    heads = result.arrays["heads"]
    even = float(heads["entropy"].sel(head="sees_earlier:L0H0"))
    assert even == pytest.approx((0 + math.log(2)) / 2, abs=1e-5)
    assert float(heads["entropy_uniform"].sel(head="sees_earlier:L0H0")) == pytest.approx(even, abs=1e-5)
    share = heads["share"].sel(head="sees_earlier:L0H0")
    assert float(share.sel(target="previous")) == pytest.approx((1 + 0.5) / 2, abs=1e-5)
    assert np.isnan(share.sel(target="next")) and np.isnan(share.sel(target="self"))
    assert float(share.sel(target="word")) == pytest.approx(1.0, abs=1e-5)
    later = heads["share"].sel(head="sees_later:L0H0")
    assert float(later.sel(target="next")) == pytest.approx(0.75, abs=1e-5) and np.isnan(
        later.sel(target="previous")
    )


def test_distances_are_means_over_seeing_queries(result: Result) -> None:
    """Even and one-sided attention differ in the third word alone: half of what they differ by there."""
    distances = result.arrays["heads"]["divergence"].sel(head="sees_earlier:L0H0")
    middle = np.array([0.25, 0.75])
    there = -(middle * np.log(middle)).sum() - math.log(2) / 2
    assert float(distances.sel(other="sees_earlier:L0H1")) == pytest.approx(there / 2, abs=1e-4)
    assert float(distances.sel(other="sees_earlier:L0H2")) == pytest.approx(0, abs=1e-6)


def test_pools_are_left_out_and_named(result: Result) -> None:
    assert {*result.arrays["heads"]["stack"].values} == {"sees_earlier", "sees_later"}
    assert any("heads of the pool are left out" in note for note in result.notes)


def test_of_single_words_nothing_is_seen_and_no_head_has_a_place(model: Model) -> None:
    told = headscope.survey(model, ["old", "keeper"], gradients=False)
    assert np.isnan(told.arrays["heads"]["position"]).all() and "headmap" not in available(told)
    assert findings(told)


def test_six_hundred_heads_are_affordable(tmp_path: Path) -> None:
    """Distances of 300 features in each stack are taken from a sample of rows."""
    model = headscope.load(save_disan(tmp_path / "large", 300))
    heads = [head for head in model.heads() if head.stack != "pool"]
    assert len(heads) == 600
    rows = distance_rows(model, 128, 16, heads)
    assert rows is not None and 2 <= rows <= 16


def test_nothing_is_said_of_layers_where_there_is_one(result: Result) -> None:
    assert result.table("layers")["p"].isna().all()
    assert not any("one layer" in finding.text for finding in findings(result))
