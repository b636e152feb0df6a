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
    MIXED,
    NEEDED,
    NEEDED_BY_COPIES,
    PLAIN,
    RANDOM,
    REGIMES,
    SAME,
    SEED,
)
from headscope.questions.adversary.tables import collapse_table, curve_table, frozen_table, regimes_table
from headscope.questions.adversary.verdicts import _ordinary, verdict_table
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
    rest = dict.fromkeys(("f1", "loss", "variation", "half_variation", "kl_matched", "tau", "top"), 0.1)
    return told | measured | rest | {"agreement": 0.95 + shift}


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


def told(
    runs: pd.DataFrame, frozen: pd.DataFrame | None = None, examples: int = 100, fresh: bool = True
) -> pd.DataFrame:
    tables = {"runs": runs, "collapse": collapse_table(runs, 0), "regimes": regimes_table(runs, 0)}
    tables |= {} if frozen is None else {"frozen_runs": frozen}
    return verdict_table(tables, examples, 0.02, fresh)


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


def test_a_penalty_that_may_lie_beyond_keeps_it_open() -> None:
    """Dear penalties alone do not say no while a cheap one may be further away than ordinary models are."""
    runs = planted(scores={0.0: 0.88, 0.003: 0.879, 0.01: 0.78, 0.1: 0.73})
    cheap = (runs["kind"] == ADVERSARY) & (runs["penalty"] == 0.003)
    runs.loc[cheap, "jsd_matched"] = [0.12, 0.3, 0.6]  # beyond .1 in the mean, not for certain
    row = told(runs).iloc[0]
    assert (row["verdict"], row["penalty"]) == (UNDECIDED, 0.003)
    runs.loc[cheap, "jsd_matched"] = 0.09
    assert told(runs).iloc[0]["verdict"] == NO


def test_models_of_one_seed_are_one_draw() -> None:
    """Of seeds 0, 1, 2 at .1, .2 and .3, and penalty 0 the same: three draws of mean .2, not six."""
    runs = planted()
    for kind in (SEED, ADVERSARY):
        near = (runs["kind"] == kind) & ~(runs["penalty"] > 0)
        runs.loc[near, "jsd_matched"] = [0.1, 0.2, 0.3]
    ordinary, draws = _ordinary(runs, fresh=True)
    assert ordinary == "ordinary models" and draws.tolist() == pytest.approx([0.1, 0.2, 0.3])


def test_attention_is_needed_only_beyond_all_that_learn_none() -> None:
    runs = planted()
    runs.loc[runs["attention"] == ITSELF, "score"] += 0.2
    row = told(runs).set_index("claim").loc[NEEDED]
    assert (row["verdict"], row["against"]) == (NO, ITSELF)


def test_intervals_end_where_scores_do() -> None:
    """Two models of a kind, far apart: Student's t with about one degree of freedom."""
    runs = planted(2)
    runs.loc[runs["kind"] == SEED, "score"] = [0.2, 0.9]
    row = told(runs).set_index("claim").loc[NEEDED]
    assert (row["low"], row["high"]) == (-1.0, 1.0) and row["verdict"] == UNDECIDED


def test_single_models_have_no_step() -> None:
    assert not len(collapse_table(planted(1), 0))
    table = collapse_table(planted(), 0).set_index("along")
    assert (table.loc["penalty", "low"], table.loc["penalty", "high"]) == (0.01, 0.1)


def test_attention_that_nobody_needs() -> None:
    """Even attention is as good, and so are even maps in another net."""
    found = verdicts(planted(controls=0.886), given(0.886, fall=0.0))
    assert found[NEEDED] == NO and found[CARRIES] == NO
    assert found[FALLS] == UNDECIDED


@pytest.mark.parametrize("few", [{"seeds": 1}, {"seeds": 3, "examples": 5}])
def test_single_models_and_few_texts_decide_nothing(few: dict[str, int]) -> None:
    found = verdicts(planted(few["seeds"]), given(0.89, few["seeds"]), few.get("examples", 100))
    assert {*found.values()} <= {UNDECIDED, NOT_TESTED}


def test_two_kinds_of_adversaries_are_found() -> None:
    runs = planted(8)
    half = (runs["penalty"] == 0.01) & (runs["seed"] % 2 == 0)
    runs.loc[half, "score"] = 0.735 + 0.001 * runs.loc[half, "seed"]
    row = told(runs).set_index("claim").loc[REGIMES]
    assert row["verdict"] == YES and row["penalty"] == 0.01
    assert row["value"] == pytest.approx(0.84 - 0.738, abs=0.01)


