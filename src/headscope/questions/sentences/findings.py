"""What sentences found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """What is read off best, how the last layer does, what a classifier leans on, what could not be asked."""
    return [*_best(result), *_last(result), *_erased(result), *_too_few(result)]


def _best(result: Result) -> Iterator[Finding]:
    """The task that gains most over its best baseline, and how many do."""
    scores = result.table("sentence_scores")
    lower = np.where(scores["above_low"].isna(), -np.inf, scores["above_low"])
    row = int(np.lexsort((scores["above"], lower))[-1])
    is_sure = values_of(result, "sentence_scores", row)["sure"]
    numbers = "{accuracy:full} of the answers at layer {layer} are right, {beside_accuracy} by “{beside}”"
    if is_sure:
        text = f"{{task}} gains most over what needs no model: {numbers}, a difference of {{above:full}}."
    else:
        text = f"That any task gains over what needs no model is not shown; nearest is {{task}}: {numbers}."
    yield finding(result, "sentence_scores", row, text, decided=is_sure)
    above = values_of(result, "sentence_summary", 0)["above"]
    if above:
        text = "In {above} of {tasks:n task}, the layer that tuning chooses beats every baseline."
    else:
        text = "In none of {tasks:n task} is the layer that tuning chooses shown to beat every baseline."
    yield finding(result, "sentence_summary", 0, text, decided=bool(above))


def _last(result: Result) -> Iterator[Finding]:
    """Whether the last layer has lost what the middle one had; nothing where not both were asked for."""
    summary = values_of(result, "sentence_summary", 0)
    if np.isnan(summary["lower"]):
        return
    is_shown = 2 * summary["surely_lower"] > summary["tasks"]
    if is_shown:
        text = (
            "The last layer ({last_layer}) is worse than the middle one ({middle_layer}) on {lower} of "
            "{tasks:n task}, on {surely_lower} of them beyond chance."
        )
    else:
        text = (
            "That the last layer ({last_layer}) is worse than the middle one ({middle_layer}) on most tasks "
            "is not shown: it is on {lower} of {tasks}, on {surely_lower} of them beyond chance."
        )
    yield finding(result, "sentence_summary", 0, text, decided=is_shown)


def _erased(result: Result) -> Iterator[Finding]:
    """How few dimensions hold half of what the best read task gains."""
    scores, erasure = result.table("sentence_scores"), result.table("sentence_erasure")
    sure = scores[scores["sure"]]
    chosen = (sure if len(sure) else scores).sort_values("above", ascending=False, kind="stable").iloc[0]
    row = erasure.index[(erasure["task"] == chosen["task"]) & (erasure["layer"] == chosen["layer"])][0]
    values = values_of(result, "sentence_erasure", row)
    is_shown = bool(len(sure)) and values["half"] < values["half_random"]
    if is_shown:
        text = (
            "Half of what layer {layer} gains for {task} is gone without {half} of its {dimensions} "
            "dimensions, in random order without {half_random}; it leans most on {leading}."
        )
    else:
        text = (
            "On which of the {dimensions} dimensions of layer {layer} a classifier of {task} leans is open."
        )
    yield finding(result, "sentence_erasure", row, text, decided=is_shown)


def _too_few(result: Result) -> Iterator[Finding]:
    """The first task that could not be probed."""
    tasks = result.table("sentence_tasks")
    text = "Nothing is said of {task}, which has too little to go by: {examples:n example}, {labels:n label}."
    for row in tasks.index[~tasks["probed"]][:1]:
        yield finding(result, "sentence_tasks", row, text, decided=False)
