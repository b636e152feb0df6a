"""What the runs decide: how far attention can move at which cost, and whether maps are worth anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from headscope.blocks import FEWEST
from headscope.measures.regimes import difference_of_means
from headscope.measures.statistics import drawn_apart, holm
from headscope.questions.adversary.kinds import (
    ADVERSARY,
    BASE,
    CARRIES,
    CONTROL,
    CONTROLS,
    ELSEWHERE,
    EMPTY,
    EVEN,
    FALLS,
    ITSELF,
    MIXED,
    NEEDED,
    NEEDED_BY_COPIES,
    OWN,
    RANDOM,
    REGIMES,
    SAME,
    SEED,
)
from headscope.questions.adversary.tables import adversaries_of
from headscope.results.finding import LEVEL
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

BEYOND = "score less that of the best of even maps, random maps and attention to itself"
FALLING = "Spearman's correlation of penalty and score of given maps"
FEWEST_ORDERED = 4
"""Penalties whose order could show something: of three, chance alone gives each order once in six."""


def verdict_table(
    tables: dict[str, pd.DataFrame], examples: int, margin: float, fresh: bool = True
) -> pd.DataFrame:
    """A row for each claim; of fewer texts than a handful, nothing is decided.

    fresh: models started from nothing; those that start from a copy of the model can be given no maps.
    """
    runs, given = tables["runs"], tables.get("frozen_runs")
    rows = [_elsewhere(runs, margin, fresh), _needed(runs, margin, NEEDED if fresh else NEEDED_BY_COPIES)]
    if given is None:
        rows += [_row(claim, NOT_TESTED, number) for claim, number in ((CARRIES, BEYOND), (FALLS, FALLING))]
    else:
        nets = list(dict.fromkeys(given["net"]))
        # Without a path for the word itself, a net shows how much weight stays there, not what maps carry.
        rows += [_carries(runs, given, net, margin) for net in nets if net != MIXED]
        rows += _corrected([_falls(given, net) for net in nets])
    rows += [_regimes(tables["regimes"], margin), _empty(runs, tables["collapse"], margin)]
    table = pd.DataFrame(rows)
    if examples < FEWEST:
        table.loc[table["verdict"] != NOT_TESTED, "verdict"] = UNDECIDED
    return table


def _row(claim: str, verdict: str, number: str, **more: Any) -> dict[str, Any]:
    blank = {"net": SAME, "value": np.nan, "low": np.nan, "high": np.nan, "bound": np.nan}
    blank |= {"correlation": np.nan, "against": "", "penalty": np.nan, "jsd": np.nan, "jsd_of_seeds": np.nan}
    blank |= {"agreement": np.nan, "ordinary": "", "p": np.nan, "models": 0}
    return {"claim": claim, "verdict": verdict, "number": number} | blank | more


def _good(runs: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    chosen = ~runs["diverged"].astype(bool)
    for name, value in wanted.items():
        chosen &= runs[name] == value
    return runs[chosen]


def _scores(runs: pd.DataFrame, **wanted: Any) -> np.ndarray:
    return _good(runs, **wanted)["score"].to_numpy(float)


def _ordinary(runs: pd.DataFrame, fresh: bool) -> tuple[str, np.ndarray]:
    """How far models lie that nothing drove away, and what they are.

    Copies of the model that learn on are no other seeds; two or more that were given with --against are.
    """
    seeds = _good(runs, kind=SEED)
    given = seeds[seeds["attention"] != OWN]
    if not fresh and len(given) > 1:
        return "other seeds", given["jsd_matched"].to_numpy(float)
    near = pd.concat([_good(runs, kind=ADVERSARY, penalty=0.0), seeds])
    # Who shares a seed starts and is shuffled alike, and labels are nearly what the model answers: one draw.
    draws = near["seed"].fillna(-1 - near.index.to_series())
    distances = near["jsd_matched"].groupby(draws).mean().to_numpy(float)
    return "ordinary models" if fresh else "continued trainings of the model", distances


def _elsewhere(runs: pd.DataFrame, margin: float, fresh: bool) -> dict[str, Any]:
    """The furthest penalty whose attention lies beyond that of ordinary models, at no loss above the margin.

    Neither the score nor the agreement with the model's answers may fall by more than that of penalty 0.
    """
    number = "score less that of penalty 0"
    own = adversaries_of(runs)
    reference = own[own["penalty"] == 0]
    ordinary, usual = _ordinary(runs, fresh)
    known = {"against": "penalty 0", "bound": -margin, "ordinary": ordinary}
    known["jsd_of_seeds"] = usual.mean() if len(usual) else np.nan
    penalties = [penalty for penalty in own["penalty"].unique() if penalty > 0]
    level = 1 - LEVEL / max(1, len(penalties))
    kept: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    open_: list[dict[str, Any]] = []  # what more models might show
    for penalty in penalties:
        here = own[own["penalty"] == penalty]
        far = here["jsd_matched"].to_numpy(float)
        beyond = bool(drawn_apart(far, usual, level))
        if not beyond and not (len(usual) and far.mean() > usual.mean()):
            continue
        score, same = (
            difference_of_means(here[name].to_numpy(float), reference[name].to_numpy(float), level)
            for name in ("score", "agreement")
        )
        row = {
            **_ends(score),
            "agreement": same[0],
            "penalty": penalty,
            "jsd": far.mean(),
            "models": len(here),
        }
        if score[2] < -margin or same[2] < -margin:
            lost.append(row)
        elif beyond and np.min([score[1], same[1]]) > -margin:
            kept.append(row)
        else:
            open_.append(row)
    if kept:
        return _row(ELSEWHERE, YES, number, **known, **max(kept, key=lambda row: row["jsd"]))
    if open_ or not lost:
        best = max(open_, key=lambda row: row["value"]) if open_ else {}
        return _row(ELSEWHERE, UNDECIDED, number, **known, **best)
    return _row(ELSEWHERE, NO, number, **known, **max(lost, key=lambda row: row["value"]))


def _ends(difference: tuple[float, float, float]) -> dict[str, float]:
    """A difference of scores and its interval, which ends where differences of scores do."""
    return dict(zip(("value", "low", "high"), np.clip(difference, -1, 1).tolist(), strict=True))


def _judged(difference: tuple[float, float, float], margin: float) -> str:
    """Yes: a difference above the margin is shown; no: one as large as the margin is ruled out."""
    _, low, high = difference
    if np.isnan(low):
        return UNDECIDED
    return YES if low > margin else NO if high < margin else UNDECIDED


def _needed(runs: pd.DataFrame, margin: float, claim: str) -> dict[str, Any]:
    """Own attention against the best of nets that learn none, all learning the labels here."""
    number = "score less that of the best of nets that learn no attention"
    own = _scores(runs, kind=SEED, attention=OWN)
    others = {name: _scores(runs, kind=CONTROL, attention=name) for name in CONTROLS}
    return _beyond(claim, number, own, others, margin)


def _carries(runs: pd.DataFrame, given: pd.DataFrame, net: str, margin: float) -> dict[str, Any]:
    """Maps of the model against the best of maps that say nothing, in fresh nets."""
    own = _scores(given, net=net, maps=BASE)
    others = {
        name: _scores(runs, kind=CONTROL, attention=name)
        if net == SAME
        else _scores(given, net=net, maps=name)
        for name in (EVEN, RANDOM, ITSELF)
    }
    return _beyond(CARRIES, BEYOND, own, others, margin) | {"net": net}


def _beyond(
    claim: str, number: str, own: np.ndarray, others: dict[str, np.ndarray], margin: float
) -> dict[str, Any]:
    """Whether scores lie above those of all others by more than the margin; told is the best of these."""
    others = {name: scores for name, scores in others.items() if len(scores)}
    if not others or not len(own):
        return _row(claim, NOT_TESTED, number)
    best = max(others, key=lambda name: float(others[name].mean()))
    # All are held against, so that choosing the best one costs nothing.
    differences = {
        name: difference_of_means(own, scores, 1 - LEVEL / len(others)) for name, scores in others.items()
    }
    verdicts = {_judged(each, margin) for each in differences.values()}
    verdict = YES if verdicts == {YES} else NO if NO in verdicts else UNDECIDED
    more = {"against": best, "bound": margin, "models": len(own)}
    return _row(claim, verdict, number, **more, **_ends(differences[best]))


def _falls(given: pd.DataFrame, net: str) -> dict[str, Any]:
    """Spearman's correlation of penalty and mean score of nets with maps of adversaries."""
    own = _good(given, net=net, maps=ADVERSARY)
    by_penalty = own.groupby("penalty")["score"]
    if len(by_penalty) < FEWEST_ORDERED:
        return _row(FALLS, NOT_TESTED, FALLING, net=net)
    reached, p = falling(by_penalty.mean().to_numpy(float))
    verdict = YES if by_penalty.size().min() > 1 else UNDECIDED  # single models decide nothing
    return _row(FALLS, verdict, FALLING, net=net, correlation=reached, p=p, models=len(own))


