"""The tables of probe, from counts made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.scores import MEASURES
from headscope.questions.probe.tables import _drop, of_twins, summary_table

BLOCKS = 6


def counts(right: float) -> np.ndarray:
    """So many of 10 words right in each block, by every measure: (block, measure, 2)."""
    return np.broadcast_to([right, 10.0], (BLOCKS, len(MEASURES), 2)).copy()


def outcome(seed: int, **right: float) -> Outcome:
    names = {"attention": ATTENTION, "words": WORDS, "distances": DISTANCES, "branching": BRANCHING}
    return Outcome(seed, scores={names[name]: counts(value) for name, value in right.items()})


def uas(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["measure"] == "uas"].set_index("probe")


def test_a_probe_stands_beside_random_twins() -> None:
    own = [outcome(seed, attention=value, branching=3) for seed, value in enumerate((8, 9))]
    twins = [outcome(seed, attention=value) for seed, value in enumerate((1, 1.1))]
    row = uas(summary_table(own, twins, 0)).loc[ATTENTION]
    assert (row["beside"], row["beside_mean"]) == (of_twins(ATTENTION), pytest.approx(0.105))
    ends = ["above", "above_low", "above_high"]
    assert row[ends].tolist() == pytest.approx([0.745] * 3), "blocks are equal"
    # the limit: 0.105 + 6.31 * sqrt(0.005 / 2 + 0.00005 * 1.5) = 0.43
    assert row["sure"]
    far = [outcome(seed, attention=value) for seed, value in enumerate((1, 3))]
    # the limit: 0.2 + 6.31 * sqrt(0.005 / 2 + 0.02 * 1.5) = 1.34
    assert not uas(summary_table(own, far, 0)).loc[ATTENTION, "sure"], "another twin might do as well"


def test_without_twins_it_stands_beside_trees_that_branch_right() -> None:
    own = [outcome(seed, attention=8, branching=3, words=9, distances=9.5) for seed in range(2)]
    table = uas(summary_table(own, [], 0))
    assert table.loc[ATTENTION, ["beside", "beside_mean", "sure"]].tolist() == [BRANCHING, 0.3, True]
    assert table.loc[WORDS, ["beside", "sure"]].tolist() == [DISTANCES, False]
    assert table.loc[WORDS, "above"] == pytest.approx(-0.05)
    assert table.loc[BRANCHING, "beside"] == "" and not table.loc[BRANCHING, "sure"]


def test_of_one_seed_nothing_is_sure() -> None:
    table = uas(summary_table([outcome(0, attention=9, branching=1)], [], 0))
    assert table.loc[ATTENTION, "above"] == pytest.approx(0.8) and not table.loc[ATTENTION, "sure"]


def test_a_drop_is_sure_if_it_is_for_all_heads_at_once() -> None:
    """Over forty blocks the first head takes one word of ten in each, the second one in two of them."""
    blocks = np.arange(40)
    full = np.stack([np.full(40, 8.0), np.full(40, 10.0)], -1)[:, None]
    without = np.stack([np.full(40, 7.0), 8.0 - (blocks < 2)], -1)
    made = Outcome(0, scores={ATTENTION: full}, without={ATTENTION: without})
    drop, low, high, sure = _drop([made], ATTENTION, seed=0)
    assert drop.tolist() == pytest.approx([0.1, 0.005])
    assert sure.tolist() == [True, False] and low[1] <= 0 < high[1]
