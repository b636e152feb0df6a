"""Options that several verbs share, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="Folder, hub name, .gguf file, or `default`.")
]
Out = Annotated[
    Path | None, typer.Option(help="Run folder to write, or to continue. Default: runs/VERB-MODEL-N.")
]
Layers = Annotated[str | None, typer.Option(help="Only these layers, counted from 0: `0,2,5-7`.")]
Heads = Annotated[str | None, typer.Option(help="Only these heads of each layer, counted from 0: `0,3-5`.")]
Device = Annotated[str, typer.Option(help="Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`.")]
Dtype = Annotated[
    str, typer.Option(help="Precision of the weights: `float32`, `bfloat16`, `float16`, `float64`.")
]
Revision = Annotated[str | None, typer.Option(help="Branch, tag or commit of a hub model.")]
Adapter = Annotated[Path | None, typer.Option(help="Folder of a LoRA adapter to put on the model.")]
Limit = Annotated[int | None, typer.Option(help="Only the first so many documents.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn at random.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no tables.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON on standard output.")]
