"""What fine-tuning found, in sentences."""

from __future__ import annotations

from typing import Any

import pandas as pd

from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

TEST = "test"
BESIDE = "the best label alone gets {constant}"
SCORE = "{metric} on {source} ({data}) is {score:full}, over {examples:n example}"


def findings(result: Result) -> list[Finding]:
    """How good the model is on test data, on the data that chose its weights, and when it was best."""
    training = result.table("training")
    made = [_score(result, row) for row in _test_first(result).index]
    (best,) = training.index[training["chosen"]]
    if is_short(result):
        text = (
            "The best weights were the last ones, of epoch {epoch} and step {step} (dev loss {dev_loss}), so "
            "what more training brings is open: try it (--epochs) before you ask what heads do for the task."
        )
    elif best == training.index[-1]:
        text = (
            "The best weights were the last ones, of epoch {epoch} (dev loss {dev_loss}): whether more "
            "epochs would help is open."
        )
    else:
        text = (
            "The best weights came at epoch {epoch} (dev loss {dev_loss}) and none after were better: "
            "that more training would help is not shown."
        )
    return [*made, finding(result, "training", best, text, decided=False)]


def is_short(result: Result) -> bool:
    """Whether training ended while it went on getting better, and more of it could show that it has learned.

    It could not, where even all answers right, over so few examples, would be nothing beside one label.
    """
    if not result.table("training")["chosen"].iloc[-1] or _is_learned(result):
        return False
    judged = _test_first(result).iloc[0]
    of_all_right = (LEVEL / 2) ** (1 / judged["examples"])  # the lower end of an exact interval
    return bool(judged["score"] < 1 and of_all_right > judged["constant"])


def _score(result: Result, row: Any) -> Finding:
    data = values_of(result, "finetuned", row)
    has_learned = bool(data["low"] > data["constant"])
    if data["data"] != TEST and (has_learned or pd.isna(data["constant"]) or _is_learned(result)):
        text = f"The {SCORE}; the same examples chose the weights, so the number may be optimistic."
        return finding(result, "finetuned", row, text, decided=False)
    if pd.isna(data["constant"]):
        text = f"The {SCORE}; nothing simpler was measured to hold it against."
        return finding(result, "finetuned", row, text, decided=False)
    if has_learned:
        text = f"The model has learned the task: {SCORE}; {BESIDE}."
    else:
        text = f"That the model has learned the task is not shown: {SCORE}; {BESIDE}."
    return finding(result, "finetuned", row, text, decided=has_learned)


def _is_learned(result: Result) -> bool:
    """Whether test data show that the model has learned, or, without them, those that chose the weights."""
    judged = _test_first(result).iloc[0]
    return bool(judged["low"] > judged["constant"])


def _test_first(result: Result) -> pd.DataFrame:
    """The scores, those on test data before those on data that chose the weights."""
    return result.table("finetuned").sort_values("data", key=lambda names: names != TEST, kind="stable")
