"""`headscope show MODEL TEXT --head L2H8`"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headscope.cli.options import (
    Adapter,
    Device,
    Dtype,
    Generate,
    Json,
    ModelName,
    Precision,
    Revision,
    SecondText,
    Special,
    SpecialTokens,
    TargetText,
)
from headscope.errors import InputError, OptionError
from headscope.heads import Head

if TYPE_CHECKING:
    from headscope.jobs.show import Seen
    from headscope.results.result import Result

PICTURES = (".png", ".svg", ".pdf")
PAGE = ".html"


class View(StrEnum):
    """What --view may be."""

    lines = "lines"
    matrix = "matrix"


class Scale(StrEnum):
    """What --scale may be."""

    linear = "linear"
    log = "log"


def show(
    model: ModelName,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text itself, in quotes.")],
    head: Annotated[
        list[str],
        typer.Option(help="Head to show, such as `L2H8`, or `cross:L0H1`; up to four times."),
    ],
    save: Annotated[
        Path | None, typer.Option(help="File to write: `.pdf`, `.svg`, `.png`, or `.html` to explore.")
    ] = None,
    view: Annotated[View, typer.Option(help="Lines between words, or a matrix.")] = View.lines,
    pieces: Annotated[bool, typer.Option("--pieces", help="Between pieces instead of words.")] = False,
    special: SpecialTokens = Special.shown,
    scale: Annotated[Scale, typer.Option(help="Log makes weak links visible.")] = Scale.linear,
    second: SecondText = None,
    target: TargetText = None,
    generate: Generate = 0,
    off: Annotated[
        list[str] | None, typer.Option(help="Head to switch off; may be given several times.")
    ] = None,
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
    json: Json = False,
) -> None:
    """One picture for a paper: where a few heads look in one text.

    Without --save, prints the strongest link of each word. With --off, also what the model makes of the text
    with and without those heads.

    Example: `headscope show default "The cat sat on the mat." --head L2H8 --save cat.pdf`
    """
    # What needs no model is checked before the libraries that run one are imported.
    _check(text, [*head, *(off or [])], save)
    from headscope.jobs.show import see, shown
    from headscope.models import load

    loaded = load(model, adapter=adapter, device=device, dtype=dtype, revision=revision)
    seen = see(loaded, text, head, off=off or [], second=second, target=target, generate=generate)
    drawing: dict[str, Any] = {"words": not pieces, "special": special.value, "scale": scale.value}
    result = shown(seen, view=view.value, **drawing)
    if save is not None:
        _save(save, seen, result, {**drawing, "drawing": view.value}, title=text)
    _tell(result, seen, save, json)


def _check(text: str, heads: list[str], save: Path | None) -> None:
    if not text.strip():
        raise InputError("the text is empty")
    for name in heads:
        Head.parse(name)
    if save is not None and save.suffix.lower() not in (*PICTURES, PAGE):
        raise OptionError(f"--save {save}: the name must end with {', '.join(PICTURES)} or {PAGE}")
    if save is not None and save.is_dir():
        raise OptionError(f"--save {save} is a folder; name the file to write")


def _save(path: Path, seen: Seen, result: Result, drawing: dict[str, Any], title: str) -> None:
    from headscope.results.files import write_atomically, write_text

    if path.suffix.lower() == PAGE:
        from headscope.web.page import standalone
        from headscope.web.views import view_page

        first = seen.heads[0]
        heads = [head.index for head in seen.heads if head.layer == first.layer]
        page = view_page(seen.look, stack=first.stack, layer=first.layer, heads=heads, title=title, **drawing)
        write_text(path, standalone(page))
        return
    from headscope import plots

    figure = plots.draw(drawing["drawing"], result)
    write_atomically(path, plots.writer(figure, path.suffix.lower().removeprefix(".")))


def _tell(result: Result, seen: Seen, save: Path | None, json: bool) -> None:
    from headscope.cli.screen import console, print_json, print_notes, print_table

    output = seen.look.output
    if json:
        tables = {name: table.to_dict("records") for name, table in result.tables.items()}
        told = None if output is None else {"title": output.title, "unit": output.unit}
        saved = None if save is None else str(save)
        print_json({"saved": saved, "notes": result.notes, "measured": told, **tables})
        return
    if save is None:
        unit = result.arrays["maps"].attrs["unit"]
        print_table(result.table("links").round(3), f"Strongest link of each {unit}")
    if output is not None and output.rows[0].after is not None:
        console.print()
        print_table(result.table("output").round(4), output.title)
    if result.notes:
        print_notes(result)
    if save is None:
        console.print("\nTo draw it: --save FILE.pdf, .svg, .png or .html")
    else:
        console.print(str(save), soft_wrap=True, markup=False)
