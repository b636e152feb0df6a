"""`headscope demo`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headscope.cli.options import Quiet


def demo(
    out: Annotated[Path, typer.Option(help="Run folder to write.")] = Path("runs/demo"),
    quiet: Quiet = False,
) -> None:
    """Survey the embedded model over our own passages: everything works offline, in a minute or two."""
    from importlib.resources import as_file, files

    from headscope.cli.screen import console
    from headscope.cli.survey import report, run
    from headscope.text import read

    with as_file(files("headscope.demo") / "passages.txt") as text:
        path, result = run("default", {}, read(text), out, True, quiet, {})
    report(path, result, quiet, False)
    if not quiet:
        console.print(
            "\nLook at plots/roles.png and plots/headmap.png first. Then try\n"
            "  headscope survey default YOUR.txt          your own text\n"
            "  headscope survey PATH/TO/MODEL YOUR.txt    your own model\n"
            '  headscope attention default "A sentence."  the maps themselves\n'
            "  headscope info MODEL                       what a model allows",
            soft_wrap=True, markup=False,
        )  # fmt: skip
