"""A run's figures as the page gets them: drawn once, as SVG, and as PDF where it is there."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from os.path import realpath
from pathlib import Path, PurePath

from headscope.errors import RunError, located
from headscope.plots import PICTURES
from headscope.web.packing import packed
from headscope.web.wire import FigureWire

FOLDER = "plots"


def figure_names(plots: list[str]) -> list[str]:
    """The figures among a verb's files, in their order.

    >>> figure_names(["roles.png", "roles.svg", "roles.pdf", "photo.png"])
    ['roles']
    """
    return [PurePath(name).stem for name in plots if PurePath(name).suffix == ".svg"]


def figure_wire(folder: Path, verb: str, name: str, plots: list[str]) -> FigureWire:
    """One figure; it is shown as an image, so nothing inside it ever runs."""
    svg = packed(_content(folder, f"{name}.svg"))
    pdf = packed(_content(folder, f"{name}.pdf")) if f"{name}.pdf" in plots else None
    return FigureWire(name, verb, title_of(name), svg, pdf)


def title_of(name: str) -> str:
    """What a figure shows: the first sentence of the file that draws it, or its name.

    >>> title_of("roles"), title_of("my_own")
    ('What each head does: a grid of layers and heads, coloured by role', 'my own')
    """
    source = _source(PICTURES[name]) if name in PICTURES else None
    told = ast.get_docstring(ast.parse(source)) if source else None
    return told.split("\n\n")[0].removesuffix(".") if told else name.replace("_", " ")


def _source(module: str) -> str | None:
    """The text of a module that is not imported: importing it would load the library that draws."""
    spec = find_spec(module)
    loader = spec.loader if spec is not None else None
    return loader.get_source(module) if loader is not None and hasattr(loader, "get_source") else None


def _content(folder: Path, name: str) -> bytes:
    path = folder / FOLDER / name
    if not Path(realpath(path)).is_relative_to(realpath(folder)):
        raise RunError(located(path, None, "leads out of the run folder, so it is not shown"))
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunError(located(path, None, f"cannot be read ({error.strerror})")) from error
