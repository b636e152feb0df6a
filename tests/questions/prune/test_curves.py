"""Orders, curves and areas by hand; what can be taken out for real."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.heads import Head
from headscope.questions.prune.curves import (
    RANDOM,
    Order,
    areas_table,
    by_score,
    counts_of,
    curve_conditions,
    curves_table,
    random_orders,
    removable,
    side_by_side,
)
from headscope.tasks.metrics import ACCURACY

A, B, C, D = (Head("encoder", layer, index) for layer in range(2) for index in range(2))
HEADS = [A, B, C, D]


def test_steps_reach_from_none_to_all() -> None:
    assert counts_of(4, 2) == [0, 2, 4]
    assert counts_of(3, 10) == [0, 1, 2, 3]
    assert counts_of(144, 10)[-2:] == [130, 144]


def test_the_lowest_goes_first_and_ties_keep_their_order() -> None:
    assert by_score(HEADS, np.array([2.0, 1.0, 1.0, 0.0])) == (D, B, C, A)
    assert by_score(HEADS, np.array([1.0, 0.5, 3.0, 2.0])) == (B, A, D, C)


def test_random_orders_are_permutations_and_repeat() -> None:
    some = random_orders(HEADS, 20, seed=1)
    assert all(sorted(order.heads) == HEADS for order in some)
    assert [order.run for order in some] == list(range(20))
    assert len({order.heads for order in some}) > 5
    assert random_orders(HEADS, 5, seed=1) == some[:5]


def test_each_set_is_scored_once() -> None:
    orders = [Order("one", (A, B, C, D)), Order("other", (B, A, D, C))]
    found = curve_conditions(orders, [0, 1, 2, 4])
    assert [set(removed) for removed in found] == [{A}, {A, B}, {A, B, C, D}, {B}]
    assert [condition.heads for condition in found.values()] == [(A,), (A, B), (A, B, C, D), (B,)]


def test_a_curve_by_hand() -> None:
    """Three examples; without A one is wrong, without A and B two, without all three."""
    orders = [Order("one", (A, B, C, D))]
    right = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], float)
    statistics = np.stack([right, np.ones_like(right)], -1)
    scores = xr.Dataset(
        {
            "loss": (("example", "condition"), 1 - right),
            "statistics": (("example", "condition", "statistic"), statistics),
            "document": ("example", np.arange(3)),
        },
        coords={"condition": ["", "set 0", "set 1", "set 2"]},
    )
    table = curves_table(scores, ACCURACY, orders, [0, 1, 2, 4], "toy")
    assert table["score"].tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert table["loss"].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert table["share"].tolist() == [0, 0.25, 0.5, 1]


def test_areas_by_hand() -> None:
    """Trapezoids over 0, 0.5, 1: (1 + s)/4 + (s + 0)/4 for a middle of s."""
    middles = {("importance", 0): 1.0, ("reversed", 0): 0.0, (RANDOM, 0): 0.2, (RANDOM, 1): 0.6}
    rows = [
        {"task": "toy", "order": name, "run": run, "share": share, "score": score}
        for (name, run), middle in middles.items()
        for share, score in ((0.0, 1.0), (0.5, middle), (1.0, 0.0))
    ]
    table = areas_table(pd.DataFrame(rows)).set_index("order")
    assert table["area"].to_dict() == pytest.approx({"importance": 0.75, "reversed": 0.25, RANDOM: 0.45})
    assert table["beats"][["importance", "reversed"]].tolist() == [1, 0]
    assert table["low"][RANDOM] == pytest.approx(0.35 + 0.025 * 0.2)
    assert table["random"][["importance", "reversed"]].tolist() == pytest.approx([0.45, 0.45])
    # itself among the two random orders: 1 of 3 reach the best area, 3 of 3 the worst
    assert table["p"][["importance", "reversed"]].tolist() == pytest.approx([1 / 3, 1])


def test_without_random_orders_there_is_nothing_to_beat() -> None:
    rows = [{"task": "toy", "order": "gates", "run": 0, "share": share, "score": 1.0} for share in (0.0, 1.0)]
    table = areas_table(pd.DataFrame(rows))
    assert table["area"].tolist() == [1.0] and table[["random", "beats", "p"]].isna().all(axis=None)


def test_curves_of_a_known_task_are_told_apart() -> None:
    """Areas 1 and 0.5 of two runs on one task; the third is on another."""

    def curve(task: str, last: float) -> pd.DataFrame:
        scores = ((0.0, 1.0), (1.0, last))
        return pd.DataFrame(
            [{"task": task, "order": "gates", "run": 0, "share": one, "score": two} for one, two in scores]
        )

    table = side_by_side(curve("a", 1.0), {"old": curve("a", 0.0), "other": curve("b", 0.0)})
    areas = areas_table(table).set_index("task")["area"]
    assert areas.to_dict() == {"a": 1.0, "a (old)": 0.5, "b": 0.5}


def test_what_can_be_taken_out_keeps_a_head_in_each_layer() -> None:
    singles = [(head,) for head in HEADS]
    assert removable((A, B, C, D), singles, 2) == (A, C), "B would leave its layer empty"
    assert removable((A, B, C, D), singles, 4) == (A, C)
    assert removable((D, A, C, B), singles, 1) == (D,)


def test_heads_that_share_a_key_go_together() -> None:
    heads = [Head("decoder", 0, index) for index in range(6)]
    groups = [tuple(heads[:2]), tuple(heads[2:4]), tuple(heads[4:])]
    order = (heads[0], heads[2], heads[3], heads[1], heads[4], heads[5])
    assert removable(order, groups, 3) == (heads[2], heads[3]), "the group whose last turn comes first"
    assert removable(order, groups, 6) == tuple(heads[:4])


def test_heads_of_layers_that_share_a_module_go_together() -> None:
    """Two layers of two heads with the same matrices: one head of both goes, the other stays in both."""
    groups = [(A, C), (B, D)]
    assert removable((D, B, A, C), groups, 4) == (B, D)
    assert removable((D, B, A, C), groups, 1) == ()
