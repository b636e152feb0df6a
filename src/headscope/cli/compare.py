"""`headscope compare RUN RUN ...`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headscope.cli.options import Json, Out, Quiet, Seed

SHOWN = ["head", "measure", "difference", "low", "high"]


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN ...", help="Folders of finished surveys.")],
    measure: Annotated[
        list[str] | None, typer.Option(help="A measure to compare; may be given several times.")
    ] = None,
    out: Out = None,
    seed: Seed = 0,
    plots: Annotated[bool, typer.Option(help="Draw the figures as PNG, SVG and PDF.")] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """What changed between models or checkpoints, head by head, with intervals.

    Each run is compared with the first; give checkpoints in their order to get curves. Runs over the
    same text are paired by blocks of documents.

    Example: `headscope compare runs/base runs/finetuned --measure entropy`
    """
    from headscope.cli.screen import console, print_json, print_notes, print_places, print_table
    from headscope.jobs.compare import compare as job
    from headscope.jobs.compare import compare_path

    path = out or compare_path(runs, measure, seed)
    result = job(runs, measures=measure, out=path, seed=seed, plots=plots)
    table = result.table("differences")
    changed = table[table["significant"]].sort_values("difference", key=abs, ascending=False)
    if json:
        print_json({"run": str(path), "notes": result.notes, "differences": table.to_dict("records")})
    elif not quiet:
        console.print(f"{len(changed)} of {len(table)} differences are more than chance")
        for pair in table.loc[table["significant"], "pair"].unique():
            console.print()
            print_table(changed.loc[changed["pair"] == pair, SHOWN].head(20), f"{pair}: the largest")
        console.print()
        print_notes(result)
        print_places(path)
