"""`headscope report RUN`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headscope.cli.options import Json, Quiet


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder, of one verb or of several.")],
    out: Annotated[Path | None, typer.Option(help="File to write. Default: RUN/report.html.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Everything in a run folder as one HTML file that anyone can open.

    What was asked, a grid and a map of all heads coloured by any measure, a card for each head, example
    sentences, every table, every figure. The file loads nothing from elsewhere and works offline.

    Example: `headscope report runs/demo --open`
    """
    from headscope.cli.screen import print_json
    from headscope.web.pages import report as job

    path = job(run, out)
    if json:
        print_json({"run": str(run), "report": str(path), "bytes": path.stat().st_size})
    elif not quiet:
        print_report(path)
    if show:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


def print_report(path: Path) -> None:
    """Where the report is, and how large."""
    from rich.markup import escape

    from headscope.cli.screen import console

    size = path.stat().st_size / 1e6
    console.print(f"report  {escape(str(path))} ({size:.1f} MB)", soft_wrap=True)
