"""Tables of layers, from counts that are written by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.measures.statistics import percentiles, resampled
from headscope.questions.layers.more_tables import cases_table, codes_table, published_table
from headscope.questions.layers.outcomes import Outcome
from headscope.questions.layers.tables import (
    baselines_table,
    layers_table,
    seeds_table,
    solved_of,
    tasks_table,
)
from tests.questions.layers.results import outcome

SCORES = ([60, 70, 85, 85, 80], [60, 74, 85, 85, 80])


def solved(**options: list[Outcome]) -> list:
    weights = ([0.2] * 5, [0.0, 0.0, 0.5, 0.5, 0.0])
    outcomes = [outcome(own, seed, weights=weights[seed]) for seed, own in enumerate(SCORES)]
    return solved_of(outcomes, options.get("twins", []), 0)


def test_scores_and_gains() -> None:
    table = layers_table(solved())
    assert table["score"].tolist() == pytest.approx([0.6, 0.72, 0.85, 0.85, 0.8])
    assert table["gain"][1:].tolist() == pytest.approx([0.12, 0.13, 0, -0.05]) and np.isnan(table["gain"][0])
    assert table["spread"][1] == pytest.approx(np.std([0.7, 0.74], ddof=1))
    assert table["weight"].tolist() == pytest.approx([0.1, 0.1, 0.35, 0.35, 0.1])
    # Blocks are alike, so that only seeds move it: 70, 72 or 74.
    assert (table["low"][1], table["high"][1]) == pytest.approx((0.70, 0.74))
    assert table["twin"].isna().all()


def test_where_a_task_is_solved() -> None:
    """(0.12 + 0.26 - 0.2) / 0.2 with what is lost, (0.12 + 0.26) / 0.25 without; gravity 2 and 2.5."""
    (row,) = tasks_table(solved(), {"pos": 17}).to_dict("records")
    assert row["expected"] == pytest.approx(0.9) and row["clipped"] == pytest.approx(1.52)
    assert row["gravity"] == pytest.approx(2.25) and row["gravity_spread"] == pytest.approx(0.5 / np.sqrt(2))
    assert row["bits"] == pytest.approx((0 + np.log2(5) - 1) / 2)
    assert row["best_layer"] == 2 and row["gained"] == pytest.approx(0.2) and row["why"] == ""
    seeds = seeds_table(solved())
    assert seeds["expected"].tolist() == pytest.approx([(10 + 30 - 20) / 20, (14 + 22 - 20) / 20])


def test_no_expected_layer_of_what_is_not_gained() -> None:
    flat = solved_of([outcome([60, 62, 58, 60])], [], 0)
    (row,) = tasks_table(flat, {"pos": 17}).to_dict("records")
    assert np.isnan([row["expected"], row["low"], row["clipped"]]).all()
    assert row["why"].startswith("all layers together gain 0.0 points (0.0 to 0.0)")
    assert row["gravity"] == pytest.approx(1.5)


def test_baselines() -> None:
    own = solved(twins=[outcome([60, 62, 65, 66, 70])])
    for one in own[0].outcomes:
        one.control = one.counts * [0.25, 1, 1]
    table = baselines_table(own).set_index("beside")
    assert table["beside_score"].to_dict() == pytest.approx(
        {"most frequent label": 0.3, "embeddings alone": 0.6, "random twin": 0.7, "control task": 0.2}
    )
    assert table["above"]["random twin"] == pytest.approx(0.1) and table["sure"].all()
    assert (table["low"] <= table["above"] + 1e-9).all() and (table["above"] <= table["high"] + 1e-9).all()


def test_more_tasks_must_be_surer() -> None:
    """4 blocks of 10 are better: .6^10, 6 of 1,000 draws, have none of them; of 40 tasks, 1 of 1,600 may."""
    one = outcome([60, 60])
    one.counts[1, :4, 0] += 2
    alone = baselines_table(solved_of([one], [], 0)).set_index("beside")
    many = [replace(one, task=f"task {number}") for number in range(40)]
    together = baselines_table(solved_of(many, [], 0)).set_index("beside")
    assert alone["sure"]["embeddings alone"] and alone["low"]["embeddings alone"] > 0
    assert not together["sure"]["embeddings alone"].any()
    assert (together["low"]["embeddings alone"] == alone["low"]["embeddings alone"]).all()


def test_codes() -> None:
    """8 labels, 4 targets as they are (12 bits), then 6 and 10 nats: of 20 targets, 60 bits."""
    one = outcome([60, 70])
    one.edges, one.nats = [4, 8, 20], np.array([[6.0, 10.0], [0.0, 0.0]])
    table = codes_table(solved_of([one], [], 0), {"pos": 8})
    assert table["code"].tolist() == pytest.approx([(12 + 16 / np.log(2)) / 1000, 0.012])
    assert table["summed"].tolist() == pytest.approx([0.028, 0.012])
    assert table["compression"].tolist() == pytest.approx([60 / (12 + 16 / np.log(2)), 5]), "20 / 4 at most"
    published = published_table(tasks_table(solved(), {"pos": 8}), table)
    base = published[
        published["about"].str.startswith("BERT-base") & (published["measure"] == "expected layer")
    ]
    assert base["value"].tolist() == [1.76] and base["ours"].tolist() == pytest.approx([0.9])


def test_cases() -> None:
    one = outcome([60, 70])
    one.cases = [
        {
            "text": "[a]",
            "gold": "X",
            "labels": ["X", "Y"],
            "chances": [[0.1, 0.9], [0.7, 0.3]],
            "said": ["Y", "X"],
        }
    ]
    table = cases_table(solved_of([one], [], 0))
    assert table["probability"].tolist() == [0.1, 0.9, 0.7, 0.3]
    assert (
        table["said"].tolist() == [False, True, True, False] and table["true"].tolist() == [True, False] * 2
    )


def test_seeds_and_documents_are_drawn_again() -> None:
    """Two seeds of 0 and 1 in every block: draws are 0, a half or 1 of all, 1/4, 1/2 and 1/4 of them."""
    counts = np.zeros((2, 8, 1))
    counts[1] = 1
    draws = resampled(counts, seed=0)[:, 0]
    assert set(draws) == {0.0, 4.0, 8.0} and (draws == 4).mean() == pytest.approx(0.5, abs=0.06)
    assert percentiles(draws[:, None])[1].tolist() == [8.0]
    assert np.isnan(resampled(counts[:, :5], seed=0)).all(), "of fewer than six documents nothing is told"


def test_an_outcome_comes_back() -> None:
    one = outcome([60, 70])
    one.edges, one.seen = [1, 2], {"train": 7}
    again = Outcome.from_shard(*one.to_shard())
    assert again.edges == [1, 2] and again.seen == {"train": 7} and np.array_equal(again.counts, one.counts)
