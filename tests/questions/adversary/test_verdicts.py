"""What runs decide: planted effects are found, single models and equal ones decide nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from headscope.questions.adversary.kinds import (
    ADVERSARY,
    BASE,
    CARRIES,
    CONTROL,
    ELSEWHERE,
    EMPTY,
    EVEN,
    FALLS,
    ITSELF,
    NEEDED,
    RANDOM,
    REGIMES,
    SAME,
    SEED,
)
from headscope.questions.adversary.tables import collapse_table, curve_table, frozen_table, regimes_table
from headscope.questions.adversary.verdicts import verdict_table
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

PENALTIES = (0.0, 0.003, 0.01, 0.1)
SCORES = {0.0: 0.88, 0.003: 0.875, 0.01: 0.84, 0.1: 0.73}
FAR = {0.0: 0.1, 0.003: 0.37, 0.01: 0.52, 0.1: 0.66}


def run(
    kind: str, score: float, far: float, seed: int, attention: str = "own", penalty: float = np.nan
) -> Any:
    shift = 0.002 * (seed - 1)
    told = {"kind": kind, "attention": attention, "penalty": penalty, "seed": seed, "diverged": False}
    measured = {"score": score + shift, "jsd": far, "jsd_matched": far + shift, "kl": 10 * far + shift}
    rest = dict.fromkeys(
        ("f1", "loss", "variation", "half_variation", "agreement", "kl_matched", "tau", "top"), 0.1
    )
    return told | measured | rest


def planted(seeds: int = 3, scores: dict[float, float] = SCORES, controls: float = 0.73) -> pd.DataFrame:
    """A sweep whose last penalty is a collapse to what controls score."""
    rows = [run(BASE, 0.9, 0.0, 0)]
    for seed in range(seeds):
        rows += [run(ADVERSARY, scores[each], FAR[each], seed, penalty=each) for each in PENALTIES]
        rows.append(run(SEED, 0.885, 0.1, seed))
        rows += [run(CONTROL, controls, 0.5, seed, attention=name) for name in (EVEN, ITSELF, RANDOM)]
    return pd.DataFrame(rows)


def given(base: float, seeds: int = 3, fall: float = 0.05) -> pd.DataFrame:
    rows = []
    for seed in range(seeds):
        shift = 0.002 * (seed - 1)
        told = {"net": SAME, "seed": seed, "diverged": False, "f1": np.nan, "loss": 0.1}
        rows.append(told | {"maps": BASE, "penalty": np.nan, "score": base + shift})
        rows += [
            told | {"maps": ADVERSARY, "penalty": penalty, "score": base - fall * place + shift}
            for place, penalty in enumerate((0.0, 0.001, 0.003, 0.01, 0.1))
        ]
    return pd.DataFrame(rows)


def verdicts(runs: pd.DataFrame, frozen: pd.DataFrame | None = None, examples: int = 100) -> dict[str, str]:
    table = told(runs, frozen, examples)
    return dict(zip(table["claim"], table["verdict"], strict=True))


def told(runs: pd.DataFrame, frozen: pd.DataFrame | None = None, examples: int = 100) -> pd.DataFrame:
    tables = {"runs": runs, "collapse": collapse_table(runs, 0)}
    regimes = regimes_table(runs, 0)
    tables |= {} if frozen is None else {"frozen_runs": frozen}
    return verdict_table(tables | ({"regimes": regimes} if len(regimes) else {}), examples, 0.02)


def test_a_planted_sweep_is_told_as_it_is() -> None:
    found = verdicts(planted(), given(0.89))
    assert found == {
        ELSEWHERE: YES, NEEDED: YES, CARRIES: YES, FALLS: YES, REGIMES: NOT_TESTED, EMPTY: YES,
    }  # fmt: skip
    row = told(planted()).iloc[0]
    assert (row["penalty"], row["jsd"]) == (0.003, pytest.approx(0.37))
    assert row["value"] == pytest.approx(-0.005)


def test_what_costs_more_than_the_margin_is_no_other_way() -> None:
    dear = {0.0: 0.88, 0.003: 0.8, 0.01: 0.78, 0.1: 0.73}
    assert verdicts(planted(scores=dear))[ELSEWHERE] == NO


def test_attention_that_nobody_needs() -> None:
    """Even attention is as good, and so are even maps in another net."""
    found = verdicts(planted(controls=0.886), given(0.886, fall=0.0))
    assert found[NEEDED] == NO and found[CARRIES] == NO
    assert found[FALLS] == UNDECIDED


@pytest.mark.parametrize("few", [{"seeds": 1}, {"seeds": 3, "examples": 5}])
def test_single_models_and_few_texts_decide_nothing(few: dict[str, int]) -> None:
    found = verdicts(planted(few["seeds"]), given(0.89, few["seeds"]), few.get("examples", 100))
    del found[FALLS]  # a correlation of means, where single models have their say
    assert {*found.values()} <= {UNDECIDED, NOT_TESTED}


def test_two_kinds_of_adversaries_are_found() -> None:
    runs = planted(8)
    half = (runs["penalty"] == 0.01) & (runs["seed"] % 2 == 0)
    runs.loc[half, "score"] = 0.735 + 0.001 * runs.loc[half, "seed"]
    row = told(runs).set_index("claim").loc[REGIMES]
    assert row["verdict"] == YES and row["penalty"] == 0.01
    assert row["value"] == pytest.approx(0.84 - 0.738, abs=0.01)


def test_eight_alike_are_one_kind() -> None:
    runs = planted(8)
    runs["score"] += np.random.default_rng(0).normal(0, 0.01, len(runs))
    assert verdicts(runs)[REGIMES] == UNDECIDED


def test_the_step_lies_where_it_was_planted() -> None:
    table = collapse_table(planted(), 0).set_index("along")
    assert table.loc["penalty", "place"] == pytest.approx(np.sqrt(0.01 * 0.1))
    assert 0.52 < table.loc["jsd_matched", "place"] < 0.66
    assert table.loc["penalty", "before"] == pytest.approx(np.mean([0.88, 0.875, 0.84]))
    assert table.loc["penalty", "behind"] == pytest.approx(0.73)


def test_runs_that_broke_off_are_counted_and_left_out() -> None:
    runs = planted()
    broken = (runs["penalty"] == 0.1) & (runs["seed"] == 0)
    runs.loc[broken, "diverged"] = True
    runs.loc[broken, ["score", "jsd_matched", "kl", "jsd"]] = np.nan
    row = curve_table(runs).set_index("penalty").loc[0.1]
    assert (row["models"], row["diverged"]) == (2, 1)
    assert row["score"] == pytest.approx(0.731)
    assert verdicts(runs)[ELSEWHERE] == YES


def test_means_of_given_maps_by_hand() -> None:
    table = frozen_table(given(0.89)).set_index(["maps", "penalty"])
    assert table.loc[(ADVERSARY, 0.1), "score"] == pytest.approx(0.69)
    assert table.loc[(ADVERSARY, 0.1), "deviation"] == pytest.approx(0.002)
    assert table.loc[(ADVERSARY, 0.1), "models"] == 3
