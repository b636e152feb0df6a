"""`headscope survey MODEL TEXT`"""

from __future__ import annotations

from collections.abc import Sequence
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
    from headscope.results.result import Result
    from headscope.text import Corpus


def survey(
    model: ModelName,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help=(
                "Plain text (documents parted by blank lines), .csv, .tsv, .jsonl, .conllu, .conll, .dep "
                "(each also .gz, .xz or .bz2), a folder, a saved dataset, or hf:NAME."
            ),
        ),
    ],
    out: Out = None,
    pieces: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Longest segment in pieces, special tokens included. Default: 128, or what the model takes.",
        ),
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Segments run together.")] = 16,
    column: Annotated[str | None, typer.Option(help="Which column or key holds the text.")] = None,
    target: Annotated[str | None, typer.Option(help="Column of target texts, for encoder-decoders.")] = None,
    distances: Annotated[bool, typer.Option(help="Distances between heads, their map and clusters.")] = True,
    gradients: Annotated[bool, typer.Option(help="Gradients of the model's own loss, if it has one.")] = True,
    masking: Annotated[
        float, typer.Option(min=0, max=1, help="Share of pieces hidden for a masked-language-model loss.")
    ] = 0.15,
    rows: Annotated[
        int | None, typer.Option(min=1, help="Hear only so many sampled query rows of each segment.")
    ] = None,
    known: Annotated[
        list[Path] | None,
        typer.Option(
            help="Run folder of syntax or coref on this model: its heads get roles. May be repeated."
        ),
    ] = None,
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
    """What every head does on the surface, over a whole text.

    For each head: attention to the token itself, the previous and the next one, at every offset, to
    special tokens and punctuation, its entropy, its strongest key; the distance of every two heads; the
    gradient of the model's loss; and from these a role. Numbers stand beside what even attention gives.

    Example: `headscope survey default my.txt --out runs/mine`, then look into runs/mine/plots.
    A run that was stopped goes on with the same command.
    """

    options = {
        "pieces": pieces, "batch_size": batch_size, "distances": distances, "gradients": gradients,
        "masking": masking, "rows": rows, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    from headscope.text import read

    corpus = read(text, column=column, target=target)
    loading = {"adapter": adapter, "device": device, "dtype": dtype, "revision": revision}
    path, result = run(model, loading, corpus, out, plots, quiet or json, options, target, known or [])
    report(path, result, quiet, json)


def run(
    model: str, loading: dict[str, Any], corpus: Corpus, out: Path | None, plots: bool, quiet: bool,
    options: dict[str, Any], target: str | None = None, known: Sequence[Path] = (),
) -> tuple[Path, Result]:  # fmt: skip
    """The survey with a progress bar, into a run folder."""
    if options.get("limit"):
        corpus = corpus.limited(options["limit"])
    # A broken line at the end of a text is found now, not after hours of work.
    words = sum(len(document.words) for document in corpus)

    from headscope.cli.screen import progress_bar
    from headscope.jobs.survey import VERB, survey_path
    from headscope.jobs.survey import survey as job
    from headscope.models import load

    loaded = load(model, **loading)
    path = out or survey_path(loaded, corpus, options, known=known)
    with progress_bar(VERB, words, quiet) as progress:
        return path, job(
            loaded, corpus, out=path, target=target, known=known, plots=plots, progress=progress, **options
        )


def report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The roles, and where everything is."""
    from headscope.cli.screen import console, print_json, print_notes, print_places, print_table

    if json:
        tables = {name: result.table(name).to_dict("records") for name in ("roles", "heads")}
        print_json({"run": str(path), "notes": result.notes, **tables})
    elif not quiet:
        print_table(result.table("roles"), "What the heads do")
        if "layers" in result.tables:
            console.print()
            print_table(result.table("layers"), "Are heads of one layer alike?")
        console.print()
        print_notes(result)
        print_places(path)