def _corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Holm's correction for the nets that were tried; what is then not beyond chance stays open."""
    tested = [row for row in rows if row["verdict"] != NOT_TESTED]
    for row, p in zip(tested, holm(np.array([row["p"] for row in tested])), strict=True):
        row["p"] = float(p)
        row["verdict"] = row["verdict"] if p < LEVEL else UNDECIDED
    return rows


def falling(scores: np.ndarray, draws: int = 9999) -> tuple[float, float]:
    """Spearman's correlation of scores with their places, and how often any order falls as clearly.

    >>> correlation, p = falling(np.array([0.9, 0.8, 0.7]))
    >>> round(correlation, 3), abs(p - 1 / 6) < 0.02
    (-1.0, True)
    """
    places, ranks = np.arange(len(scores), dtype=float), rankdata(scores)
    if np.ptp(ranks) == 0:
        return 0.0, 1.0
    places, ranks = ((each - each.mean()) / each.std() for each in (places, ranks))
    reached = float((places * ranks).mean())
    tiled = np.broadcast_to(ranks, (draws, len(ranks))).copy()
    drawn = (places * np.random.default_rng(0).permuted(tiled, axis=1)).mean(1)
    return reached, float((1 + np.count_nonzero(drawn <= reached + 1e-12)) / (1 + draws))