def test_one_that_lies_apart_is_no_kind() -> None:
    """Seven of eight at .84 and one at .70: the best parting has three in the lower group, no gap between."""
    runs = planted(8)
    runs.loc[(runs["penalty"] == 0.01) & (runs["seed"] == 3), "score"] = 0.70
    assert verdicts(runs)[REGIMES] == UNDECIDED
    assert (regimes_table(runs, 0)["lower_models"] >= 3).all()


def test_a_gap_within_the_margin_is_none() -> None:
    runs = planted(8)
    half = (runs["penalty"] == 0.01) & (runs["seed"] % 2 == 0)
    runs.loc[runs["penalty"] == 0.01, "score"] = 0.84 + 1e-4 * runs["seed"]
    runs.loc[half, "score"] -= 0.015
    row = told(runs).set_index("claim").loc[REGIMES]
    assert row["p"] < 0.05 and row["verdict"] == UNDECIDED


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


def test_the_same_score_with_other_answers_is_no_other_way() -> None:
    runs = planted()
    runs.loc[(runs["kind"] == ADVERSARY) & (runs["penalty"] > 0), "agreement"] -= 0.1
    row = told(runs).set_index("claim").loc[ELSEWHERE]
    assert row["verdict"] == NO and row["agreement"] == pytest.approx(-0.1)


def test_attention_to_itself_is_held_against_too() -> None:
    runs = planted()
    runs.loc[runs["attention"] == ITSELF, "score"] += 0.16  # to .89, as maps of the model
    row = told(runs, given(0.89)).set_index("claim").loc[CARRIES]
    assert (row["verdict"], row["against"]) == (NO, ITSELF)


def test_a_net_without_a_path_for_the_word_is_not_asked_what_maps_carry() -> None:
    frozen = pd.concat([given(0.89).assign(net=net) for net in (SAME, MIXED, PLAIN)])
    table = told(planted(), frozen)
    assert table.loc[table["claim"] == CARRIES, "net"].tolist() == [SAME, PLAIN]


def test_a_correlation_counts_models_and_is_corrected_for_nets() -> None:
    alone = told(planted(), given(0.89)).set_index("claim").loc[FALLS]
    frozen = pd.concat([given(0.89).assign(net=net) for net in (SAME, MIXED, PLAIN)])
    table = told(planted(), frozen).set_index("claim")
    assert alone["models"] == 15
    assert table.loc[FALLS, "p"].tolist() == pytest.approx([3 * alone["p"]] * 3)


def test_a_flat_sweep_has_no_collapse() -> None:
    assert verdicts(planted(scores=dict.fromkeys(PENALTIES, 0.73)))[EMPTY] == NOT_TESTED
    rising = dict(zip(PENALTIES, (0.6, 0.6, 0.6, 0.73), strict=True))
    assert verdicts(planted(scores=rising))[EMPTY] == NOT_TESTED


def test_a_difference_must_pass_the_margin() -> None:
    """Own attention scores .885: .015 above is neither shown to pass .02, nor is .02 ruled out by .004."""
    found = {even: verdicts(planted(controls=even))[NEEDED] for even in (0.85, 0.8655, 0.875)}
    assert found == {0.85: YES, 0.8655: UNDECIDED, 0.875: NO}


def test_given_models_count_for_distances_alone() -> None:
    runs = planted()
    others = pd.DataFrame([run(SEED, 0.2, 0.1, seed, attention=f"{seed}: other") for seed in range(3)])
    row = told(pd.concat([runs, others], ignore_index=True)).set_index("claim").loc[NEEDED]
    assert row["value"] == pytest.approx(0.885 - 0.73)


def test_copies_are_said_to_be_copies() -> None:
    runs = planted()
    table = told(runs, fresh=False).set_index("claim")
    assert NEEDED_BY_COPIES in table.index and NEEDED not in table.index
    assert table.loc[[CARRIES, FALLS], "verdict"].tolist() == [NOT_TESTED] * 2
    assert table.loc[ELSEWHERE, "ordinary"] == "continued trainings of the model"
    others = pd.DataFrame([run(SEED, 0.88, 0.4, seed, attention=f"{seed}: other") for seed in range(3)])
    table = told(pd.concat([runs, others], ignore_index=True), fresh=False).set_index("claim")
    assert table.loc[ELSEWHERE, "ordinary"] == "other seeds"
    assert table.loc[ELSEWHERE, "jsd_of_seeds"] == pytest.approx(0.4)
