"""`headscope coref MODEL CORPUS`"""

from __future__ import annotations

from enum import StrEnum
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

SHOWN = ["type", "mentions", "accuracy", "low", "high", "chosen", "same_data", "twin"]
TESTS = ["above_nearest", "p_nearest", "above_head_match", "p_head_match"]
BESIDE = ["type", "nearest", "head_match", "head_match_or_nearest", "sieves", *TESTS]


class Candidates(StrEnum):
    """What --candidates may be; the analysis knows the same names."""

    words = "words"
    mentions = "mentions"
    preceding = "preceding"


class HeadFinder(StrEnum):
    """What --head-finder may be; the mentions know the same names."""

    given = "given"
    tree = "tree"
    rule = "rule"


def coref(
    model: ModelName,
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="Coreference: CoNLL-2012 (.conll, .gold_conll, ...), or CoNLL-U with Entity= (.conllu); "
            "each also .gz, .xz or .bz2, or a folder of such files.",
        ),
    ],
    trees: Annotated[
        Path | None,
        typer.Option(help="Treebank of the same documents, for a CORPUS without tags and trees (OntoGUM)."),
    ] = None,
    out: Out = None,
    window: Annotated[int, typer.Option(min=1, help="Most words of a window of whole sentences.")] = 128,
    first: Annotated[
        bool, typer.Option("--first", help="Only the first window of each document, as in the paper.")
    ] = False,
    candidates: Annotated[
        Candidates,
        typer.Option(help="Choose among all other words (the paper), mentions, or earlier mentions."),
    ] = Candidates.words,
    head_finder: Annotated[
        HeadFinder,
        typer.Option(help="Head words: as the source gives them (else tree, else rule), tree, rule."),
    ] = HeadFinder.given,
    singletons: Annotated[
        bool, typer.Option("--singletons", help="Keep entities that are named once as candidates.")
    ] = False,
    spaced: Annotated[
        bool, typer.Option(help="Part words by single spaces; else encode the text as it was written.")
    ] = True,
    twins: Annotated[int, typer.Option(min=0, help="Random twins of the model to hold against it.")] = 3,
    batch_size: Annotated[int, typer.Option(min=1, help="Windows run together.")] = 16,
    layers: Layers = None,
    heads: Heads = None,
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
    limit: Limit = None,
    seed: Seed = 0,
    plots: Annotated[bool, typer.Option(help="Draw the figure as PNG, SVG and PDF.")] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Which heads link a mention to its antecedent.

    For each head and type of mention (pronoun, proper, nominal): how often the mention's head word attends
    most to the head word of an antecedent. The best head is chosen on one half of the documents and scored on
    the other, beside the nearest mention, head match, rules, and randomly initialised twins of the model.

    Example: `headscope coref default gum.conllu --out runs/mine`, then look into runs/mine/plots.
    A run that was stopped goes on with the same command.
    """

    options = {
        "window": window, "first": first, "candidates": candidates.value, "head_finder": head_finder.value,
        "singletons": singletons, "spaced": spaced, "twins": twins,
        "batch_size": batch_size, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    loading = {"adapter": adapter, "device": device, "dtype": dtype, "revision": revision}
    path, result = _run(model, loading, corpus, trees, out, plots, quiet or json, options)
    _report(path, result, quiet, json)


def _run(
    model: str, loading: dict[str, Any], corpus: str, trees: Path | None, out: Path | None, plots: bool,
    quiet: bool, options: dict[str, Any],
) -> tuple[Path, Result]:  # fmt: skip
    """The job with a progress bar, into a run folder."""
    from headscope.cli.screen import progress_bar
    from headscope.jobs.coref import VERB, coref_path, open_corpus
    from headscope.jobs.coref import coref as job
    from headscope.models import load

    source = open_corpus(corpus, trees, options["limit"])
    # A broken line at the end of a corpus is found now, not after hours of work.
    words = (1 + options["twins"]) * sum(len(document.words) for document in source)
    loaded = load(model, **loading)
    path = out or coref_path(loaded, source, options)
    with progress_bar(VERB, words, quiet) as progress:
        return path, job(loaded, source, out=path, plots=plots, progress=progress, **options)


def _report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The best heads and what stands beside them."""
    from headscope.cli.screen import console, print_json, print_notes, print_places, print_table

    if json:
        tables = {name: result.table(name).to_dict("records") for name in result.tables}
        print_json({"run": str(path), "notes": result.notes, **tables})
    elif not quiet:
        types = result.table("coref_types")
        print_table(types[SHOWN], "How often the best head finds an antecedent")
        console.print()
        print_table(types[BESIDE], "Beside simple rules")
        console.print()
        print_notes(result)
        print_places(path)