def _regimes(regimes: pd.DataFrame, margin: float) -> dict[str, Any]:
    """Whether scores of one penalty part into two groups, corrected for the penalties that were tried."""
    number = "difference of the two groups' mean scores"
    if not len(regimes):
        return _row(REGIMES, NOT_TESTED, number)
    adjusted = holm(regimes["p"].to_numpy(float))
    best = int(adjusted.argmin())
    row = regimes.iloc[best]
    more = {"value": row["higher"] - row["lower"], "penalty": row["penalty"], "models": int(row["models"])}
    apart = adjusted[best] < LEVEL and row["gap"] > margin
    return _row(REGIMES, YES if apart else UNDECIDED, number, p=adjusted[best], bound=margin, **more)


def _empty(runs: pd.DataFrame, collapse: pd.DataFrame, margin: float) -> dict[str, Any]:
    """Adversaries behind a collapse against nets whose attention says nothing; untested without a collapse.

    A collapse is a step that fits better than a line, down by more than the margin for certain.
    """
    number, own = (
        "score of adversaries behind the step less that of the nearest control",
        adversaries_of(runs),
    )
    if not len(collapse):
        return _row(EMPTY, NOT_TESTED, number)
    along = collapse[collapse["along"] == "penalty"].iloc[0]
    place = float(along["place"])
    behind = own.loc[own["penalty"].astype(float) > place, "score"].to_numpy(float)
    before = own.loc[own["penalty"].astype(float) < place, "score"].to_numpy(float)
    controls = {name: _scores(runs, kind=CONTROL, attention=name) for name in (EVEN, ITSELF, RANDOM)}
    controls = {name: scores for name, scores in controls.items() if len(scores)}
    if not controls or not len(behind):
        return _row(EMPTY, NOT_TESTED, number)
    places = max(1, own["penalty"].nunique() - 1)  # where the step could have been
    if not (along["gain"] > 0 and difference_of_means(before, behind, 1 - LEVEL / places)[1] > margin):
        return _row(EMPTY, NOT_TESTED, number)
    near = min(controls, key=lambda name: abs(float(controls[name].mean()) - behind.mean()))
    difference, low, high = difference_of_means(behind, controls[near], 1 - LEVEL / len(controls))
    verdict = UNDECIDED
    if not np.isnan(low):
        verdict = YES if max(-low, high) < margin else NO if max(low, -high) > margin else UNDECIDED
    more = {"against": near, "bound": margin, "penalty": place, "models": len(behind)}
    return _row(EMPTY, verdict, number, **more, **_ends((difference, low, high)))
