"""The report of a run as a page, and as one file."""

from __future__ import annotations

import os
from pathlib import Path

from headscope.errors import OptionError
from headscope.results.files import write_text
from headscope.results.provenance import version
from headscope.results.run import Run
from headscope.web.page import standalone
from headscope.web.report.content import report_of
from headscope.web.wire import Page

NAME = "report.html"


def report_page(run: Run) -> Page:
    """The page that shows a run."""
    report = report_of(run)
    return Page(f"{report.name} · headscope", version(), report=report)


def report(run: str | os.PathLike[str] | Run, out: str | os.PathLike[str] | None = None) -> Path:
    """Write the report of a run folder as one HTML file that opens anywhere; by default into the folder."""
    opened = run if isinstance(run, Run) else Run(run)
    path = opened.path / NAME if out is None else Path(out)
    if path.is_dir():
        raise OptionError(f"{path} is a folder; name the file to write, such as {path / NAME}")
    write_text(path, standalone(report_page(opened)))
    return path
