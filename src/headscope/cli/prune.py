"""`headscope prune MODEL DATA --train DATA`"""

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


def prune(
    model: ModelName,
    data: TaskData,
    train: Annotated[
        str | None, typer.Option(help="Training data, on which the orders are decided. Needed.")
    ] = None,
    out: Out = None,
    beside: Annotated[
        list[Path] | None, typer.Option(help="An earlier prune run to show its curves too; may be repeated.")
    ] = None,
    remove: Annotated[float, typer.Option(help="Share of the heads to take out for real; 0 for none.")] = 0.5,
    order: Annotated[
        str,
        typer.Option(
            help="Whose order to take out: `importance`, `importance, recomputed`, `single-head effect`, "
            "`gates`, `reversed`."
        ),
    ] = "importance",
    score: Annotated[
        str, typer.Option(help="Importance by `example` (the paper), `token` (its code), or `confidence`.")
    ] = "example",
    normalised: Annotated[bool, typer.Option(help="Divide importance by its length in the layer.")] = True,
    steps: Annotated[int, typer.Option(min=1, help="Points of a curve.")] = 10,
    random: Annotated[int, typer.Option(min=0, help="Random orders, for the band.")] = 50,
    gate_steps: Annotated[int, typer.Option(min=0, help="Batches to learn gates on; 0 for none.")] = 300,
    penalty: Annotated[float, typer.Option(help="What an open gate costs (lambda).")] = 0.1,
    stack: Annotated[str | None, typer.Option(help="Only the `encoder`, `decoder` or `cross` heads.")] = None,
    speed: Annotated[bool, typer.Option(help="Time the smaller model.")] = True,
    task: TaskKind = None,
    metric: MetricName = None,
    column: Column = None,
    label: Label = None,
    second: Second = None,
    target: Target = None,
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
    """How many heads a task can spare, and a model that is really without them.

    Heads are removed step by step: in the order of their importance (measured once, or anew at each step),
    of their effect alone, of learned gates, the most important first, and at random. Then a share of them is
    taken out for real: the smaller model is saved in the run folder as `model`, checked against the masked
    one, and timed.

    Example: `headscope prune runs/reviews/model test.tsv --train reviews.tsv --remove 0.5`.
    A run that was stopped goes on with the same command.
    """

    options: dict[str, Any] = {
        "kind": None if task is None else str(task), "metric": metric, "column": column, "label": label,
        "second": second, "target": target, "remove": remove, "order": order, "score": score,
        "normalised": normalised, "steps": steps, "random": random, "gate_steps": gate_steps,
        "penalty": penalty, "stack": stack, "speed": speed, "train_limit": train_limit, "pieces": pieces,
        "batch_size": batch_size, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    from headscope.cli.answering import answered
    from headscope.jobs import prune as job

    loading = {"adapter": adapter, "device": device, "dtype": dtype, "revision": revision}
    given = data, train, beside or []
    path, result = answered(job, model, loading, given, out, plots, quiet or json, options)
    _report(path, result, quiet, json)


def _report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The areas under the curves, and what the smaller model gains."""
    from headscope.cli.screen import console, print_notes, print_places, print_result, print_table

    if json:
        print_result(path, result)
        return
    if quiet:
        return
    curves = result.table("pruning")
    known = curves[curves["order"] != "random"]
    shown = known.pivot_table(index=["task", "order"], columns="removed", values="score", sort=False)
    percent = shown.map(lambda value: f"{100 * value:.1f}").reset_index()
    print_table(percent, "Score in percent by the number of heads removed")
    console.print()
    print_table(result.table("pruning_areas"), "Area under each curve")
    console.print()
    if "pruned_model" in result.tables:
        print_table(result.table("pruned_model"), "The smaller model")
        console.print()
    if "speed" in result.tables:
        print_table(_speed(result.table("speed")), "Examples per second, milliseconds per batch")
        console.print()
    print_notes(result)
    print_places(path)
    if (path / "model").is_dir():
        console.print(f"model   {path / 'model'}", soft_wrap=True, markup=False)


def _speed(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    ratios = table[["ratio", "ratio_low", "ratio_high", "ceiling"]].map("{:.2f}".format)
    return table[["batch_size"]].assign(
        before=table["before"].map("{:,.1f}".format),
        after=table["after"].map("{:,.1f}".format),
        ms_before=(1000 * table["seconds_before"]).map("{:,.1f}".format),
        ms_after=(1000 * table["seconds_after"]).map("{:,.1f}".format),
        ratio=ratios["ratio"],
        spread=ratios["ratio_low"] + " to " + ratios["ratio_high"],
        ceiling=ratios["ceiling"],
    )
