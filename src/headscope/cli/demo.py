"""`headscope demo`"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Annotated

from headscope.cli.shell import run_question
from headscope.questions import VERBS
from headscope.questions import options as groups
from headscope.questions.marks import OUTPUT, Group, Short
from headscope.questions.options import complete


@dataclass(frozen=True, kw_only=True)
class Options(groups.Options):
    """Survey the embedded model over our own passages and write the report: offline, in less than a minute.

    Example: headscope demo
    """

    out: Annotated[Path, Group(OUTPUT)] = Path("runs/demo")
    """Run folder to write."""

    quiet: Annotated[bool, Short("-q"), Group(OUTPUT)] = False
    """Print no progress and no tables."""


def run(options: Options) -> None:
    """The survey, its report, and what to try next."""
    from importlib.resources import as_file, files

    from headscope.cli.report import print_report
    from headscope.cli.screen import print_line
    from headscope.web.report.pages import report

    survey = VERBS["survey"]
    with as_file(files("headscope.demo") / "passages.txt") as text:
        around = {"out": options.out, "quiet": options.quiet}
        run_question(survey, complete(survey.name, survey.options, {"text": str(text)}), around)
    page = report(options.out)
    if not options.quiet:
        print_report(page)
        print_line(
            "\nOpen the report in a browser. Then try\n"
            f"  {f'headscope serve {quote(str(options.out))}':<42} the same page, live: type a sentence\n"
            "  headscope survey default YOUR.txt          your own text\n"
            "  headscope survey PATH/TO/MODEL YOUR.txt    your own model\n"
            '  headscope maps default "A sentence."       the maps themselves\n'
            "  headscope info MODEL                       what a model allows"
        )
