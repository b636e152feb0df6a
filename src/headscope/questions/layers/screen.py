"""What is printed after a run of layers."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, percent, readable, shown
from headscope.results.result import Result

OWN_KIND = ("BERT-base", "BERT,")
"""What is printed of what was published begins with this."""


def screen(result: Result) -> Iterator[Shown]:
    """Where tasks are solved, scores by layer, baselines, bits, single cases, and what was published."""
    columns = ["task", "labels", "score", "gained", "expected", "clipped", "gravity", "bits"]
    yield shown(result, "layer_tasks", columns)
    tasks = result.table("layer_tasks")
    for _, row in tasks[tasks["why"] != ""].iterrows():
        yield Shown(f"No expected layer of {row['task']}: {row['why']}")
    yield _by_layer(result)
    yield shown(result, "layer_baselines", ["task", "beside", "score", "beside_score", "above"])
    if "layer_codes" in result.tables:
        codes = result.table("layer_codes")
        wide = codes.pivot(index="task", columns="layer", values="bits_each").round(3)
        yield Shown("Bits for each label (online code), from the layers up to each one", wide.reset_index())
    yield from _cases(result)
    yield shown(result, "layer_targets", ["task", "split", "read", "cut", "pieceless", "used"])
    if "layer_published" in result.tables:
        says, published = result.declaration("layer_published"), result.table("layer_published")
        own = published[published["about"].str.startswith(OWN_KIND)]
        columns = ["task", "measure", "value", "ours", "source", "about"]
        yield Shown(f"{says.title} (BERT; more in the table)", readable(own, says, columns))


def _by_layer(result: Result) -> Shown:
    layers = result.table("layers")
    wide = layers.pivot(index="task", columns="layer", values="score").map(percent)
    order = result.table("layer_tasks")["task"]
    title = "Score in percent, from the layers up to each one (0: embeddings)"
    return Shown(title, wide.reindex(order).reset_index())


def _cases(result: Result) -> Iterator[Shown]:
    """The most telling case of each task."""
    if "layer_cases" not in result.tables:
        return
    cases = result.table("layer_cases")
    for task, rows in cases[cases["case"] == 1].groupby("task", sort=False):
        wide = rows.pivot(index="label", columns="layer", values="probability").map(percent)
        true = ", ".join(dict.fromkeys(rows.loc[rows["true"], "label"]))
        order = list(dict.fromkeys(rows["label"]))
        title = f"{task}, by layer in percent; true is {true}: {rows['text'].iloc[0]}"
        yield Shown(title, wide.reindex(order).reset_index())
