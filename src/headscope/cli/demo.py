"""`headscope demo`"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from headscope.cli.options import Quiet


def demo(
    out: Annotated[Path, typer.Option(help="Run folder to write.")] = Path("runs/demo"),
    quiet: Quiet = False,
) -> None:
    """Survey the embedded model over our own passages and write the report: offline, in a minute or two."""
    from importlib.resources import as_file, files

    from headscope.cli.report import print_report
    from headscope.cli.screen import console
    from headscope.cli.survey import report, run
    from headscope.text import read
    from headscope.web.pages import report as write_report

    with as_file(files("headscope.demo") / "passages.txt") as text:
        path, result = run("default", {}, read(text), out, True, quiet, {})
    report(path, result, quiet, False)
    page = write_report(path)
    if not quiet:
        print_report(page)
        console.print(
            "\nOpen the report in a browser. Then try\n"
            f"  {f'headscope serve {quote(str(path))}':<42} the same page, live: type a sentence\n"
            "  headscope survey default YOUR.txt          your own text\n"
            "  headscope survey PATH/TO/MODEL YOUR.txt    your own model\n"
            '  headscope attention default "A sentence."  the maps themselves\n'
            "  headscope info MODEL                       what a model allows",
            soft_wrap=True, markup=False,
        )  # fmt: skip
