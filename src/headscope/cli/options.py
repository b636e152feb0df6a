"""Options that several verbs share, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headscope.heads import parse_numbers


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
Device = Annotated[
    str,
    typer.Option(help="Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`, or `auto`, a GPU if there is one."),
]
Dtype = Annotated[Precision, typer.Option(help="Precision of the weights.")]
Revision = Annotated[str | None, typer.Option(help="Branch, tag or commit of a hub model.")]
Adapter = Annotated[Path | None, typer.Option(help="Folder of a LoRA adapter to put on the model.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many documents.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn at random.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no tables.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON on standard output.")]

SecondText = Annotated[str | None, typer.Option("--second", help="Second text, for models that read pairs.")]
TargetText = Annotated[str | None, typer.Option("--target", help="Target text, for encoder-decoders.")]
Generate = Annotated[int, typer.Option(min=0, help="Let a decoder continue by so many pieces.")]


class Special(StrEnum):
    """What --special may be; looks know the same names."""

    shown = "shown"
    hidden = "hidden"
    renormalised = "renormalised"


SpecialTokens = Annotated[
    Special,
    typer.Option("--special", help="Special tokens: shown, hidden, or hidden with rows summing to 1 again."),
]


def chosen(layers: str | None, heads: str | None) -> dict[str, tuple[int, ...] | None]:
    """The options by which a verb limits itself to some heads, read from what was typed.

    >>> chosen("0,2-3", None)
    {'layers': (0, 2, 3), 'heads': None}
    """
    given = {"layers": layers, "heads": heads}
    return {name: None if text is None else tuple(parse_numbers(text, name)) for name, text in given.items()}


class Kind(StrEnum):
    """What --task may be; the tasks know the same names."""

    classification = "classification"
    pairs = "pairs"
    tagging = "tagging"
    masked = "masked"
    causal = "causal"
    translation = "translation"


TaskKind = Annotated[
    Kind | None, typer.Option("--task", help="What the model is scored on. Default: what its head is for.")
]
MetricName = Annotated[str | None, typer.Option(help="Another score: `bleu` for translation.")]
Column = Annotated[str | None, typer.Option(help="Column of the text. Default: text, sentence or words.")]
Label = Annotated[str | None, typer.Option(help="Column of the label. Default: label, class, ...")]
Second = Annotated[str | None, typer.Option(help="Column of the second text of a pair.")]
Target = Annotated[str | None, typer.Option(help="Column of the target text, for translation.")]
TaskData = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="Labelled examples: a table (.csv, .tsv, .jsonl) with a text and a label, word-and-tag lines, a "
        "saved data set; or plain text for a language model.",
    ),
]
