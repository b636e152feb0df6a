"""`headscope syntax MODEL TREEBANK`"""

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

PARSER = "en_core_web_sm"


def syntax(
    model: ModelName,
    treebank: Annotated[
        str,
        typer.Argument(
            metavar="TREEBANK",
            help="Trees: CoNLL-U (.conllu) or word and head-relation (.dep); each also .gz, .xz or .bz2, "
            "or a folder of such files. With --parse, any text that survey takes.",
        ),
    ],
    out: Out = None,
    parse: Annotated[bool, typer.Option("--parse", help="Parse the text with spaCy first.")] = False,
    parser: Annotated[str, typer.Option(help="The spaCy pipeline for --parse.")] = PARSER,
    least: Annotated[int, typer.Option(min=1, help="Fewest words of a relation that is tested.")] = 100,
    reach: Annotated[int, typer.Option(min=1, help="Fixed offsets up to so many words away.")] = 5,
    punctuation: Annotated[bool, typer.Option("--punctuation", help="Score punctuation too.")] = False,
    subtypes: Annotated[bool, typer.Option(help="Keep subtypes such as nmod:poss apart.")] = True,
    possessive: Annotated[
        bool, typer.Option("--possessive", help="Ask a possessor through the 's behind it, as the paper.")
    ] = False,
    spaced: Annotated[
        bool, typer.Option(help="Part words by single spaces; else encode sentences as written.")
    ] = True,
    twins: Annotated[int, typer.Option(min=0, help="Random twins of the model to hold against it.")] = 3,
    pieces: Annotated[
        int | None, typer.Option(min=1, help="Longest sentence in pieces. Default: 256, or what fits.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Sentences run together.")] = 128,
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
    """Which heads know which grammatical relations.

    For every head and relation: how often a word's most attended other word is its head (dep->head), and
    the two readings of the other direction. The best head is chosen on one half of the documents and scored
    on the other, beside the best fixed offset and randomly initialised twins of the model.

    Example: `headscope syntax default en_ewt-ud-dev.conllu --out runs/mine`, then look into runs/mine/plots;
    or, for plain text, `headscope syntax default my.txt --parse`.
    A run that was stopped goes on with the same command.
    """

    options = {
        "least": least, "reach": reach, "punctuation": punctuation, "subtypes": subtypes,
        "possessive": possessive, "spaced": spaced, "twins": twins, "pieces": pieces,
        "batch_size": batch_size, "limit": limit, "seed": seed,
        **chosen(layers, heads),
    }  # fmt: skip
    loading = {"adapter": adapter, "device": device, "dtype": dtype, "revision": revision}
    path, result = _run(
        model, loading, treebank, parser if parse else None, out, plots, quiet or json, options
    )
    _report(path, result, quiet, json)


def _run(
    model: str, loading: dict[str, Any], treebank: str, parser: str | None, out: Path | None, plots: bool,
    quiet: bool, options: dict[str, Any],
) -> tuple[Path, Result]:  # fmt: skip
    """The job with a progress bar, into a run folder."""
    from headscope.cli.screen import progress_bar
    from headscope.jobs.syntax import VERB, count_relations, open_treebank, syntax_path
    from headscope.jobs.syntax import syntax as job
    from headscope.models import load

    corpus = open_treebank(treebank, parser, options["limit"])
    # A broken line at the end of a treebank is found now, not after hours of work.
    words = (1 + options["twins"]) * count_relations(corpus).total()
    loaded = load(model, **loading)
    path = out or syntax_path(loaded, corpus, options)
    with progress_bar(VERB, words, quiet) as progress:
        return path, job(loaded, corpus, out=path, plots=plots, progress=progress, **options)


def _report(path: Path, result: Result, quiet: bool, json: bool) -> None:
    """The best head of each relation, and what stands beside it."""
    from headscope.cli.screen import console, print_json, print_notes, print_places, print_table

    if json:
        tables = {name: result.table(name).to_dict("records") for name in ("relations", "published")}
        print_json({"run": str(path), "notes": result.notes, **tables})
    elif not quiet:
        relations, published = result.table("relations"), result.table("published")
        if len(relations):
            title = "Best heads, in percent (dep->head but where told; * found, see below)"
            print_table(_best(relations), title)
            console.print()
        if relations["found"].any():
            print_table(_special(relations), "What the heads found give to special tokens, in percent")
            console.print()
        if len(published):
            title = "On the same data, beside Clark et al. 2019, table 1 (BERT-base, WSJ), in percent"
            print_table(published.drop(columns="differs"), title)
            console.print()
        print_notes(result)
        print_places(path)


def _best(relations: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    percent = relations.select_dtypes("float").map(_percent)
    known = relations["accuracy"].notna()
    reading = (" " + relations["reading"]).where(relations["reading"] != "dep->head", "")
    return relations[["relation", "words"]].assign(
        head=relations["head"] + reading,
        right=percent["accuracy"],
        interval=(percent["low"] + "-" + percent["high"]).where(relations["low"].notna(), ""),
        offset=(percent["offset_accuracy"] + " (" + relations["offset"] + ")").where(known, ""),
        twin=percent["twin"],
        p=relations["p_holm"].map(_p) + relations["found"].map({True: "*", False: ""}),
    )


def _special(relations: pd.DataFrame) -> pd.DataFrame:
    found = relations[relations["found"]]
    percent = found[["special_bearing", "special_others"]].map(_percent)
    return found[["relation", "same_data_head", "same_data_reading"]].assign(
        **{"from words that bear it": percent["special_bearing"], "from others": percent["special_others"]}
    )


def _percent(value: float) -> str:
    return "" if value != value else f"{100 * value:.1f}"


def _p(value: float) -> str:
    return "" if value != value else f"{value:.2g}"
