"""What training found, in sentences."""

from __future__ import annotations

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

TEST = "test"
MEAN = "The mean {metric} on {data} data is {mean} over {models:n model}"


def findings(result: Result) -> list[Finding]:
    """How good the models are on each data set, and when the first was best."""
    seeds = result.table("seeds")
    ordered = seeds.sort_values("data", key=lambda names: names != TEST, kind="stable")
    made = [_score(result, int(row)) for row in ordered.index]
    training = result.table("training")
    best = training.index[training["chosen"]][0]
    text = "Seed {seed} was best after epoch {epoch} (dev loss {dev_loss}); whether more would help is open."
    return [*made, *_lengths(result), finding(result, "training", best, text, decided=False)]


def _lengths(result: Result) -> list[Finding]:
    """How well long texts are translated, of the data that were scored last."""
    if "bleu" not in result.tables:
        return []
    table = result.table("bleu")
    rows = table.index[(table["quarter"] == "longest") & (table["scorer"] == "headscope")]
    text = (
        "Of the quarter of {data} data with the longest sources, {least} to {most}, BLEU is {bleu}; of other "
        "texts it may be another."
    )
    return [finding(result, "bleu", int(row), text, decided=False) for row in rows[-1:]]


def _score(result: Result, row: int) -> Finding:
    data = values_of(result, "seeds", row)
    spread = ", from {lowest} to {highest}" if data["models"] > 1 else ""
    if data["data"] != TEST:
        text = f"{MEAN}{spread}, which also chose the weights: it may be too high."
        return finding(result, "seeds", row, text, decided=False)
    trained = result.table("trained")
    own = trained[trained["data"] == TEST]
    if own["constant"].isna().any():
        text = f"{MEAN}{spread}; nothing simpler was measured to hold it against."
        return finding(result, "seeds", row, text, decided=False)
    has_learned = bool((own["low"] > own["constant"]).all())
    told = "The net has learned the task" if has_learned else "That the net has learned the task is not shown"
    text = f"{told}: {MEAN[0].lower()}{MEAN[1:]}{spread}."
    return finding(result, "seeds", row, text, decided=has_learned)
