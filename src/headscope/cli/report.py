"""`headscope report RUN`"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Annotated

from headscope.cli.shell import Printing
from headscope.questions.marks import OUTPUT, Argument, Group


@dataclass(frozen=True, kw_only=True)
class Options(Printing):
    """Everything in a run folder as one HTML file that anyone can open.

    What was asked, a grid and a map of all heads coloured by any measure, a card for each head, example
    sentences, every table, every figure. The file loads nothing from elsewhere and works offline.

    Example: headscope report runs/demo --open
    """

    run: Annotated[Path, Argument(0, "RUN")]
    """Run folder, of one verb or of several."""

    out: Annotated[Path | None, Group(OUTPUT)] = None
    """File to write. Default: RUN/report.html."""

    open: Annotated[bool, Group(OUTPUT)] = False
    """Open it in the browser."""


def run(options: Options) -> None:
    """Write the report, and say where it is."""
    from headscope.cli.screen import print_json, print_line
    from headscope.results.run import open as open_run
    from headscope.web.report.pages import report

    path, unfinished = report(options.run, options.out), open_run(options.run).unfinished
    if options.json:
        told = {"run": str(options.run), "report": str(path), "bytes": path.stat().st_size}
        print_json(told | {"unfinished": unfinished})
    elif not options.quiet:
        print_report(path)
        if unfinished:
            go_on = f"headscope resume {quote(str(options.run))}"
            print_line(f"{', '.join(unfinished)}: not finished; {go_on} goes on")
    if options.open:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


def print_report(path: Path) -> None:
    """Where the report is, and how large."""
    from headscope.cli.screen import print_line

    print_line(f"report  {path} ({path.stat().st_size / 1e6:.1f} MB)")
