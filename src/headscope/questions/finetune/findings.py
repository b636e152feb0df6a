"""What fine-tuning found, in sentences."""

from __future__ import annotations

from typing import Any

import pandas as pd

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

TEST = "test"
SCORE = "{metric} on {source} ({data}) is {score:full}, over {examples:n example}"


def findings(result: Result) -> list[Finding]:
    """How good the model is on test data, on the data that chose its weights, and when it was best."""
    scores, training = result.table("finetuned"), result.table("training")
    ordered = scores.sort_values("data", key=lambda names: names != TEST, kind="stable")
    made = [_score(result, row) for row in ordered.index]
    (best,) = training.index[training["chosen"]]
    text = "The weights are those of epoch {epoch} (dev loss {dev_loss}); whether more would help is open."
    return [*made, finding(result, "training", best, text, decided=False)]


def _score(result: Result, row: Any) -> Finding:
    data = values_of(result, "finetuned", row)
    if data["data"] != TEST:
        text = f"The {SCORE}, which also chose the weights: it may be too high."
        return finding(result, "finetuned", row, text, decided=False)
    if pd.isna(data["constant"]):
        text = f"The {SCORE}; nothing simpler was measured to hold it against."
        return finding(result, "finetuned", row, text, decided=False)
    has_learned = data["low"] > data["constant"]
    beside = "the best label alone gets {constant}"
    if has_learned:
        text = f"The model has learned the task: {SCORE}; {beside}."
    else:
        text = f"That the model has learned the task is not shown: {SCORE}; {beside}."
    return finding(result, "finetuned", row, text, decided=has_learned)
