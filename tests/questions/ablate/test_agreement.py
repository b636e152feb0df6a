"""Correlations over heads by hand, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from headscope.questions.ablate.agreement import (
    effects_agreement,
    importance_draws,
    importance_table,
    interval,
    pearson,
    spearman,
)


def test_pearson_by_hand() -> None:
    """Deviations (-1, 0, 1) and (-1, 1, 0): 1 / 2."""
    assert pearson(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).item() == pytest.approx(0.5)
    assert np.isnan(pearson(np.ones(3), np.array([1.0, 2, 3])))


def test_ranks_with_ties_by_hand() -> None:
    """Ranks (1, 2, 3.5, 3.5) and (1, 2, 3, 4): 4.5 / sqrt(4.5 * 5)."""
    found = spearman(np.array([0.0, 1, 5, 5]), np.array([10.0, 20, 30, 40]))
    assert found.item() == pytest.approx(4.5 / np.sqrt(4.5 * 5))


def test_many_draws_at_once() -> None:
    one, two = np.random.default_rng(0).normal(size=(2, 5, 8))
    assert spearman(one, two).tolist() == [spearman(a, b).item() for a, b in zip(one, two, strict=True)]


def test_an_interval_leaves_out_what_is_undefined() -> None:
    assert interval(np.array([np.nan, 0.0, 1.0]))[0] == pytest.approx(0.025)
    assert np.isnan(interval(np.array([np.nan]))).all()


def importance(blocks: int = 30) -> xr.Dataset:
    """Two layers of two heads, whose example scores are 1, 2, 3, 4 with a little noise over blocks."""
    noise = np.random.default_rng(1).normal(size=(blocks, 4, 4)) * 0.01
    sums = np.tile(np.array([1.0, 2, 3, 4])[:, None], (1, 4)) + noise
    counts = np.ones_like(sums)
    means = sums.mean(0)
    return xr.Dataset(
        {
            "example": ("head", means[:, 0]),
            "token": ("head", means[:, 1] / means[:, 2]),
            "confidence": ("head", means[:, 3]),
            "sums": (("block", "head", "measure"), sums),
            "counts": (("block", "head", "measure"), counts),
            "pooled": ("head", np.array([False, False, False, False])),
        },
        coords={
            "head": ["L0H0", "L0H1", "L1H0", "L1H1"], "stack": ("head", ["encoder"] * 4),
            "layer": ("head", [0, 0, 1, 1]), "index": ("head", [0, 1, 0, 1]),
        },
    )  # fmt: skip


def test_scores_of_each_head() -> None:
    table = importance_table(importance())
    assert table["example_normalised"].tolist() == pytest.approx(
        [1 / np.sqrt(5), 2 / np.sqrt(5), 0.6, 0.8], abs=0.01
    )
    assert table["token"].tolist() == pytest.approx([1, 1, 1, 1], abs=0.02)


def test_draws_scatter_around_the_scores() -> None:
    given = importance()
    drawn = importance_draws(given, seed=0, draws=400)
    for name in ("example", "token", "confidence"):
        assert np.allclose(drawn[name].mean(0), given[name].values, atol=1e-3)
        assert (drawn[name].std(0) > 1e-4).all() and (drawn[name].std(0) < 0.02).all()
    assert np.allclose((drawn["example_normalised"][:, :2] ** 2).sum(1), 1)


def test_effects_of_two_data_sets() -> None:
    effects = [np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 4, 3])]
    drawn = [np.tile(one, (10, 1)) for one in effects]
    table = effects_agreement(effects, drawn, ("a", "b")).set_index("measure")
    assert table["value"].tolist() == pytest.approx([0.8, 0.8])
    assert table["low"].tolist() == pytest.approx([0.8, 0.8])
