"""What training found, in sentences."""

from __future__ import annotations

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

TEST = "test"


def findings(result: Result) -> list[Finding]:
    """How good the models are on each data set, and when the first was best."""
    seeds = result.table("seeds")
    ordered = seeds.sort_values("data", key=lambda names: names != TEST, kind="stable")
    made = [_score(result, int(row)) for row in ordered.index]
    training = result.table("training")
    best = training.index[training["chosen"]][0]
    course = training.index[training["seed"] == training["seed"][best]]
    if best == course[-1]:
        text = (
            "Seed {seed} was best after its last epoch, {epoch} (dev loss {dev_loss}): whether more epochs "
            "would help is open."
        )
    else:
        text = (
            "Seed {seed} was best after epoch {epoch} (dev loss {dev_loss}) and no later one was better: "
            "that more epochs would help is not shown."
        )
    return [*made, *_lengths(result), finding(result, "training", best, text, decided=False)]


def _lengths(result: Result) -> list[Finding]:
    """How well long texts are translated, of the data that were scored last."""
    if "bleu" not in result.tables:
        return []
    table = result.table("bleu")
    rows = table.index[(table["quarter"] == "longest") & (table["scorer"] == "headscope")]
    text = (
        "Of the quarter of {data} data with the longest sources, {least} to {most}, BLEU is {bleu}; on "
        "other texts it may be different."
    )
    return [finding(result, "bleu", int(row), text, decided=False) for row in rows[-1:]]


def _score(result: Result, row: int) -> Finding:
    data = values_of(result, "seeds", row)
    if data["models"] > 1:
        score = "mean {metric} on {data} data is {mean} over {models:n model}, from {lowest} to {highest}"
    else:
        score = "{metric} on {data} data is {mean} (one model)"
    is_known, has_learned = _learned(result, data["data"])
    if data["data"] != TEST and (has_learned or not is_known or _learned(result, TEST)[1]):
        text = f"The {score}; the same examples chose the weights, so the number may be optimistic."
        return finding(result, "seeds", row, text, decided=False)
    if not is_known:
        text = f"The {score}; nothing simpler was measured to hold it against."
        return finding(result, "seeds", row, text, decided=False)
    told = "The net has learned the task" if has_learned else "That the net has learned the task is not shown"
    text = f"{told}: {score}{'' if has_learned else ', where one label alone may do as well'}."
    return finding(result, "seeds", row, text, decided=has_learned)


def _learned(result: Result, name: str) -> tuple[bool, bool]:
    """Whether one label alone was scored on these data, and whether every model is above it."""
    trained = result.table("trained")
    own = trained[trained["data"] == name]
    above = len(own) and (own["low"] > own["constant"]).all()
    return bool(own["constant"].notna().all()), bool(above)
