"""The tables about types of mentions, from numbers made by hand."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from headscope.questions.coref.analysis import TYPES
from headscope.questions.coref.antecedents import BASELINES
from headscope.questions.coref.tables import PAPER, baselines_table, fit_heads, heads_table, types_table


def made(counts: np.ndarray, right: np.ndarray, baseline: np.ndarray) -> xr.Dataset:
    """A dataset of one type's numbers, repeated for all: counts (block,), right (head, block)."""
    shape = (len(TYPES), len(counts))
    dataset = xr.Dataset(
        {
            "right": (("head", "type", "block"), np.repeat(right[:, None], len(TYPES), 1)),
            "baseline_right": (
                ("baseline", "type", "block"),
                np.broadcast_to(baseline, (len(BASELINES), *shape)),
            ),
            "count": (("type", "block"), np.broadcast_to(counts, shape)),
        },
        coords={
            "head": [f"L0H{number}" for number in range(len(right))],
            "stack": ("head", ["encoder"] * len(right)),
            "layer": ("head", [0] * len(right)),
            "index": ("head", list(range(len(right)))),
            "type": list(TYPES),
        },
    )
    dataset["accuracy"] = dataset["right"].sum("block") / dataset["count"].sum("block")
    return dataset


def test_types_by_hand() -> None:
    # Block 0 likes the first head, block 1 the second: each is scored where the other was chosen.
    dataset = made(np.array([10.0, 10.0]), np.array([[8.0, 2.0], [1.0, 9.0]]), np.array([4.0, 1.0]))
    table = types_table(dataset, [], seed=0).set_index("type")
    row = table.loc["pronoun"]
    assert row["accuracy"] == pytest.approx((1 + 2) / 20)
    assert (row["chosen"], row["other_chosen"]) == ("L0H1", "L0H0")
    assert row["head"] == "L0H0"  # 10 of 20 each; of equals the first
    assert row["same_data"] == 0.5 and np.isnan(row["twin"])
    assert row["nearest"] == row["sieves"] == 0.25
    assert row["above_nearest"] == pytest.approx((3 - 5) / 20)
    assert row["p_nearest"] == 1.0  # 2 of 4 patterns of signs reach -3 + 1; times four types
    assert row["paper_head"] == 0.64 and row["paper_head_match"] == 0.47
    twins = [made(np.array([10.0, 10.0]), np.array([[one, one]]), np.array([4.0, 1.0])) for one in (1.0, 3.0)]
    assert types_table(dataset, twins, seed=0)["twin"].tolist() == pytest.approx([0.2] * 4)
    assert fit_heads(dataset).chosen.tolist() == [[1] * 4, [0] * 4]


def test_a_head_above_the_baseline_in_every_block_is_found() -> None:
    blocks = np.full(8, 10.0)
    dataset = made(blocks, np.array([np.full(8, 9.0)]), np.full(8, 2.0))
    table = types_table(dataset, [], seed=0)
    assert table["above_nearest"].tolist() == pytest.approx([0.7] * 4)
    assert table["p_nearest"].tolist() == pytest.approx([4 / 2**8] * 4) and table["found"].all()
    twins = [made(blocks, np.array([np.full(8, 9.0)]), np.full(8, 2.0))]
    assert not types_table(dataset, twins, seed=0)["found"].any(), "a twin is as good"


def test_a_type_without_mentions_has_no_best_head() -> None:
    dataset = made(np.zeros(2), np.zeros((2, 2)), np.zeros(2))
    row = types_table(dataset, [], seed=0).iloc[0]
    assert (row["head"], row["chosen"], row["other_chosen"]) == ("", "", "")
    assert row["mentions"] == 0 and np.isnan(row["same_data"]) and not row["found"]


def test_tables_are_tidy() -> None:
    dataset = made(np.array([10.0, 10.0]), np.array([[8.0, 2.0], [1.0, 9.0]]), np.array([4.0, 1.0]))
    heads = heads_table(dataset)
    assert list(heads.columns) == ["head", "stack", "layer", "index", "type", "accuracy", "nearest"]
    assert heads["head"].tolist() == ["L0H0"] * 4 + ["L0H1"] * 4 and heads["type"].tolist() == [*TYPES] * 2
    assert set(heads["accuracy"]) == {0.5} and set(heads["nearest"]) == {0.25}
    rules = baselines_table(dataset, seed=0)
    assert len(rules) == len(TYPES) * len(BASELINES)
    assert rules["accuracy"].tolist() == [0.25] * 16 and rules["mentions"].tolist() == [20] * 16
    paper = rules.set_index(["type", "baseline"])["paper"]
    assert paper["proper", "sieves"] == PAPER["sieves"]["proper"] == 0.77
    assert np.isnan(paper["all", "head match or nearest"])
