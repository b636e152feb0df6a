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
from headscope.questions.adversary.tables import adversaries_of
from headscope.results.finding import LEVEL
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES


def verdict_table(tables: dict[str, pd.DataFrame], examples: int, margin: float) -> pd.DataFrame:
    """A row for each claim; of fewer texts than a handful, nothing is decided."""
    runs, given = tables["runs"], tables.get("frozen_runs")
    rows = [_elsewhere(runs, margin), _needed(runs, margin)]
    if given is not None:
        rows += [_carries(runs, given, net, margin) for net in dict.fromkeys(given["net"])]
        rows += [_falls(given, net) for net in dict.fromkeys(given["net"])]
    rows += [_regimes(tables.get("regimes")), _empty(runs, tables["collapse"], margin)]
    table = pd.DataFrame(rows)
    if examples < FEWEST:
        table.loc[table["verdict"] != NOT_TESTED, "verdict"] = UNDECIDED
    return table


def _row(claim: str, verdict: str, number: str, **more: Any) -> dict[str, Any]:
    blank = {"net": SAME, "value": np.nan, "low": np.nan, "high": np.nan, "bound": np.nan}
    blank |= {"correlation": np.nan, "against": "", "penalty": np.nan, "jsd": np.nan, "jsd_of_seeds": np.nan}
    blank |= {"p": np.nan, "models": 0}
    return {"claim": claim, "verdict": verdict, "number": number} | blank | more


