"""`headscope attention MODEL TEXT`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headscope.cli.options import (
    Adapter,
    Device,
    Dtype,
    Generate,
    Heads,
    Json,
    Layers,
    ModelName,
    Precision,
    Revision,
    SecondText,
    Special,
    SpecialTokens,
    TargetText,
)
from headscope.errors import InputError


def attention(
    model: ModelName,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text itself, in quotes.")],
    out: Annotated[Path | None, typer.Option(help="Write the maps here, as safetensors with labels.")] = None,
    second: SecondText = None,
    target: TargetText = None,
    stack: Annotated[str | None, typer.Option(help="`encoder`, `decoder` or `cross`.")] = None,
    words: Annotated[bool, typer.Option(help="Maps between words instead of pieces.")] = False,
    special: SpecialTokens = Special.shown,
    generate: Generate = 0,
    layers: Layers = None,
    heads: Heads = None,
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
    json: Json = False,
) -> None:
    """The raw attention maps of one text: (layer, head, query, key).

    Prints each head's strongest link; --out keeps the maps. In Python: `headscope.open_maps(FILE)`.

    Example: `headscope attention default "The cat sat." --words --out cat.safetensors`
    """
    from headscope.cli.screen import console, print_json, print_table
    from headscope.heads import parse_numbers

    # What needs no model is checked before the libraries that run one are imported.
    chosen_layers = None if layers is None else parse_numbers(layers, "layers")
    chosen_heads = None if heads is None else parse_numbers(heads, "heads")
    if not text.strip():
        raise InputError("the text is empty")
    from headscope.jobs.attention import attention as job
    from headscope.jobs.attention import save_maps, strongest_links
    from headscope.models import load

    loaded = load(model, adapter=adapter, device=device, dtype=dtype, revision=revision)
    maps = job(
        loaded, text, target=target, stack=stack, words=words, generate=generate,  # type: ignore[arg-type]
        layers=chosen_layers, heads=chosen_heads, second=second, special=special.value,
    )  # fmt: skip
    if out is not None:
        save_maps(maps, out)
    table = strongest_links(maps)
    if json:
        print_json({"shape": list(maps.shape), "saved": out and str(out), "links": table.to_dict("records")})
        return
    inner = " that are not the first or last" if special == Special.shown else ""
    print_table(table.round(3), f"Strongest link of each head between {maps.attrs['unit']}s{inner}")
    if out is not None:
        console.print(f"\nmaps {maps.shape} in {out}", soft_wrap=True)
