"""A run's figures as the page gets them: drawn once, as SVG, and as PDF where it is there."""

from __future__ import annotations

from os.path import realpath
from pathlib import Path, PurePath

from headscope.errors import RunError, located
from headscope.results.record import Entry
from headscope.web.packing import packed
from headscope.web.report_wire import FigureWire

FOLDER = "plots"


def figure_names(plots: list[str]) -> list[str]:
    """The figures among a verb's files, in their order.

    >>> figure_names(["roles.png", "roles.svg", "roles.pdf", "photo.png"])
    ['roles']
    """
    return [PurePath(name).stem for name in plots if PurePath(name).suffix == ".svg"]


def figure_wire(folder: Path, verb: str, name: str, entry: Entry) -> FigureWire:
    """One figure; it is shown as an image, so nothing inside it ever runs."""
    svg = packed(_content(folder, f"{name}.svg"))
    pdf = packed(_content(folder, f"{name}.pdf")) if f"{name}.pdf" in entry.plots else None
    return FigureWire(name, verb, entry.captions.get(name, name.replace("_", " ")), svg, pdf)


def _content(folder: Path, name: str) -> bytes:
    path = folder / FOLDER / name
    if not Path(realpath(path)).is_relative_to(realpath(folder)):
        raise RunError(located(path, None, "leads out of the run folder, so it is not shown"))
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunError(located(path, None, f"cannot be read ({error.strerror})")) from error