def _good(runs: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    chosen = ~runs["diverged"].astype(bool)
    for name, value in wanted.items():
        chosen &= runs[name] == value
    return runs[chosen]


def _scores(runs: pd.DataFrame, **wanted: Any) -> np.ndarray:
    return _good(runs, **wanted)["score"].to_numpy(float)


def _elsewhere(runs: pd.DataFrame, margin: float) -> dict[str, Any]:
    """The furthest penalty whose attention lies beyond that of other seeds, at no loss above the margin."""
    number = "score less that of penalty 0"
    own = adversaries_of(runs)
    reference = own[own["penalty"] == 0]
    usual = pd.concat([reference, _good(runs, kind=SEED)])["jsd_matched"].to_numpy(float)
    known = {"against": "penalty 0", "bound": -margin, "jsd_of_seeds": usual.mean() if len(usual) else np.nan}
    penalties = [penalty for penalty in own["penalty"].unique() if penalty > 0]
    level = 1 - LEVEL / max(1, len(penalties))
    found: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    for penalty in penalties:
        here = own[own["penalty"] == penalty]
        far = here["jsd_matched"].to_numpy(float)
        difference = difference_of_means(
            here["score"].to_numpy(float), reference["score"].to_numpy(float), level
        )
        told = dict(zip(("value", "low", "high"), difference, strict=True))
        told |= {"penalty": penalty, "jsd": far.mean(), "models": len(here)}
        if bool(drawn_apart(far, usual, level)):
            (found if difference[1] > -margin else lost).append(told)
    if found:
        return _row(ELSEWHERE, YES, number, **known, **max(found, key=lambda told: told["jsd"]))
    if not lost:
        return _row(ELSEWHERE, UNDECIDED, number, **known)
    least = max(lost, key=lambda told: told["value"])
    all_lost = all(told["high"] < -margin for told in lost)
    return _row(ELSEWHERE, NO if all_lost else UNDECIDED, number, **known, **least)


def _judged(difference: tuple[float, float, float], margin: float) -> str:
    """Yes: there is a difference beyond chance; no: one as large as the margin is ruled out."""
    _, low, high = difference
    if np.isnan(low):
        return UNDECIDED
    return YES if low > 0 else NO if high < margin else UNDECIDED


def _needed(runs: pd.DataFrame, margin: float) -> dict[str, Any]:
    """Own attention against even attention, both learning the labels."""
    number, own = "score less that of even attention", _scores(runs, kind=SEED)
    even = _scores(runs, kind=CONTROL, attention=EVEN)
    if not len(even):
        return _row(NEEDED, NOT_TESTED, number)
    difference = difference_of_means(own, even)
    told = dict(zip(("value", "low", "high"), difference, strict=True))
    return _row(
        NEEDED, _judged(difference, margin), number, against=EVEN, bound=margin, models=len(even), **told
    )


def _carries(runs: pd.DataFrame, given: pd.DataFrame, net: str, margin: float) -> dict[str, Any]:
    """Maps of the model against the better of even and random maps, in fresh nets."""
    number, own = "score less that of the better of even and random maps", _scores(given, net=net, maps=BASE)
    others = {
        name: _scores(runs, kind=CONTROL, attention=name)
        if net == SAME
        else _scores(given, net=net, maps=name)
        for name in (EVEN, RANDOM)
    }
    others = {name: scores for name, scores in others.items() if len(scores)}
    if not others or not len(own):
        return _row(CARRIES, NOT_TESTED, number, net=net)
    best = max(others, key=lambda name: float(others[name].mean()))
    # Both are held against, so that choosing the better one costs nothing.
    differences = [difference_of_means(own, scores, 1 - LEVEL / len(others)) for scores in others.values()]
    verdicts = [_judged(each, margin) for each in differences]
    told = dict(zip(("value", "low", "high"), differences[list(others).index(best)], strict=True))
    verdict = YES if set(verdicts) == {YES} else NO if NO in verdicts else UNDECIDED
    return _row(CARRIES, verdict, number, net=net, against=best, bound=margin, models=len(own), **told)


def _falls(given: pd.DataFrame, net: str) -> dict[str, Any]:
    """Spearman's correlation of penalty and mean score of nets with maps of adversaries."""
    number = "Spearman's correlation of penalty and score of given maps"
    means = _good(given, net=net, maps=ADVERSARY).groupby("penalty")["score"].mean()
    if len(means) < 3:
        return _row(FALLS, NOT_TESTED, number, net=net)
    reached, p = falling(means.to_numpy(float))
    verdict = YES if p < LEVEL else UNDECIDED
    return _row(FALLS, verdict, number, net=net, correlation=reached, p=p, models=len(means))


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


def _regimes(regimes: pd.DataFrame | None) -> dict[str, Any]:
    """Whether scores of one penalty part into two groups, corrected for the penalties that were tried."""
    number = "difference of the two groups' mean scores"
    if regimes is None:
        return _row(REGIMES, NOT_TESTED, number)
    adjusted = holm(regimes["p"].to_numpy(float))
    best = int(adjusted.argmin())
    row = regimes.iloc[best]
    told = {"value": row["higher"] - row["lower"], "penalty": row["penalty"], "models": int(row["models"])}
    return _row(REGIMES, YES if adjusted[best] < LEVEL else UNDECIDED, number, p=adjusted[best], **told)


def _empty(runs: pd.DataFrame, collapse: pd.DataFrame, margin: float) -> dict[str, Any]:
    """Adversaries behind the step against nets with even attention or attention to themselves."""
    number, own = (
        "score of adversaries behind the step less that of the nearest control",
        adversaries_of(runs),
    )
    place = float(collapse.loc[collapse["along"] == "penalty", "place"].iloc[0])
    behind = own.loc[own["penalty"].astype(float) > place, "score"].to_numpy(float)
    controls = {name: _scores(runs, kind=CONTROL, attention=name) for name in (EVEN, ITSELF, RANDOM)}
    controls = {name: scores for name, scores in controls.items() if len(scores)}
    if not controls or not len(behind):
        return _row(EMPTY, NOT_TESTED, number)
    near = min(controls, key=lambda name: abs(float(controls[name].mean()) - behind.mean()))
    level = 1 - LEVEL / len(controls)
    difference, low, high = difference_of_means(behind, controls[near], level)
    verdict = UNDECIDED
    if not np.isnan(low):
        verdict = YES if low > -margin and high < margin else NO if low > 0 or high < 0 else UNDECIDED
    told = {"value": difference, "low": low, "high": high, "models": len(behind)}
    return _row(EMPTY, verdict, number, against=near, bound=margin, penalty=place, **told)
