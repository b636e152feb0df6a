"""`headscope finetune MODEL DATA`"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headscope.cli.options import (
    Column,
    Device,
    Json,
    Label,
    Limit,
    ModelName,
    Out,
    Quiet,
    Revision,
    Second,
    Seed,
)

if TYPE_CHECKING:
    import pandas as pd

    from headscope.results.result import Result


class Trained(StrEnum):
    """What --task may be."""

    classification = "classification"
    pairs = "pairs"
    tagging = "tagging"


def finetune(
    model: ModelName,
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="Labelled data to train on: a table (.csv, .tsv), JSON lines, a data set, or words with a "
            "tag each (.iob, .bio, .tags, or any file with `--task tagging`); each also .gz, .xz or .bz2.",
        ),
    ],
    task: Annotated[
        Trained | None,
        typer.Option(help="Default: tagging for words with tags, pairs with --second, else classification."),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(help="Data to choose the best weights on. Default: a part of DATA, held out."),
    ] = None,
    held_out: Annotated[float, typer.Option(help="The part that is held out without --dev.")] = 0.1,
    test: Annotated[str | None, typer.Option(help="Data to score once, at the end.")] = None,
    out: Out = None,
    epochs: Annotated[int, typer.Option(min=1, help="How often to go through the data.")] = 3,
    rate: Annotated[float, typer.Option(help="Highest learning rate.")] = 1e-4,
    batch_size: Annotated[int, typer.Option(min=1, help="Examples in a step.")] = 32,
    pieces: Annotated[
        int | None, typer.Option(min=1, help="Longest text in pieces. Default: 128, or what fits.")
    ] = None,
    freeze_embeddings: Annotated[
        bool, typer.Option(help="Leave the word embeddings as they are, which is faster.")
    ] = True,
    evaluations: Annotated[int, typer.Option(min=1, help="Look at the dev data so often in an epoch.")] = 4,
    patience: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many evaluations without a better one.")
    ] = None,
    column: Column = None,
    label: Label = None,
    second: Second = None,
    device: Device = "cpu",
    revision: Revision = None,
    limit: Limit = None,
    seed: Seed = 0,
    plots: Annotated[bool, typer.Option(help="Draw the figures as PNG, SVG and PDF.")] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Train a model for a task of your own.

    Puts a new head on the model and trains both on labelled texts, pairs of texts, or words with tags. The
    best weights are chosen on other data, and the model is saved in the folder `model` of the run,
    as transformers loads it. `headscope ablate RUN/model DATA` then asks which heads the task needs.

    Example: `headscope finetune default train.tsv --dev dev.tsv --test test.tsv --out runs/mine`
    A run that was stopped goes on with the same command.
    """
    options = {
        "kind": None if task is None else str(task), "held_out": held_out, "epochs": epochs, "rate": rate,
        "batch_size": batch_size, "pieces": pieces, "freeze_embeddings": freeze_embeddings,
        "evaluations": evaluations, "patience": patience, "limit": limit, "seed": seed,
        "column": column, "label": label, "second": second,
    }  # fmt: skip
    from headscope.cli.screen import progress_bar
    from headscope.jobs.finetune import MODEL, Question, answer, finetune_path

    question = Question.of(model, data, dev, test, options, device=device, revision=revision)
    path = out or finetune_path(question)
    with progress_bar("finetune", question.total, quiet or json) as progress:
        result = answer(question, path, progress, plots).result
    report(path, path / MODEL, test or dev or data, result, quiet, json)


def report(path: Path, model: Path, data: str, result: Result, quiet: bool, json: bool) -> None:
    """The evaluations, the scores, and where the model is."""
    from rich.markup import escape

    from headscope.cli.screen import console, print_notes, print_places, print_result, print_table

    if json:
        print_result(path, result, model=str(model))
    elif not quiet:
        scores = result.table("finetuned")
        metric = scores["metric"].iloc[0]
        print_table(_course(result.table("training"), metric), "Training (* the weights that were kept)")
        console.print()
        print_table(_scores(scores), f"Scores in percent, {metric}")
        console.print()
        print_notes(result)
        print_places(path)
        console.print(f"model   {escape(str(model))}", soft_wrap=True)
        console.print(f"next    headscope ablate {escape(f'{model} {data}')}", soft_wrap=True)


def _course(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One row per evaluation."""
    told = table[["step"]].assign(epoch=table["epoch"].map("{:.2f}".format))
    told["minutes"] = (table["seconds"] / 60).map("{:.1f}".format)
    told["train loss"] = table["train_loss"].map("{:.4f}".format)
    told["dev loss"] = table["dev_loss"].map("{:.4f}".format)
    told[f"dev {metric}"] = table["dev_score"].map(_percent)
    return told.assign(**{"": table["chosen"].map({True: "*", False: ""})})


def _scores(table: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, with the baseline where there is one."""
    told = table[["data", "source", "examples"]].assign(score=table["score"].map(_percent))
    told["interval"] = table["low"].map(_percent) + " to " + table["high"].map(_percent)
    told["loss"] = table["loss"].map("{:.4f}".format)
    if table["majority"].notna().any():
        told["majority"] = table["majority"].map(_percent)
    return told


def _percent(value: float) -> str:
    return "" if value != value else f"{100 * value:.1f}"
