"""The tables of trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from headscope.explainers import EXPLAINERS
from headscope.measures.faithfulness import normalised
from headscope.measures.statistics import bootstrap_interval
from headscope.questions.trust.card import CLAIMS, MEANINGS, claims_with, may_be_shown, summary
from headscope.questions.trust.claims.identifies import identifies
from headscope.questions.trust.judging import LEAST_ROOM, Judged, by_blocks
from headscope.questions.trust.numbers import (
    AOPC,
    BACKWARD,
    BEST,
    FORWARD,
    LEAVE_ONE_OUT,
    MEASURES,
    WORST,
    Numbers,
    best_of,
)
from headscope.results.vocabulary import NOT_TESTED, YES

INTERVALS = ("comprehensiveness", "aopc", "until", "tau")
"""Measures that are told with an interval."""

CHANCE = "random orders, mean of 5"
"""What most claims are held against."""

TITLES = {
    "leave-one-out": "the text without the word",
    "random": "chance, mean of 5 shuffles",
    "ascending": "the one on trial, least important first",
    "best": "the model's own best order, in texts in which it was searched",
    "worst": "the model's own worst order, in the same texts",
}


NUMBERS = {
    "value": "value", "value_low": "value_low", "value_high": "value_high", "baseline": "baseline",
    "ceiling": "ceiling", "way": "share", "low": "low", "high": "high",
}  # fmt: skip
"""Columns of numbers, and what of a verdict they hold."""


class Said(NamedTuple):
    """A claim judged, and what its value, baseline and ceiling are; why: it was not tested."""

    judged: Judged | None
    value: str = ""
    baseline: str = ""
    ceiling: str = ""
    why: str = ""


def claims_table(said: Mapping[str, Said], removed: str, target: str) -> pd.DataFrame:
    """A row for each claim."""
    return pd.DataFrame([_row(claim, said.get(claim, Said(None)), removed, target) for claim in CLAIMS])


def _row(claim: str, said: Said, removed: str, target: str) -> dict[str, Any]:
    judged = said.judged
    if judged is None or not judged.answers:
        numbers: dict[str, Any] = dict.fromkeys(NUMBERS, np.nan) | {"answers": 0, "documents": 0}
    else:
        numbers = {name: getattr(judged, field) for name, field in NUMBERS.items()}
        numbers |= {"answers": judged.answers, "documents": judged.documents}
    tested = numbers["answers"] > 0
    return {
        "claim": claim,
        "verdict": judged.verdict if judged is not None and tested else NOT_TESTED,
        "means": MEANINGS[claim],
        **numbers,
        "measure": said.value,
        "beside": said.baseline,
        "best": said.ceiling,
        "removed": removed,
        "target": target,
        "why": judged.why if judged is not None and tested else said.why,
    }


def verdicts_of(claims: pd.DataFrame) -> dict[str, str]:
    """The verdict of each claim."""
    return dict(zip(claims["claim"], claims["verdict"], strict=True))


def card_table(claims: pd.DataFrame, numbers: Numbers, margin: float, seed: int) -> pd.DataFrame:
    """The card: one row."""
    verdicts = verdicts_of(claims)
    shown = may_be_shown(verdicts)
    instead = None if shown == YES else better(numbers, margin, seed)
    passes = {"passes": FORWARD, "backward": BACKWARD}
    return pd.DataFrame(
        [
            {
                "explanation": numbers.of,
                "shown": shown,
                "summary": summary(numbers.of, verdicts),
                "instead": instead or "",
                **{
                    name: np.nan if instead is None else mean(numbers.measure(measure, instead))
                    for name, measure in passes.items()
                },
                "not_tested": ", ".join(claims_with(verdicts, NOT_TESTED)),
            }
        ]
    )


def better(numbers: Numbers, margin: float, seed: int) -> str | None:
    """The other explanation that identifies best, if it is beyond chance better than that on trial.

    Whether it is, is told by what each half of the documents chooses for the other. One that does not
    identify, either, is not named.
    """
    rivals = [name for name in (*numbers.rivals, LEAVE_ONE_OUT) if name != numbers.of]
    difference = best_of(numbers, AOPC, rivals) - numbers.on_trial(AOPC)
    low, _ = interval(difference, numbers.documents, seed)
    if not low > 0:
        return None
    scores = [np.nanmean(numbers.measure(AOPC, name)) for name in rivals]
    best = rivals[int(np.argmax(scores))]
    return best if identifies(replace(numbers, of=best), margin, seed).verdict == YES else None


def interval(values: np.ndarray, documents: np.ndarray, seed: int) -> tuple[float, float]:
    """Of the mean over answers that have a value, (answer,)."""
    known = ~np.isnan(values)
    sums = by_blocks(np.stack([values[known], np.ones(known.sum())], 1), documents[known])
    low, high = bootstrap_interval(sums[:, 0], sums[:, 1], seed)
    return float(low), float(high)


def faithfulness_table(numbers: Numbers, seed: int) -> pd.DataFrame:
    """A row for each explanation that words were taken away by, that on trial first."""
    low, high = (numbers.measure(AOPC, name) for name in (WORST, BEST))
    rows = []
    for name in numbers.names:
        row: dict[str, Any] = {"explanation": name, "what": title_of(name), "on_trial": name == numbers.of}
        for measure in MEASURES:
            values = numbers.measure(measure, name)
            row[measure] = mean(values)
            if measure in INTERVALS:
                ends = interval(values, numbers.documents, seed)
                row |= dict(zip((f"{measure}_low", f"{measure}_high"), ends, strict=True))
            if measure == AOPC:
                row["naopc"] = mean(normalised(values, low, high, LEAST_ROOM))
        row["answers"] = int((~np.isnan(numbers.measure(AOPC, name))).sum())
        if row["answers"]:
            rows.append(row)
    return pd.DataFrame(rows)


def removals_table(dataset: xr.Dataset, seed: int) -> pd.DataFrame:
    """A row for each other way to take words away and each of a few explanations."""
    documents, rows = dataset["document"].values, []
    for place, removal in enumerate(dataset["removal"].values.tolist()):
        for number, name in enumerate(dataset["few"].values.tolist()):
            gone, kept = dataset["removal_value"].values[:, place, number].T
            low, high = interval(gone, documents, seed)
            ends = {"comprehensiveness_low": low, "comprehensiveness_high": high}
            row = {"removal": removal, "explanation": name, "comprehensiveness": mean(gone), **ends}
            rows.append({**row, "sufficiency": mean(kept)})
    return pd.DataFrame(rows)


def mean(values: np.ndarray) -> float:
    """Over what is known; NaN where nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


def title_of(name: str) -> str:
    """What an explanation is, in a few words."""
    if name in TITLES:
        return TITLES[name]
    return EXPLAINERS[name].title if name in EXPLAINERS else f"attention of head {name}"


def summary_table(numbers: Numbers, facts: Sequence[str], **said: Any) -> pd.DataFrame:
    """What was answered: one row."""
    told = {name: mean(numbers.fact(name)) for name in facts}
    counts = {"answers": len(numbers.documents), "documents": len(np.unique(numbers.documents))}
    return pd.DataFrame([{**said, **counts, **told}])
