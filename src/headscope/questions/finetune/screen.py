"""What is printed after fine-tuning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import join

import pandas as pd

from headscope.questions.finetune.findings import is_short
from headscope.questions.groups import OfColumns
from headscope.questions.options import fields_of
from headscope.questions.screens import Shown, percent, readable
from headscope.results.result import Result

SHORT = 3.0
"""Minutes from which times are told in these."""
LONGER = 4
"""So many times the epochs, where these were too few."""
SIMPLE = (
    "“majority %” is what the label most frequent in training would score alone, “best label %” what the one "
    "most frequent in these data would"
)


def screen(result: Result) -> Iterator[Shown]:
    """The evaluations and the scores."""
    scores, says = result.table("finetuned"), result.declaration("finetuned")
    metric = scores["metric"].iloc[0]
    yield Shown("Training (* the weights that were kept)", _course(result.table("training"), metric))
    simple = ["majority", "constant"] if scores["constant"].notna().any() else []
    table = readable(scores, says, ["data", "source", "examples", "score", *simple, "loss"])
    yield Shown(f"Scores, {metric}", table.rename(columns={"constant %": "best label %"}))
    if simple:
        yield Shown(SIMPLE)


def next_step(result: Result, options: Mapping[str, object], places: Mapping[str, str]) -> str | None:
    """What to do with the model that was saved, if it has learned anything."""
    if "model" not in places:
        return None
    if is_short(result):
        return f"train longer: --epochs {LONGER * int(str(options['epochs']))} and another --out"
    # Scored on what it was trained on, a model looks better than it is.
    data = options["test"] or options["dev"] or "OTHER_DATA"
    given = [(field.flag, options[field.name]) for field in fields_of(OfColumns)]
    columns = [word for flag, name in given if name is not None for word in (flag, str(name))]
    return f"headscope ablate {join([places['model'], str(data), *columns])}"


def _course(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per evaluation."""
    course = table[["step"]].assign(epoch=table["epoch"].map("{:.2f}".format))
    minutes = table["seconds"] / 60
    is_long = minutes.max() >= SHORT
    course["minutes" if is_long else "seconds"] = (minutes if is_long else table["seconds"]).map(
        "{:.1f}".format
    )
    course["train loss"] = table["train_loss"].map("{:.4f}".format)
    course["dev loss"] = table["dev_loss"].map("{:.4f}".format)
    course[f"dev {metric} %"] = table["dev_score"].map(percent)
    return course.assign(**{"": table["chosen"].map({True: "*", False: ""})})
