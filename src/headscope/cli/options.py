"""Options that several verbs share, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Precision(StrEnum):
    """What --dtype may be; the model loader knows the same names."""

    float32 = "float32"
    bfloat16 = "bfloat16"
    float16 = "float16"
    float64 = "float64"


ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="Folder, hub name, .gguf file, or `default`.")
]
Out = Annotated[
    Path | None, typer.Option(help="Run folder to write, or to continue. Default: runs/VERB-MODEL-N.")
]
Layers = Annotated[str | None, typer.Option(help="Only these layers, counted from 0: `0,2,5-7`.")]
Heads = Annotated[str | None, typer.Option(help="Only these heads of each layer, counted from 0: `0,3-5`.")]
Device = Annotated[str, typer.Option(help="Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`.")]
Dtype = Annotated[Precision, typer.Option(help="Precision of the weights.")]
Revision = Annotated[str | None, typer.Option(help="Branch, tag or commit of a hub model.")]
Adapter = Annotated[Path | None, typer.Option(help="Folder of a LoRA adapter to put on the model.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many documents.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn at random.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no tables.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON on standard output.")]
