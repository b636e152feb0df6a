"""`headscope ablate MODEL DATA`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headscope.cli.options import (
    Adapter,
    Column,
    Device,
    Dtype,
    Heads,
    Json,
    Label,
    Layers,
    Limit,
    MetricName,
    ModelName,
    Out,
    Precision,
    Quiet,
    Revision,
    Second,
    Seed,
    Target,
    TaskData,
    TaskKind,
    chosen,
)

if TYPE_CHECKING:
    import pandas as pd

    from headscope.results.result import Result


def ablate(
    model: ModelName,
    data: TaskData,
    out: Out = None,
    train: Annotated[
        str | None,
        typer.Option(help="Training data: decides which head stays alone in its layer, means, importance."),
    ] = None,
    other: Annotated[
        str | None, typer.Option(help="A second data set of the task: do its effects agree?")
    ] = None,
    task: TaskKind = None,
    metric: MetricName = None,
    column: Column = None,
    label: Label = None,
    second: Second = None,
    target: Target = None,
    by: Annotated[str, typer.Option(help="What a removed head hands on: `zero` or its `mean`.")] = "zero",
    margin: Annotated[
        float, typer.Option(help="The loss that `harmless` excludes: 0.01 is one point.")
    ] = 0.01,
    gradients: Annotated[bool, typer.Option(help="Measure importance by gradients too.")] = True,
    train_limit: Annotated[int, typer.Option(min=1, help="Only so many examples of --train.")] = 1000,
    pieces: Annotated[
        int | None, typer.Option(min=1, help="Longest example in pieces. Default: 128, or what fits.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Examples run together.")] = 32,
    layers: Layers = None,
    heads: Heads = None,
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
    limit: Limit = None,
    seed: Seed = 0,
    plots: Annotated[bool, typer.Option(help="Draw the figures as PNG, SVG and PDF.")] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Which heads matter for a task.

    Every head is removed alone, then whole layers, then (with --train) all heads of a layer but the best.
    What that does to the score is tested over examples and corrected for the number of heads: a head is
    worse or better to be without, harmless (a loss above --margin is excluded) or undecided. Beside it
    stands each head's importance by gradients.

    Example: `headscope finetune default reviews.tsv --out runs/reviews`, then
    `headscope ablate runs/reviews/model test.tsv --train reviews.tsv`.
    A run that was stopped goes on with the same command.
    """

    options: dict[str, Any] = {
        "kind": None if task is None else str(task), "metric": metric, "column": column, "label": label,
        "second": second, "target": target, "by": by, "margin": margin, "gradients": gradients,
        "train_limit": train_limit, "pieces": pieces, "batch_size": batch_size, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    from headscope.cli.answering import answered
    from headscope.jobs import ablate as job

    loading = {"adapter": adapter, "device": device, "dtype": dtype, "revision": revision}
    given = (data, train, other)
    path, result = answered(job, model, loading, given, out, plots, quiet or json, options)
    _report(path, result, quiet, json)


def _report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The heads that matter, whole layers, and what importance would have said."""
    from headscope.cli.screen import console, print_notes, print_places, print_result, print_table

    if json:
        print_result(path, result)
        return
    if quiet:
        return
    summary = result.table("ablation_summary")
    base = f"{summary['metric'][0]} {100 * summary['score'][0]:.2f} on {summary['data'][0]}"
    counts = summary.drop(columns=["data", "task", "metric", "score"])
    print_table(counts, f"All heads in place: {base}")
    console.print()
    heads = result.table("ablation").sort_values(["effect", "loss_effect"], ascending=[True, False])
    print_table(_points(heads.head(8)), "Heads that are missed most, in points")
    console.print()
    print_table(_points(result.table("ablation_layers")), "Layers, in points")
    console.print()
    for name, title in (
        ("importance_agreement", "Rank correlation of importance with the harm done"),
        ("ablation_agreement", "Effects on both data sets"),
    ):
        if name in result.tables:
            print_table(result.table(name), title)
            console.print()
    print_notes(result)
    print_places(path)


def _points(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    points = table[["effect", "low", "high"]].map(lambda value: f"{100 * value:+.2f}")
    return _names(table).assign(
        score=(100 * table["score"]).map("{:.2f}".format),
        effect=points["effect"],
        interval=(points["low"] + " to " + points["high"]).where(table["low"].notna(), ""),
        p=table["p_adjusted"].map("{:.2g}".format),
        verdict=table["verdict"],
        loss=table["loss_effect"].map("{:+.4f}".format),
    )


def _names(table: pd.DataFrame) -> pd.DataFrame:
    """What was removed, as short as it can be said."""
    if "head" in table.columns:
        return table[["head"]]
    several = table["stack"].nunique() > 1
    layer = (table["stack"] + " " if several else "") + table["layer"].astype(str)
    removed = table["removed"].where(table["kept"] == "", "all but " + table["kept"])
    return table[[]].assign(layer=layer, removed=removed)
